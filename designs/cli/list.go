package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

var listCommand = Command{
	Name: "list", Usage: "[DESIGN] [-json]", Doc: "lists the designs, or a design's parameters with what is allowed",
	Examples: []string{"list uart", "list -json"},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("list", out)
		asJSON := f.Bool("json", false, "print one JSON array")
		names, err := f.rest(args)
		if err != nil {
			return err
		}
		if len(names) > 1 {
			return usagef("what is %q?", names[1])
		}

		designs := app.Designs
		if len(names) == 1 {
			d, err := app.Design(names[0])
			if err != nil {
				return err
			}
			designs = []Design{d}
		}
		switch {
		case *asJSON:
			return JSON(out.Out, listed(designs))
		case len(names) == 1:
			return designs[0].list(out.Out)
		}
		w := tabwriter.NewWriter(out.Out, 0, 8, 2, ' ', 0)
		for _, d := range designs {
			fmt.Fprintf(w, "%s\t%s\n", d.Name, d.Doc)
		}
		return w.Flush()
	},
}

// list prints a design with a line for each parameter: its default, its
// allowed values, its text.
func (d Design) list(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s\n", d.Name, d.Doc)
	return listParams(out, d.Params)
}

func listParams(out io.Writer, params []Param) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, p := range params {
		fmt.Fprintf(w, "  -p %s=%s\t%s\t%s\n", p.Name, p.Default, p.Allowed(), p.Doc)
	}
	return w.Flush()
}

// Allowed is which values a parameter takes: its range, its words, or else its
// type.
func (p Param) Allowed() string {
	switch text := p.limits.String(); {
	case text != "":
		return text
	case p.Type == "bool":
		return "true or false"
	}
	return p.Type
}

type listedDesign struct {
	Name   string  `json:"name"`
	Doc    string  `json:"doc"`
	Params []Param `json:"params"`
}

func listed(designs []Design) []listedDesign {
	out := []listedDesign{}
	for _, d := range designs {
		out = append(out, listedDesign{d.Name, d.Doc, append([]Param{}, d.Params...)})
	}
	return out
}
