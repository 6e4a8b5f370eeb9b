package dwctool

import "etch/designs/cli"

// Placed are the forms of the controller whose clock rate etch experiment fmax
// measures: as it comes, and with all registers there are.
func Placed() []cli.Placed {
	return []cli.Placed{
		{Design: "dwc"},
		{Design: "dwc", Given: cli.Values{"pipeline.input": "true", "pipeline.layers": "true", "pipeline.counts": "2"}},
	}
}
