package dwctool

import (
	"bytes"
	"fmt"
	"math"
)

// curve is a line of a plot, with a band around it if low is there.
type curve struct {
	name, colour string
	y, low, high []float64
}

// noisePlot is mean return over noise, as figure 4 of the paper has it.
func noisePlot(e *noiseExperiment, rows []NoiseRow) []byte {
	var x []float64
	circuit := curve{name: "circuit (band: 5 to 95 % of rollouts)", colour: "#36c"}
	float := curve{name: "float policy", colour: "#c63"}
	reference := curve{name: "value iteration", colour: "#484"}
	perceptron := curve{name: "perceptron that imitates it, float", colour: "#a3a"}
	quantised := curve{name: "the same of 8 bits", colour: "#999"}
	for _, r := range rows {
		x = append(x, r.Noise)
		perceptron.y = append(perceptron.y, r.Perceptron.Mean)
		quantised.y = append(quantised.y, r.Quantised.Mean)
		circuit.y = append(circuit.y, r.Circuit.Mean)
		circuit.low, circuit.high = append(circuit.low, r.Circuit.Low), append(circuit.high, r.Circuit.High)
		float.y = append(float.y, r.Float.Mean)
		reference.y = append(reference.y, r.Reference.Mean)
	}

	title := fmt.Sprintf("%s: mean return of %d rollouts", e.model.Name, len(e.starts))
	return linePlot(title, "standard deviation of the noise on the normalised observation", x, circuit, reference, float, perceptron, quantised)
}

// linePlot draws curves over x.
func linePlot(title, axis string, x []float64, curves ...curve) []byte {
	const width, height, left, top = 640, 320, 60, 40

	// The vertical axis takes in all lines and bands.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, ys := range [][]float64{c.y, c.low, c.high} {
			for _, y := range ys {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}

	// It ends at whole ticks, at least one apart.
	unit := tickUnit(hi - lo)
	lo, hi = math.Floor(lo/unit)*unit, math.Ceil(hi/unit)*unit
	hi = max(hi, lo+unit)

	// The horizontal axis begins at 0. A single level of 0 must not be divided by.
	right := max(x[len(x)-1], 1e-9)
	px := func(v float64) float64 { return left + v/right*width }
	py := func(v float64) float64 { return top + (hi-v)/(hi-lo)*height }

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", left+width+20, top+height+50)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="20">%s</text>`+"\n", left, escape(title))

	for k := range int(math.Round((hi-lo)/unit)) + 1 {
		v := lo + float64(k)*unit
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", left, left+width, py(v), py(v), left-6, py(v)+4, v)
	}

	// A label takes 28 pixels; the last one is always written.
	for i, v := range x {
		if i > 0 && px(v)-px(x[i-1]) < 28 && i < len(x)-1 {
			continue
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%g</text>`+"\n", px(v), top+height+16, v)
	}

	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+width/2, top+height+36, escape(axis))
	for i, c := range curves {
		c.draw(&b, x, px, py)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+12, top+height-12-16*i, c.colour, escape(c.name))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (c curve) draw(b *bytes.Buffer, x []float64, px, py func(float64) float64) {
	// The band's outline: along the lower limits, and back along the upper ones.
	if c.low != nil {
		fmt.Fprintf(b, `<polygon fill="%s" fill-opacity="0.15" points="`, c.colour)
		for i, v := range x {
			fmt.Fprintf(b, "%.1f,%.1f ", px(v), py(c.low[i]))
		}
		for i := len(x) - 1; i >= 0; i-- {
			fmt.Fprintf(b, "%.1f,%.1f ", px(x[i]), py(c.high[i]))
		}
		b.WriteString("\"/>\n")
	}

	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, c.colour)
	for i, v := range x {
		fmt.Fprintf(b, "%.1f,%.1f ", px(v), py(c.y[i]))
	}
	b.WriteString("\"/>\n")
}

// tickUnit is a round distance between at most about eight ticks over span.
func tickUnit(span float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(max(span, 1e-9))))

	// The largest unit of which the span holds four.
	for _, f := range []float64{5, 2.5, 2, 1, .5, .25, .2, .1} {
		if span/(unit*f) >= 4 {
			return unit * f
		}
	}
	return unit
}
