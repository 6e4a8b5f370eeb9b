package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
)

// curves is a figure of n rising lines.
func curves(n int, bands bool) Figure {
	f := Figure{Title: "a < b & c", X: "steps", Y: "return"}
	for k := range n {
		l := Line{Name: fmt.Sprint("line ", k)}
		for i := range 40 {
			x := float64(i+1) * 2048
			y := -1200 + 1050/(1+math.Exp(-(x-40000-5000*float64(k))/6000))
			l.X, l.Y = append(l.X, x), append(l.Y, y)
			if bands {
				l.Low, l.High = append(l.Low, y-60), append(l.High, y+40)
			}
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// element is what a test reads of an SVG's.
type element struct {
	Name  string
	Attrs map[string]string
	Text  string
}

func parse(t *testing.T, svg []byte) (all []element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{Name: x.Name.Local, Attrs: map[string]string{}}
			for _, a := range x.Attr {
				e.Attrs[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if len(all) > 0 {
				all[len(all)-1].Text += strings.TrimSpace(string(x))
			}
		}
	}
}

var point = regexp.MustCompile(`[ML]([-0-9.e]+),([-0-9.e]+)`)

// path returns the points of the SVG's paths that are drawn in a colour.
func path(t *testing.T, svg []byte, colour string) (paths [][][2]float64) {
	t.Helper()
	for _, e := range parse(t, svg) {
		if e.Name != "path" || !strings.Contains(e.Attrs["style"], colour) {
			continue
		}
		var p [][2]float64
		for _, m := range point.FindAllStringSubmatch(e.Attrs["d"], -1) {
			var x, y float64
			fmt.Sscan(m[1], &x)
			fmt.Sscan(m[2], &y)
			p = append(p, [2]float64{x, y})
		}
		paths = append(paths, p)
	}
	return paths
}

// The line in the picture is the data's, scaled: its points are those of the data but
// for one factor and one shift in each direction.
func TestSVGDrawsTheData(t *testing.T) {
	f := curves(1, false)
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	paths := path(t, svg, "stroke:#0072B2")
	if len(paths) != 2 { // the line and its sample in the legend
		t.Fatalf("%d paths in the first colour", len(paths))
	}
	got, l := paths[0], f.Lines[0]
	if len(got) < len(paths[1]) {
		got = paths[1]
	}
	if len(got) != len(l.X) {
		t.Fatalf("the line has %d points, want %d", len(got), len(l.X))
	}
	last := len(got) - 1
	for i, p := range got {
		x := (l.X[i] - l.X[0]) / (l.X[last] - l.X[0])
		y := (l.Y[i] - l.Y[0]) / (l.Y[last] - l.Y[0])
		gx := (p[0] - got[0][0]) / (got[last][0] - got[0][0])
		gy := (p[1] - got[0][1]) / (got[last][1] - got[0][1])
		if math.Abs(x-gx) > 1e-3 || math.Abs(y-gy) > 1e-3 {
			t.Errorf("point %d is at %v, %v of the line, want %v, %v", i, gx, gy, x, y)
		}
	}
	if got[last][1] <= got[0][1] { // gonum turns the picture upside down around it
		t.Error("the line rises but is drawn falling")
	}
}

func TestSVGSaysWhatItShows(t *testing.T) {
	f := curves(3, true)
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]bool{}
	for _, e := range parse(t, svg) {
		text[e.Text] = true
	}
	for _, want := range []string{"a < b & c", "steps", "return", "line 0", "line 2", "20000", "-600"} {
		if !text[want] {
			t.Errorf("%q is not in the picture", want)
		}
	}
	// The colour is gonum's rounding of #D55E00 with its transparency.
	bands := path(t, svg, "fill:#D45D00")
	if len(bands) != 1 || len(bands[0]) < 80 {
		t.Errorf("the second line's band: %d paths", len(bands))
	}
	again, err := curves(3, true).SVG()
	if err != nil || string(again) != string(svg) {
		t.Errorf("the same figure gives another picture (%v)", err)
	}
}

func TestAxes(t *testing.T) {
	for _, f := range []Figure{
		{Lines: []Line{{X: []float64{1}, Y: []float64{5}}}},
		{LogX: true, Lines: []Line{{X: []float64{4}, Y: []float64{0}}}},
		{LogX: true, Lines: []Line{{X: []float64{1, 10, 1000}, Y: []float64{1, 2, 3}, Marks: true}}},
		{Lines: []Line{{X: []float64{0, 1e12}, Y: []float64{-1e-9, 1e-9}}}, LegendTop: true, LegendLeft: true},
		{Lines: []Line{{X: []float64{0, 1}, Y: []float64{3, 3}}, {X: []float64{5, 6, 7}, Y: []float64{3, 3, 3}}}},
		{Lines: []Line{{X: []float64{1e16, 1e16 + 2}, Y: []float64{1e16, 1e16 + 2}}}},
		{Lines: []Line{{X: []float64{-1e300, 1e300}, Y: []float64{-1e300, 1e300}}}},
		{Lines: []Line{{X: []float64{0, 5e-324}, Y: []float64{0, 5e-324}}}},
		{LogX: true, Lines: []Line{{X: []float64{1e-300, 1e300}, Y: []float64{7e15, 7e15}}}},
		curves(30, false),
	} {
		svg, err := f.SVG()
		if err != nil {
			t.Errorf("%+v: %v", f, err)
			continue
		}
		if strings.Contains(string(svg), "NaN") || len(parse(t, svg)) < 10 {
			t.Errorf("%+v: the picture is broken", f)
		}
		if text := f.Text(40, 8); strings.Contains(text, "NaN") || strings.Count(text, "┼") != 1 || strings.Count(text, "\n") < 5 {
			t.Errorf("%+v: the text is broken:\n%s", f, text)
		}
	}
}

// The rows of a plot are round numbers, at most as many as asked for, and hold all
// points.
func TestTextRows(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		rows      int
		want      string
	}{
		{-5, 5, 2, "5 0 -5"},
		{-1311, -139, 16, "-100 -200 -300 -400 -500 -600 -700 -800 -900 -1000 -1100 -1200 -1300 -1400"},
		{0.1, 0.4, 4, "0.4 0.3 0.2 0.1"},
	} {
		f := Figure{Lines: []Line{{X: []float64{0, 1}, Y: []float64{c.low, c.high}}}}
		var labels []string
		for _, line := range strings.Split(f.Text(20, c.rows), "\n") {
			if before, _, ok := strings.Cut(strings.ReplaceAll(line, "┼", "┤"), "┤"); ok {
				labels = append(labels, strings.TrimSpace(before))
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v in %d rows: %s, want %s", c.low, c.high, c.rows, got, c.want)
		}
	}
}

func TestBadFigures(t *testing.T) {
	one := []float64{1, 2}
	for want, f := range map[string]Figure{
		`plot: "" has no lines`:                                        {},
		`plot: "" : line "": 0 points have 0 heights`:                  {Lines: []Line{{}}},
		`line "a": 2 points have 1 heights`:                            {Lines: []Line{{Name: "a", X: one, Y: one[:1]}}},
		`line "a": 2 points have a band of 2 lower and 0 upper limits`: {Lines: []Line{{Name: "a", X: one, Y: one, Low: one}}},
		`line "a": 2 points have a band of 1 lower and 1 upper limits`: {Lines: []Line{{Name: "a", X: one, Y: one, Low: one[:1], High: one[:1]}}},
		`line "a": point 1 has a NaN`:                                  {Lines: []Line{{Name: "a", X: one, Y: []float64{0, math.NaN()}}}},
		`line "a": X does not ascend at point 1`:                       {Lines: []Line{{Name: "a", X: []float64{2, 2}, Y: one}}},
		`line "a": X = 0 at point 0 of a logarithmic axis`:             {LogX: true, Lines: []Line{{Name: "a", X: []float64{0, 2}, Y: one}}},
	} {
		want = strings.Replace(want, `"" :`, `"":`, 1)
		if _, err := f.SVG(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if text := f.Text(40, 8); !strings.HasSuffix(text, want+"\n") {
			t.Errorf("text %q, want the error %s", text, want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 100, "0 10 20 30 40 50 60 70 80 90 100"},
		{-1234, -130, "-1200 -1000 -800 -600 -400 -200"},
		{0.02, 0.11, "0.02 0.03 0.04 0.05 0.06 0.07 0.08 0.09 0.1 0.11"},
		{-1, 1, "-1 -0.8 -0.6 -0.4 -0.2 0 0.2 0.4 0.6 0.8 1"},
		{3, 3, "3"},
	} {
		var got []string
		for _, k := range (ticks{}).Ticks(c.low, c.high) {
			got = append(got, k.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, s, c.want)
		}
	}
}

func ExampleFigure_Text() {
	f := Figure{Title: "powers", X: "n", Y: "value", Lines: []Line{
		{Name: "n", X: []float64{0, 10}, Y: []float64{0, 10}},
		{Name: "n²/10", X: []float64{0, 2, 4, 6, 8, 10}, Y: []float64{0, 0.4, 1.6, 3.6, 6.4, 10}},
	}}
	fmt.Print(f.Text(41, 6))
	// Output:
	// powers
	// value over n
	//  10 ┤                                   ╭─***
	//   8 ┤                           ╭─────*****
	//   6 ┤                   ╭───────*******
	//   4 ┤           ╭───────╯ *******
	//   2 ┤   ╭───────***********
	//   0 ┼************
	//     └┬─────────┬─────────┬─────────┬─────────┬
	//      0        2.5        5        7.5       10
	//   ── n
	//   ** n²/10
}
