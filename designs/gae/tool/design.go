package tool

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
