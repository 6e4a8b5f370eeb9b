package cli

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
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

// Allowed tells in words which values a parameter takes: by its range, its list of values, its form, or
// else by its type.
func (p Param) Allowed() string {
	if text := p.limits.String(); text != "" {
		return text
	}
	if p.Form != "" || p.kind == nil {
		return p.Form
	}
	return inWords(p.kind)
}

// inWords tells which texts a type is read from.
func inWords(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a text"
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.String:
		return "any text"
	case k == reflect.Slice:
		return "several with commas between, each " + inWords(t.Elem())
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number"
	case k >= reflect.Uint:
		return fmt.Sprintf("an integer of %d bits, 0 or more", t.Bits())
	}
	return fmt.Sprintf("an integer of %d bits", t.Bits())
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
