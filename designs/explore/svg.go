package explore

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Size of a picture and of the frame in it.
const (
	pictureWidth, pictureHeight = 720, 440
	left, right, top, bottom    = 80, 700, 40, 380
)

// SVG draws the first two axes: all candidates as points, the front joined and with the
// swept values beside its points. It is nil where no candidate has both numbers.
func (o *Outcome) SVG() []byte {
	others, best := o.dots()
	if len(others)+len(best) == 0 {
		return nil
	}
	x, y := o.Axes[0].Name, o.Axes[1].Name

	// The front goes on top, joined from left to right.
	s := newScatter(o.Design, x, y, append(slices.Clone(others), best...))
	for _, d := range others {
		s.circle(d, "#999999", 3)
	}
	s.line(best, "#0072b2")
	for _, d := range best {
		s.circle(d, "#0072b2", 4)
		s.text(s.px(d.x)+7, s.py(d.y)-5, "start", 10, d.label)
	}
	return s.end()
}

// dots are the points of the candidates that have the first two axes: those of the front,
// by their first axis, and the others.
func (o *Outcome) dots() (others, best []dot) {
	if len(o.Axes) < 2 {
		return nil, nil
	}
	for _, r := range o.Rows {
		x, ok1 := r.Results[o.Axes[0].Name]
		y, ok2 := r.Results[o.Axes[1].Name]

		// Spared and failed candidates may have one number of the two.
		switch d := (dot{x, y, o.label(r)}); {
		case !ok1 || !ok2:
		case r.Front:
			best = append(best, d)
		default:
			others = append(others, d)
		}
	}
	slices.SortStableFunc(best, func(a, b dot) int { return cmp.Compare(a.x, b.x) })
	return others, best
}

// label is the swept values of a row.
func (o *Outcome) label(r Row) string {
	var parts []string
	for _, s := range o.Sweeps {
		if len(s.Values) > 1 {
			parts = append(parts, s.Name+"="+r.Values[s.Name])
		}
	}
	return strings.Join(parts, " ")
}

// dot is a point of a picture.
type dot struct {
	x, y  float64
	label string
}

// scatter is a picture being drawn. designs/plot is not used: it would bring
// gonum into every program that has the command.
type scatter struct {
	bytes.Buffer
	x0, x1, y0, y1 float64
}

// newScatter draws frame, ticks and names around points.
func newScatter(title, x, y string, dots []dot) *scatter {
	s := &scatter{}
	s.x0, s.x1, s.y0, s.y1 = limits(dots)

	// White ground, since viewers of dark themes leave it transparent; title and names of the axes.
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %d" font-family="Liberation Sans,Arial,sans-serif">`+"\n", pictureWidth, pictureHeight, pictureHeight)
	fmt.Fprintf(s, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	s.text((left+right)/2, 24, "middle", 14, title)
	s.text((left+right)/2, bottom+42, "middle", 12, x)
	s.text(left, top-8, "middle", 12, y)

	// A line across the frame for each tick.
	for _, t := range ticks(s.x0, s.x1) {
		fmt.Fprintf(s, `<path d="M%.1f %d V%d" stroke="#e1e1e1"/>`+"\n", s.px(t), top, bottom)
		s.text(s.px(t), bottom+18, "middle", 11, Number(t))
	}
	for _, t := range ticks(s.y0, s.y1) {
		fmt.Fprintf(s, `<path d="M%d %.1f H%d" stroke="#e1e1e1"/>`+"\n", left, s.py(t), right)
		s.text(left-8, s.py(t)+4, "end", 11, Number(t))
	}
	return s
}

// limits are the ranges of the two axes around points, with a margin.
func limits(dots []dot) (x0, x1, y0, y1 float64) {
	x0, x1, y0, y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, d := range dots {
		x0, x1 = min(x0, d.x), max(x1, d.x)
		y0, y1 = min(y0, d.y), max(y1, d.y)
	}

	x0, x1 = wider(x0, x1)
	y0, y1 = wider(y0, y1)
	return x0, x1, y0, y1
}

// wider adds a margin to a range, which may be a single number.
func wider(lo, hi float64) (float64, float64) {
	by := (hi - lo) * 0.08
	if by == 0 {
		by = max(math.Abs(lo)*0.1, 1e-9)
	}
	return lo - by, hi + by
}

// ticks are round numbers in a range, four to ten of them.
func ticks(lo, hi float64) (at []float64) {
	unit := math.Pow(10, math.Floor(math.Log10(hi-lo)))
	for _, f := range []float64{0.1, 0.2, 0.5, 1, 2, 5} {
		if step := unit * f; (hi-lo)/step <= 9 {
			for i := math.Ceil(lo / step); i*step <= hi; i++ {
				// As decimal text and back: 3·0.1 is to print as 0.3.
				var x float64
				fmt.Sscanf(fmt.Sprintf("%.12g", i*step), "%g", &x)
				at = append(at, x)
			}
			return at
		}
	}

	return nil
}

func (s *scatter) px(x float64) float64 { return left + (x-s.x0)/(s.x1-s.x0)*(right-left) }
func (s *scatter) py(y float64) float64 { return bottom - (y-s.y0)/(s.y1-s.y0)*(bottom-top) }

func (s *scatter) circle(d dot, colour string, r int) {
	fmt.Fprintf(s, `<circle cx="%.1f" cy="%.1f" r="%d" fill="%s"><title>`, s.px(d.x), s.py(d.y), r, colour)
	xml.EscapeText(s, []byte(d.label))
	s.WriteString("</title></circle>\n")
}

// line joins points.
func (s *scatter) line(dots []dot, colour string) {
	if len(dots) < 2 {
		return
	}

	// M moves to the first point, L draws to each of the others.
	s.WriteString(`<path d="`)
	for i, d := range dots {
		fmt.Fprintf(s, "%c%.1f %.1f ", "ML"[min(i, 1)], s.px(d.x), s.py(d.y))
	}
	fmt.Fprintf(s, `" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", colour)
}

func (s *scatter) text(x, y float64, anchor string, size int, text string) {
	fmt.Fprintf(s, `<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s">`, x, y, size, anchor)
	xml.EscapeText(s, []byte(text))
	s.WriteString("</text>\n")
}

// end completes the picture.
func (s *scatter) end() []byte {
	s.WriteString("</svg>\n")
	return s.Bytes()
}
