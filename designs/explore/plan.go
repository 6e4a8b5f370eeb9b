package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"etch/ir"
)

// Candidate is a configuration that is valid.
type Candidate struct {
	Values map[string]string
	Net    *ir.Design // nil where Plan.Build makes none
}

// values are a candidate's values as text, in order of their names.
func (c Candidate) values() string {
	text := ""
	for _, name := range sortedKeys(c.Values) {
		text += fmt.Sprintf("%q=%q\n", name, c.Values[name])
	}
	return text
}

// Measure gives numbers for a candidate.
type Measure struct {
	Name string // "yosys:xc7a35t"
	// As is the name in the journal, "" for Name: measures that differ only in Fits
	// share results.
	As string
	// Tool is the program with its version and the settings that the numbers depend
	// on: results of another tool are not reused.
	Tool string
	// Cost orders the measures: those of cost 0 come with building, dearer ones later
	// and not for candidates that are beaten.
	Cost int
	// Results are the names of the numbers, nil where only a run tells.
	Results []string
	// ByValues says that the numbers depend on the values too, and not on the netlist
	// alone.
	ByValues bool
	// Run measures. Its error is kept as the candidate's result, which is then not measured again,
	// unless the context has ended or the error wraps [ErrPassing].
	Run func(ctx context.Context, c Candidate) (map[string]float64, error)
	// Spec is the data from which another process makes the measure, for the [Pool] that has
	// it taken elsewhere. nil: it is always taken here.
	Spec json.RawMessage
	// Fits, if there is one, gives the reason for which results make a candidate unusable, "" where
	// they do not.
	Fits func(results map[string]float64) string
}

// ErrPassing marks failures of the machine, not of a candidate: they are reported and
// not kept.
var ErrPassing = errors.New("try again")

// Dear is the least cost of measures that are spared for beaten candidates.
const Dear = 1

// Plan is an exploration.
type Plan struct {
	Design string
	Sweeps []Sweep
	Fixed  map[string]string
	Build  func(values map[string]string) (*ir.Design, error) // refuses invalid values
	// Text is a netlist as the measures' tools read it. Netlists of equal text are
	// measured once. nil: only values tell candidates apart.
	Text     func(net *ir.Design) ([]byte, error)
	Measures []Measure
	Axes     []Axis
	// Margin is the factor by which one candidate must beat another in all results
	// to spare it dear measures; 0 measures all.
	Margin  float64
	Workers int // 0: one a processor
	// Pool takes the dear measures that have a Spec. nil: this process does.
	Pool  Pool
	Retry bool // measure failed candidates again
	Meter *Meter
}

// Axis is a number that should be small, or large.
type Axis struct {
	Name    string `json:"name"`
	Largest bool   `json:"largest"` // the goal
}

// larger are names of numbers that should be large.
func larger(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name == "mhz" || strings.HasSuffix(name, "_per_s") || strings.HasSuffix(name, "_rate")
}

// ParseAxes reads a list of names, each with min: or max: in front where its goal is
// not the usual one: more of mhz, of names that end in _per_s or _rate, less of others.
func ParseAxes(text string) (axes []Axis, err error) {
	if text == "" {
		return nil, nil
	}
	for _, item := range strings.Split(text, ",") {
		a := Axis{Name: strings.TrimSpace(item)}

		// The goal: as spelled, else by the name's ending.
		if name, is := strings.CutPrefix(a.Name, "max:"); is {
			a.Name, a.Largest = name, true
		} else if name, is := strings.CutPrefix(a.Name, "min:"); is {
			a.Name = name
		} else {
			a.Largest = larger(a.Name)
		}

		// The same axis twice would change nothing: it is a slip.
		if a.Name == "" {
			return nil, fmt.Errorf("%q has an empty axis", text)
		}
		if slices.ContainsFunc(axes, func(b Axis) bool { return b.Name == a.Name }) {
			return nil, fmt.Errorf("axis %s is given twice", a.Name)
		}
		axes = append(axes, a)
	}
	return axes, nil
}

// check reports mistakes that are none of a candidate, before anything runs.
func (p *Plan) check() error {
	switch {
	case len(p.Measures) == 0:
		return errors.New("no measure")
	case len(p.Sweeps) == 0:
		return errors.New("no sweep")
	case p.Margin != 0 && !(p.Margin >= 1 && p.Margin <= 1e6):
		return fmt.Errorf("a margin of %v: want 0, or 1 to 1e6", p.Margin)
	case p.Workers < 0 || p.Workers > 4096:
		return fmt.Errorf("%d workers: want 1 to 4096, or 0 for one a processor", p.Workers)
	}

	for i, m := range p.Measures {
		if slices.ContainsFunc(p.Measures[:i], func(o Measure) bool { return o.Name == m.Name }) {
			return fmt.Errorf("measure %s is given twice", m.Name)
		}
	}

	// Where all names are known, a wrong axis need not wait for the results.
	var known []string
	for _, m := range p.Measures {
		if m.Results == nil {
			return nil
		}
		known = append(known, m.Results...)
	}
	for _, a := range p.Axes {
		plain := a.Name[strings.LastIndexByte(a.Name, '.')+1:]
		if !slices.Contains(known, plain) {
			return fmt.Errorf("no measure gives %s; these give %s", a.Name, strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", "))
		}
	}
	return nil
}

func (p *Plan) workers() int {
	if p.Workers > 0 {
		return p.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// keys are the keys of a candidate's results, one a measure.
func (p *Plan) keys(c Candidate) ([]Key, error) {
	var text []byte
	if p.Text != nil {
		var err error
		if text, err = p.Text(c.Net); err != nil {
			return nil, err
		}
	}

	// Values count beside the netlist where a measure depends on them: names of files, for one.
	net := sha256.Sum256(text)
	values := sha256.Sum256(append(net[:], p.Design+"\n"+c.values()...))
	keys := make([]Key, len(p.Measures))
	for i, m := range p.Measures {
		subject := net
		if m.ByValues || p.Text == nil {
			subject = values
		}
		keys[i] = Key{cmp.Or(m.As, m.Name), m.Tool, hex.EncodeToString(subject[:16])}
	}
	return keys, nil
}
