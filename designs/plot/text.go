package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// signs draw the lines after the first.
var signs = []string{"*", "o", "+", "x", "#", "@", "%", "&"}

// Text draws the figure as lines of text: the plot itself has as many columns and at
// most as many rows, which are raised to 10 and 3. A figure that SVG refuses gives its
// error's words in place of a picture.
func (f Figure) Text(columns, rows int) string {
	if err := f.check(); err != nil {
		return err.Error() + "\n"
	}
	columns, rows = max(columns, 10), max(rows, 3)

	low, high := f.limits()
	at := func(i int) float64 { // the X of a column
		share := float64(i) / float64(columns-1)
		if f.LogX {
			return low * math.Pow(high/low, share)
		}
		return low + share*(high-low)
	}

	// A line's height in each column, from its points around the column.
	series := make([][]float64, len(f.Lines))
	sets := []asciigraph.CharSet{asciigraph.DefaultCharSet}
	for i := range f.Lines {
		series[i] = make([]float64, columns)
		for c := range columns {
			series[i][c] = f.Lines[i].height(at(c), (at(1)-at(0))/2)
		}
		sets = append(sets, asciigraph.CreateCharSet(signs[i%len(signs)]))
	}

	// One row a unit, so that the axis shows round numbers.
	least, greatest, unit := bounds(series, rows)
	graph := asciigraph.PlotMany(series,
		asciigraph.Height(int(math.Round((greatest-least)/unit))), asciigraph.LowerBound(least), asciigraph.UpperBound(greatest),
		asciigraph.SeriesChars(sets[:len(series)]...),
		asciigraph.YAxisValueFormatter(short), asciigraph.XAxisRange(0, float64(columns-1)),
		asciigraph.XAxisValueFormatter(func(c float64) string { return short(at(int(math.Round(c)))) }))

	var b strings.Builder
	if f.Title != "" {
		fmt.Fprintf(&b, "%s\n", f.Title)
	}
	if f.Y != "" {
		fmt.Fprintf(&b, "%s over %s\n", f.Y, f.X)
	}
	fmt.Fprintf(&b, "%s\n", strings.TrimRight(graph, " \n"))
	for i := range f.Lines {
		fmt.Fprintf(&b, "  %s %s\n", strings.Repeat(sets[i].Horizontal, 2), f.Lines[i].Name)
	}
	return b.String()
}

// bounds are multiples of a round number, unit, at most rows − 1 times it apart, that
// have all of the series between them.
func bounds(series [][]float64, rows int) (least, greatest, unit float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, v := range s {
			if v == v {
				low, high = min(low, v), max(high, v)
			}
		}
	}

	// Enlarge the unit until the rounded limits fit the rows.
	unit = step(low, high, rows-1)
	for {
		least, greatest = math.Floor(low/unit+1e-9)*unit, math.Ceil(high/unit-1e-9)*unit
		if least == greatest {
			greatest += unit
		}
		if greatest-least < (float64(rows)-0.5)*unit {
			return least, greatest, unit
		}
		unit = round(unit * 1.01)
	}
}

// height is the line's height at x, between its points along the straight line; NaN
// further than slack from the line's ends.
func (l *Line) height(x, slack float64) float64 {
	n := len(l.X)
	switch {
	case x < l.X[0]-slack || x > l.X[n-1]+slack:
		return math.NaN()
	case x <= l.X[0]:
		return l.Y[0]
	case x >= l.X[n-1]:
		return l.Y[n-1]
	}

	// x lies between points i−1 and i.
	i := 1
	for l.X[i] < x {
		i++
	}
	share := (x - l.X[i-1]) / (l.X[i] - l.X[i-1])
	return l.Y[i-1] + share*(l.Y[i]-l.Y[i-1])
}

// short writes a number with four digits at most.
// A number below 10,000 has four digits as it is, so the k begin there.
func short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if math.Abs(v) >= unit.size {
			if unit.size == 1e4 {
				unit.size = 1e3
			}
			return fmt.Sprintf("%.4g%s", v/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.4g", v)
}
