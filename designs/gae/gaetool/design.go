package gaetool

import (
	"etch/designs/cli"
	"etch/designs/gae"
	"etch/designs/gae/model"
)

// Designs are the accelerator and its parts as designs of the etch command.
func Designs() []cli.Design {
	paper := model.Paper()
	return []cli.Design{
		cli.Component("gae", "generalized advantage estimation: rows behind an AXI4-Lite port", gae.Accelerator{System: paper}),
		cli.Component("gae_element", "its processing element: a step a cycle by lookahead", gae.Element{Element: paper.Element}),
		cli.Component("gae_row", "an element with memory, bootstrap stack and restoring of values", gae.Row{System: paper}),
		cli.Component("gae_statistics", "exact mean and deviation, settled by divider and root", gae.Statistics{System: paper}),
		cli.Component("gae_welford", "the running mean and squares of the paper's equations", gae.Welford{Frac: 32}),
	}
}

// Placed are the parts whose clock rate etch experiment fmax measures.
func Placed() []cli.Placed {
	var all []cli.Placed
	for _, p := range []struct{ form, k string }{
		{"direct", "1"}, {"direct", "2"}, {"direct", "3"}, {"direct", "4"}, {"factored", "4"}, {"cslow", "2"}, {"cslow", "4"},
	} {
		all = append(all, cli.Placed{Design: "gae_element", Given: cli.Values{"form": p.form, "k": p.k}})
	}

	for _, p := range []struct{ form, k string }{{"direct", "2"}, {"direct", "3"}, {"direct", "4"}, {"cslow", "4"}} {
		all = append(all, cli.Placed{Design: "gae_element", Given: cli.Values{"form": p.form, "k": p.k, "split": "true"}})
	}
	return append(all, cli.Placed{Design: "gae_row"}, cli.Placed{Design: "gae_row", Given: cli.Values{"k": "4", "split": "true"}},
		cli.Placed{Design: "gae_statistics"})
}
