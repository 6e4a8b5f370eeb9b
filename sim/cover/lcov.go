package cover

import (
	"bufio"
	"fmt"
	"io"
)

// LCOV writes the counts as lcov and its readers take them: statements as lines (DA), the outcomes
// of conditions as branches (BRDA). Waived lines are left out.
func (c *Counts) LCOV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "TN:")
	var src *source
	for i, l := range c.Lines {
		if i == 0 || l.File != c.Lines[i-1].File {
			if i > 0 {
				fmt.Fprintln(b, "end_of_record")
			}
			fmt.Fprintf(b, "SF:%s\n", l.Path)
			src = open(l.Path)
		}
		if src.isWaived(l.Line) {
			continue
		}

		// A condition is block 0 of its line; branch 0 is that it held.
		switch l.Kind {
		case Set:
			fmt.Fprintf(b, "DA:%d,%d\n", l.Line, l.Count)
		case True:
			fmt.Fprintf(b, "BRDA:%d,0,0,%d\n", l.Line, l.Count)
		case False:
			fmt.Fprintf(b, "BRDA:%d,0,1,%d\n", l.Line, l.Count)
		}
	}
	if len(c.Lines) > 0 {
		fmt.Fprintln(b, "end_of_record")
	}
	return b.Flush()
}
