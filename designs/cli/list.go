package cli

import (
	"fmt"
	"text/tabwriter"
)

var listCommand = Command{
	Name: "list", Usage: "[-json]", Doc: "lists the designs with their parameters",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("list", out)
		asJSON := f.Bool("json", false, "print one JSON array")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *asJSON {
			return JSON(out.Out, app.listed())
		}
		w := tabwriter.NewWriter(out.Out, 0, 8, 2, ' ', 0)
		for _, d := range app.Designs {
			fmt.Fprintf(w, "%s\t%s\n", d.Name, d.Doc)
			for _, p := range d.Params {
				fmt.Fprintf(w, "\t  -p %s=%s  (%s) %s\n", p.Name, p.Default, p.Type, p.Doc)
			}
		}
		return w.Flush()
	},
}

type listedDesign struct {
	Name   string  `json:"name"`
	Doc    string  `json:"doc"`
	Params []Param `json:"params"`
}

func (a *App) listed() []listedDesign {
	out := []listedDesign{}
	for _, d := range a.Designs {
		out = append(out, listedDesign{d.Name, d.Doc, append([]Param{}, d.Params...)})
	}
	return out
}
