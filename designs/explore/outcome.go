package explore

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Outcome is the table of an exploration.
type Outcome struct {
	Design   string            `json:"design"`
	Fixed    map[string]string `json:"fixed,omitempty"`
	Sweeps   []Sweep           `json:"sweeps"`
	Measures []Measured        `json:"measures"`
	Columns  []string          `json:"columns"` // of numbers
	Axes     []Axis            `json:"axes,omitempty"`
	Rows     []Row             `json:"rows"`
	// Counts of this run alone: results measured by it, and passing failures.
	Fresh   int     `json:"-"`
	Passing []error `json:"-"`
}

// Measured is a measure with the tool that gave its numbers.
type Measured struct {
	Name string `json:"name"`
	Tool string `json:"tool"`
}

// Row is a candidate with its numbers.
type Row struct {
	Values  map[string]string  `json:"values"` // of the swept parameters
	Results map[string]float64 `json:"results,omitempty"`
	State   State              `json:"state"`
	Note    string             `json:"note,omitempty"` // why it is not measured
	Front   bool               `json:"front,omitempty"`
}

// State says how far a candidate came.
type State string

const (
	Done    State = "measured"
	Refused State = "refused"      // its values are invalid
	Failed  State = "failed"       // a measure failed
	Unfit   State = "does not fit" // the device
	Spared  State = "spared"       // beaten by another: no dear measures
	Open    State = "open"         // interrupted
)

// columns are the names of the numbers: plain ones, or with the measure in front where
// two measures give one name.
func (r *run) columns() (names []string, column func(measure, name string) string) {
	// Two measures by yosys for two families both give lut: their numbers need the measure in front.
	from := map[string][]string{} // name to measures, in their order
	for i := range r.rows {
		for k, key := range r.rows[i].keys {
			rec, _ := r.journal.Find(key)
			for name := range rec.Results {
				if m := r.Measures[k].Name; !slices.Contains(from[name], m) {
					from[name] = append(from[name], m)
				}
			}
		}
	}

	column = func(measure, name string) string {
		if len(from[name]) > 1 {
			return measure + "." + name
		}
		return name
	}

	// Columns stand in order of the measures, within one by name.
	for _, m := range r.Measures {
		for _, name := range sortedKeys(from) {
			if slices.Contains(from[name], m.Name) {
				names = append(names, column(m.Name, name))
			}
		}
	}

	return names, column
}

// axesExist reports an axis that no result has, when the cheap results are there: of a
// measure whose names were not known, or a name of several measures.
func (r *run) axesExist() error {
	all, _ := r.columns()

	// Dear measures have no results yet. One whose names are unknown may give any axis.
	known := slices.Clone(all)
	for _, m := range r.Measures {
		if m.Cost < Dear {
			continue
		}
		if m.Results == nil {
			return nil
		}
		for _, name := range m.Results {
			known = append(known, name, m.Name+"."+name)
		}
	}

	// Without a result so far nothing can be said: all candidates failed, or all measures are dear.
	for _, a := range r.Axes {
		if len(all) > 0 && !slices.Contains(known, a.Name) {
			return fmt.Errorf("no measure gives %s; there are %s", a.Name, strings.Join(known, ", "))
		}
	}
	return nil
}

// outcome makes the table of the journal's results.
func (r *run) outcome() (*Outcome, error) {
	o := &Outcome{Design: r.Design, Fixed: r.Fixed, Sweeps: r.Sweeps, Axes: r.Axes, Fresh: len(r.fresh), Passing: r.passing}

	// The head, then a row a candidate, in the order of the sweeps.
	for _, m := range r.Measures {
		o.Measures = append(o.Measures, Measured{m.Name, m.Tool})
	}
	names, column := r.columns()
	o.Columns = names
	for i := range r.rows {
		o.Rows = append(o.Rows, r.row(&r.rows[i], column))
	}

	// Axes that two measures give are ambiguous: the reader chooses.
	for _, a := range r.Axes {
		if len(names) > 0 && !slices.Contains(names, a.Name) {
			for _, c := range names {
				if strings.HasSuffix(c, "."+a.Name) {
					return o, fmt.Errorf("several measures give %s; name one, as %s", a.Name, c)
				}
			}
		}
	}

	o.MarkFront()
	return o, nil
}

