// Package plot draws lines over a common axis, as an SVG picture by gonum/plot and as
// text for a terminal by asciigraph.
//
//	f := plot.Figure{
//		Title: "PPO on the pendulum", X: "steps", Y: "mean return",
//		Lines: []plot.Line{{Name: "float", X: steps, Y: returns}},
//	}
//	svg, err := f.SVG()
//	fmt.Print(f.Text(72, 16))
//
// Equal figures give equal bytes. Package plot imports no other part of etch.
package plot
