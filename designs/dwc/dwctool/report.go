package dwctool

import (
	"fmt"
	"io"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc/network"
)

// Report is the controller's own part of etch report.
type Report struct {
	Head            string               `json:"head"`
	Latency         int                  `json:"latency"`
	Comparators     int                  `json:"comparators"`
	ComparatorsFull int                  `json:"comparators_whole"`
	Luts            int                  `json:"luts"`
	LutsFull        int                  `json:"luts_whole"`
	Depth           int                  `json:"depth"`
	DepthFull       int                  `json:"depth_whole"`
	Reductions      network.Counts       `json:"reductions"`
	Connectivity    network.Connectivity `json:"connectivity"`
	Live            network.Connectivity `json:"connectivity_live"`
}

func report(c *circuit, w io.Writer, dir string) (*Report, error) {
	f, err := c.model.Fold()
	if err != nil {
		return nil, err
	}

	// Each figure stands beside that of the network without reductions.
	whole := network.Of(f)
	net := c.net.Network()
	r := &Report{
		Head: c.head, Latency: c.latency(), Reductions: c.net.Counts(),
		Comparators: net.Comparisons(), ComparatorsFull: whole.Comparisons(),
		Luts: net.Luts(), LutsFull: whole.Luts(), Depth: net.Depth(), DepthFull: whole.Depth(),
	}
	r.Connectivity, r.Live = network.ConnectivityOf(f)

	// The text first: without a folder for pictures it is all.
	fmt.Fprintf(w, "\nhead %s, latency %d cycles, initiation interval 1\n", r.Head, r.Latency)
	fmt.Fprintf(w, "comparators %d of %d, tables %d of %d, depth %d of %d two-input levels (estimate)\n",
		r.Comparators, r.ComparatorsFull, r.Luts, r.LutsFull, r.Depth, r.DepthFull)
	reductions(w, r.Reductions)
	r.printConnectivity(w, c)
	if dir == "" {
		return r, nil
	}

	files := []cli.File{
		{Name: "connectivity-dims.svg", Data: bars("pins of the first layer per observation dimension", c.dimNames(), r.Connectivity.ByDim, r.Live.ByDim)},
		{Name: "connectivity-thresholds.svg", Data: bars("pins of the first layer per threshold index", nil, r.Connectivity.ByThreshold, r.Live.ByThreshold)},
	}
	if err := cli.WriteFiles(dir, files...); err != nil {
		return nil, err
	}
	for _, f := range files {
		fmt.Fprintf(w, "wrote %s/%s\n", dir, f.Name)
	}
	return r, nil
}

func (c *circuit) dimNames() []string {
	var names []string
	for i, d := range c.model.Obs {
		if d.Name == "" {
			d.Name = fmt.Sprintf("obs_%d", i)
		}
		names = append(names, d.Name)
	}
	return names
}

func (r *Report) printConnectivity(w io.Writer, c *circuit) {
	fmt.Fprintf(w, "connectivity of the first layer: %d pins, %d of them on tables that are read\n", r.Connectivity.Pins, r.Live.Pins)
	for d, name := range c.dimNames() {
		all, live := r.Connectivity.ByDim[d], r.Live.ByDim[d]
		// The bar has a mark for each 2 %.
		fmt.Fprintf(w, "  %-12s %6d %5.1f%%  live %6d %5.1f%%  %s\n", name, all, percent(all, r.Connectivity.Pins), live, percent(live, r.Live.Pins),
			strings.Repeat("#", int(percent(live, r.Live.Pins)/2)))
	}
	fmt.Fprintf(w, "per threshold index (all/live):")
	for k := range r.Connectivity.ByThreshold {
		if k%8 == 0 {
			fmt.Fprintf(w, "\n  %3d:", k)
		}
		fmt.Fprintf(w, " %5d/%-5d", r.Connectivity.ByThreshold[k], r.Live.ByThreshold[k])
	}
	fmt.Fprintln(w)
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
