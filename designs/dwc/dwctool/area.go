package dwctool

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
)

// Area is the experiment that counts tables of classifiers beside dwn2rtl's.
var Area = cli.Command{
	Name: "dwc-area", Usage: "[-models a.json,b.json] [-shapes jsc50,…] [-o DIR] [-write] [-json]",
	Doc: "tables of classifiers, encoder, core and whole apart, plain and lut6, beside dwn2rtl's where DIR has its Verilog",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment dwc-area", out)
		files := f.String("models", "", "model `files`, comma-separated, instead of the random shapes")
		only := f.String("shapes", "", "names of random shapes, comma-separated; all without it")
		dir := f.String("o", "etch-out", "`folder`: NAME.json is written to it for testdata/dwn2rtl.py, whose Verilog is read from NAME/")
		write := f.Bool("write", false, "only write the models")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		named, err := areaModels(*files, *only)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(*dir, 0o777); err != nil {
			return err
		}

		// With -write only the models appear, for the peer to make its Verilog of them.
		var rows []AreaRow
		for _, n := range named {
			if err := n.model.WriteFile(filepath.Join(*dir, n.name+".json")); err != nil {
				return err
			}
			if *write {
				continue
			}
			row, err := areaOf(n.name, n.model, filepath.Join(*dir, n.name))
			if err != nil {
				return fmt.Errorf("%s: %w", n.name, err)
			}
			rows = append(rows, row)
			fmt.Fprintf(out.Err, "%s: plain %v, lut6 %v, dwn2rtl %v\n", n.name, &row.Plain, &row.LUT6, row.Peer)
		}

		switch {
		case *write:
			return nil
		case *asJSON:
			return cli.JSON(out.Out, map[string]any{"rows": rows})
		}
		return printArea(out.Out, rows)
	},
}

// areaPipeline has a register where dwn2rtl has one by default.
var areaPipeline = dwc.Pipeline{Encoder: true, Layers: true, Votes: true, Sums: true, Output: true}

// areaShapes are random classifiers; a dimension has b thresholds, normally
// distributed, and every layer n pins, as dwn2rtl asks for.
var areaShapes = []struct {
	name            string
	obs, b, w, n, k int
	widths          []int
}{
	{"jsc50", 16, 25, 16, 6, 5, []int{50}},
	{"jsc300", 16, 8, 14, 6, 5, []int{300, 100}},
	{"small", 4, 63, 12, 6, 2, []int{64, 64}},
	{"n4", 8, 31, 12, 4, 6, []int{128, 60}},
	{"pixels", 64, 3, 9, 6, 10, []int{120}},
	{"ant", 27, 15, 12, 6, 8, []int{256, 256}},
	{"deep", 10, 16, 10, 3, 4, []int{96, 64, 40}},
}

type namedModel struct {
	name  string
	model *model.Model
}

func areaModels(files, only string) (out []namedModel, err error) {
	// Models of others.
	if files != "" {
		for _, path := range strings.Split(files, ",") {
			m, err := model.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if m.Head.Kind != model.Argmax {
				return nil, fmt.Errorf("%s: the head is %q; dwn2rtl and this table have classifiers only", path, m.Head.Kind)
			}
			out = append(out, namedModel{strings.TrimSuffix(filepath.Base(path), ".json"), m})
		}
		return out, nil
	}

	// Random ones of the listed shapes.
	for i, s := range areaShapes {
		if only != "" && !slices.Contains(strings.Split(only, ","), s.name) {
			continue
		}
		m, err := model.Random(model.RandomSpec{Name: s.name, Obs: s.obs, Groups: s.k, Head: model.Argmax, B: s.b,
			Widths: s.widths, N: []int{s.n}, SensorBits: s.w, DACBits: 8}, 1)
		if err != nil {
			return nil, err
		}

		// Codes as thresholds are the same for dwn2rtl, which has no folding.
		r := rand.New(rand.NewPCG(uint64(i), 0x61726561))
		m.Thresholds = model.Thresholds{Kind: model.Physical}
		for d := range m.Obs {
			m.Obs[d].Scale = 1
			m.Thresholds.Rows = append(m.Thresholds.Rows, normalRow(r, s.b, s.w))
		}
		out = append(out, namedModel{s.name, m})
	}
	if len(out) == 0 {
		return nil, cli.Usagef("-shapes: none of %q is known", only)
	}
	return out, nil
}

// normalRow is b different codes, four standard deviations to the end of the
// sensor's range.
func normalRow(r *rand.Rand, b, w int) (row []float64) {
	limit := float64(model.MaxCode(w))
	for len(row) < b {
		t := float64(int(r.NormFloat64() * limit / 4))
		if t < limit && t > -limit && !slices.Contains(row, t) {
			row = append(row, t)
		}
	}
	slices.Sort(row)
	return row
}

// Parts are the tables of six inputs of a classifier's parts, each synthesised
// alone. The whole is not their sum: tables merge over the border.
type Parts struct {
	Encoder int `json:"encoder"`
	Core    int `json:"core"`
	Whole   int `json:"whole"`
}

// AreaRow is a classifier in the two forms and, where its Verilog is there, as
// dwn2rtl makes it.
type AreaRow struct {
	Name  string `json:"name"`
	Plain Parts  `json:"plain"`
	LUT6  Parts  `json:"lut6"`
	Peer  *Parts `json:"dwn2rtl,omitempty"`
}

func (p *Parts) String() string {
	if p == nil {
		return "not there"
	}
	return fmt.Sprintf("%d+%d, whole %d", p.Encoder, p.Core, p.Whole)
}

func areaOf(name string, m *model.Model, peer string) (AreaRow, error) {
	row := AreaRow{Name: name}
	net := dwc.Reduced(m)
	for _, form := range []struct {
		form dwc.Form
		to   *Parts
	}{{dwc.Plain, &row.Plain}, {dwc.LUT6, &row.LUT6}} {
		if err := countParts(form.to, net, form.form); err != nil {
			return row, err
		}
	}

	// The peer's Verilog is made by testdata/dwn2rtl.py, outside of this program.
	if _, err := os.Stat(filepath.Join(peer, "dwn_top.v")); err != nil {
		return row, nil
	}
	row.Peer = &Parts{}
	return row, countPeer(row.Peer, peer)
}

func printArea(out io.Writer, rows []AreaRow) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tables\tplain: encoder\tcore\twhole\tlut6: encoder\tcore\twhole\tdwn2rtl: encoder\tcore\twhole\tlut6/dwn2rtl\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t", r.Name, r.Plain.Encoder, r.Plain.Core, r.Plain.Whole, r.LUT6.Encoder, r.LUT6.Core, r.LUT6.Whole)
		if r.Peer == nil {
			fmt.Fprintln(w, "-\t-\t-\t-\t")
			continue
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%+.1f %%\t\n", r.Peer.Encoder, r.Peer.Core, r.Peer.Whole, 100*float64(r.LUT6.Whole)/float64(r.Peer.Whole)-100)
	}
	return w.Flush()
}
