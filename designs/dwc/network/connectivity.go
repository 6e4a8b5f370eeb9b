package network

import "etch/designs/dwc/model"

// Connectivity counts the pins of the first layer by the kind of signal that they read (the
// paper's figures 6, 7 and 12).
type Connectivity struct {
	ByDim       []int // per observation dimension
	ByThreshold []int // per threshold index 0..B-1, over all dimensions
	Pins        int   // all of them
}

// Connectivity counts the pins of n's first layer.
func (n *Network) Connectivity() Connectivity {
	b := n.Model.B()
	c := Connectivity{ByDim: make([]int, len(n.Model.Obs)), ByThreshold: make([]int, b)}

	// The number of an encoder bit is Dim·B + k.
	for _, l := range n.Layers[0] {
		for _, p := range l.Pins {
			bit := n.Comparators[p].Bit
			c.ByDim[bit/b]++
			c.ByThreshold[bit%b]++
			c.Pins++
		}
	}
	return c
}

// ConnectivityOf is the connectivity of a trained model before and after the
// tables that nothing reads are removed; nothing else is reduced.
func ConnectivityOf(f *model.Folded) (before, after Connectivity) {
	n := Of(f)
	live, _ := n.Reduce(Options{Dead: true})
	return n.Connectivity(), live.Connectivity()
}
