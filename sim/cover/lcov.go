package cover

import (
	"bufio"
	"fmt"
	"io"
)

// LCOV writes the counts as lcov and its readers take them: statements as lines (DA), the outcomes
// of conditions as branches (BRDA). Waived lines are left out, and so are states and toggles.
func (c *Counts) LCOV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "TN:")

	// The lines are sorted by file: a stretch of one file is a section.
	for i := 0; i < len(c.Lines); {
		n := i
		for n < len(c.Lines) && c.Lines[n].File == c.Lines[i].File {
			n++
		}
		fmt.Fprintf(b, "SF:%s\n", c.Lines[i].Path)
		writeRecords(b, c.open(c.Lines[i].Path), c.Lines[i:n])
		fmt.Fprintln(b, "end_of_record")
		i = n
	}
	return b.Flush()
}

// writeRecords writes the records of one file. Modules that share a line have one record. A condition
// is block 0 of its line, of which branch 0 is that it held; the cases of a Choose are block 1.
func writeRecords(b *bufio.Writer, src *source, lines []Line) {
	counts := map[string]uint64{}
	cases, ofLine := map[string]int{}, map[int]int{}
	var order []string
	for _, l := range lines {
		var record string
		switch {
		case src.isWaived(l.Line):
			continue
		case l.Kind == Set || l.Kind == Cover || l.Kind == Assert:
			record = fmt.Sprintf("DA:%d", l.Line)
		case l.Kind == True:
			record = fmt.Sprintf("BRDA:%d,0,0", l.Line)
		case l.Kind == False:
			record = fmt.Sprintf("BRDA:%d,0,1", l.Line)
		case l.Kind == Arm:
			// Block 1; the cases of a line have numbers in the order of their names.
			at := fmt.Sprintf("%d %s", l.Line, l.Name)
			if _, ok := cases[at]; !ok {
				cases[at] = ofLine[l.Line]
				ofLine[l.Line]++
			}
			record = fmt.Sprintf("BRDA:%d,1,%d", l.Line, cases[at])
		default:
			continue // states and transitions have no place in the format
		}

		if _, ok := counts[record]; !ok {
			order = append(order, record)
		}
		counts[record] += l.Count
	}

	// In the order of their first lines.
	for _, record := range order {
		fmt.Fprintf(b, "%s,%d\n", record, counts[record])
	}
}