// MarkFront marks the measured rows that no other one dominates on the axes.
func (o *Outcome) MarkFront() {
	if len(o.Axes) == 0 {
		return
	}

	// Failed, unfit and spared candidates leave a nil point, which front skips.
	points := make([]map[string]float64, len(o.Rows))
	for i, row := range o.Rows {
		if row.State == Done {
			points[i] = row.Results
		}
	}
	for _, i := range front(points, o.Axes) {
		o.Rows[i].Front = true
	}
}

// row is a candidate's line of the table.
func (r *run) row(at *row, column func(measure, name string) string) Row {
	out := Row{Values: map[string]string{}, State: Done}

	// The swept values, and a note of candidates that were never measured.
	for _, s := range r.Sweeps {
		out.Values[s.Name] = at.values[s.Name]
	}
	switch {
	case at.err != nil:
		out.State, out.Note = Refused, at.err.Error()
		return out
	case at.keys == nil:
		out.State = Open
		return out
	}

	// All measures have their say before the state is decided: a row keeps the numbers of
	// those that went well beside the error of one that did not.
	var failed, unfit []string
	missing := false
	for i, m := range r.Measures {
		rec, ok := r.journal.Find(at.keys[i])
		switch {
		case !ok:
			missing = true
			continue
		case rec.Error != "":
			failed = append(failed, m.Name+": "+rec.Error)
			continue
		}
		for name, x := range rec.Results {
			if out.Results == nil {
				out.Results = map[string]float64{}
			}
			out.Results[column(m.Name, name)] = x
		}
		if m.Fits != nil {
			if why := m.Fits(rec.Results); why != "" {
				unfit = append(unfit, why)
			}
		}
	}

	// The worst comes first. Missing results of a spared candidate are no work left.
	switch {
	case len(failed) > 0:
		out.State, out.Note = Failed, strings.Join(failed, "; ")
	case len(unfit) > 0:
		out.State, out.Note = Unfit, strings.Join(slices.Compact(unfit), "; ")
	case missing && at.spared != "":
		out.State, out.Note = Spared, at.spared
	case missing:
		out.State = Open
	}
	return out
}

// Count is the number of candidates in a state.
func (o *Outcome) Count(s State) (n int) {
	for _, r := range o.Rows {
		if r.State == s {
			n++
		}
	}
	return n
}

// Err is an error where nothing at all was measured.
func (o *Outcome) Err() error {
	if o.Count(Done)+o.Count(Spared)+o.Count(Unfit)+o.Count(Open) > 0 {
		return nil
	}
	for _, r := range o.Rows {
		if r.State == Failed {
			return fmt.Errorf("no configuration could be measured; the first: %s", r.Note)
		}
	}
	return errors.New("no configuration")
}

// Number prints a result: as short as it is exact.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// CSV has a line a candidate: the swept values, the numbers, state, front and note.
func (o *Outcome) CSV() ([]byte, error) {
	var b bytes.Buffer

	// The head has the swept names, the columns and three words for the state.
	w := csv.NewWriter(&b)
	var head []string
	for _, s := range o.Sweeps {
		head = append(head, s.Name)
	}
	w.Write(append(append(head, o.Columns...), "state", "front", "note"))

	// A note is one line here: tools have many.
	for _, r := range o.Rows {
		var line []string
		for _, s := range o.Sweeps {
			line = append(line, r.Values[s.Name])
		}
		for _, c := range o.Columns {
			text := ""
			if x, ok := r.Results[c]; ok {
				text = Number(x)
			}
			line = append(line, text)
		}
		w.Write(append(line, string(r.State), strconv.FormatBool(r.Front), strings.Join(strings.Fields(r.Note), " ")))
	}

	w.Flush()
	return b.Bytes(), w.Error()
}
