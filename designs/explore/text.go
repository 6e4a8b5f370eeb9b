package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Text draws the first two axes in letters, for a terminal or a package's
// documentation: the frame has so many columns and rows, at least 20 and 5. A point of
// the front is a letter, which the lines below explain, from the least of the first axis
// on; from the 27th on it is *. Any other candidate is a dot. It is "" where no candidate
// has both numbers.
func (o *Outcome) Text(columns, rows int) string {
	others, best := o.dots()
	if len(others)+len(best) == 0 {
		return ""
	}
	columns, rows = max(columns, 20), max(rows, 5)
	c := newCanvas(columns, rows, append(slices.Clone(others), best...))

	// The front is drawn last: of points in one place its letter stays. Of two letters in
	// one place the second moves to a free column of the row, so that each can be found.
	for _, d := range others {
		c.put(d, '·')
	}
	taken := map[[2]int]bool{}
	for i, d := range best {
		x, y := c.place(d)
		for n := 1; taken[[2]int{x, y}] && n < columns; n++ {
			x = (x + 1) % columns
		}
		taken[[2]int{x, y}] = true
		c.cells[y][x] = letter(i)
	}

	var b strings.Builder
	c.write(&b, o.Axes[0].Name, o.Axes[1].Name)
	for i, d := range best {
		fmt.Fprintf(&b, "%c  %s %s, %s %s  %s\n", letter(i), o.Axes[0].Name, brief(d.x), o.Axes[1].Name, brief(d.y), d.label)
	}
	return b.String()
}

// letter marks the point i of the front.
func letter(i int) rune {
	if i < 26 {
		return 'a' + rune(i)
	}
	return '*'
}

// brief is a number with four digits.
func brief(x float64) string {
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// canvas is a picture of letters being drawn; row 0 is the top.
type canvas struct {
	x0, x1, y0, y1 float64
	cells          [][]rune
}

// newCanvas is an empty picture with room for points.
func newCanvas(columns, rows int, dots []dot) *canvas {
	c := &canvas{cells: make([][]rune, rows)}
	c.x0, c.x1, c.y0, c.y1 = limits(dots)
	for y := range c.cells {
		c.cells[y] = slices.Repeat([]rune{' '}, columns)
	}
	return c
}

// place is the cell of a point.
func (c *canvas) place(d dot) (x, y int) {
	last := func(n int) float64 { return float64(n - 1) }

	// Row 0 is the top, so the second axis is turned round.
	x = int(math.Round((d.x - c.x0) / (c.x1 - c.x0) * last(len(c.cells[0]))))
	y = int(math.Round((c.y1 - d.y) / (c.y1 - c.y0) * last(len(c.cells))))
	return x, y
}

func (c *canvas) put(d dot, mark rune) {
	x, y := c.place(d)
	c.cells[y][x] = mark
}

// write prints the picture between its axes. A tick of the second axis stands at the row
// nearest to it, one of the first below its column where the last one leaves room.
func (c *canvas) write(b *strings.Builder, xName, yName string) {
	// Ticks by row; two in one row leave the later one.
	marks := map[int]string{}
	for _, t := range ticks(c.y0, c.y1) {
		_, y := c.place(dot{x: c.x0, y: t})
		marks[y] = Number(t)
	}
	width := 0
	for _, m := range marks {
		width = max(width, len(m))
	}

	// The rows, each behind its tick. Blanks at their ends would be lost in documentation.
	fmt.Fprintf(b, "%*s\n", width+1, yName)
	for y, line := range c.cells {
		edge := "│"
		if marks[y] != "" {
			edge = "┤"
		}
		fmt.Fprintf(b, "%*s %s%s\n", width, marks[y], edge, strings.TrimRight(string(line), " "))
	}

	// The numbers below are centred at their ticks, as far as they leave a blank between them.
	axis, below := slices.Repeat([]rune{'─'}, len(c.cells[0])), ""
	for _, t := range ticks(c.x0, c.x1) {
		x, _ := c.place(dot{x: t, y: c.y0})
		text := Number(t)
		if at := x - len(text)/2; at >= 0 && (below == "" || at > len(below)+1) {
			axis[x] = '┬'
			below += strings.Repeat(" ", at-len(below)) + text
		}
	}
	fmt.Fprintf(b, "%*s └%s %s\n%*s  %s\n", width, "", string(axis), xName, width, "", below)
}
