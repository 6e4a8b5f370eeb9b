// Package vcdtext parses value change dumps, for tests: the output of package vcd, and that of
// fst2vcd for an FST file. It accepts only the form that these writers use.
//
// The package imports the standard library only; only tests import it.
package vcdtext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Dump is a parsed file.
type Dump struct {
	Scale    string
	Vars     map[string]*Var // by full name without the top scope's
	Order    []string        // keys of Vars as declared
	Times    []uint64
	Comments []string
}

// Var is a variable and its changes.
type Var struct {
	Kind, ID string
	Width    int
	Range    string   // as in "[7:0]", or ""
	Attrs    []string // the attributes of GTKWave's extension before it
	Changes  []Change
}

// Change is a value from a time on, in binary without leading zeros, or a text.
type Change struct {
	Time  uint64
	Value string
}

// At returns the value at the end of a time, "" before the first.
func (v *Var) At(time uint64) string {
	value := ""
	for _, c := range v.Changes {
		if c.Time > time {
			break
		}
		value = c.Value
	}
	return value
}

// Settled returns the changes that an observer sees: the last change of each time, and no value
// twice in a row.
func (v *Var) Settled() []Change {
	var all []Change
	for _, c := range v.Changes {
		// A later change in one time replaces the earlier one.
		if n := len(all); n > 0 && all[n-1].Time == c.Time {
			all = all[:n-1]
		}

		// Back at the value of the time before, the variable has not changed.
		if n := len(all); n == 0 || all[n-1].Value != c.Value {
			all = append(all, c)
		}
	}
	return all
}

// reader parses the words of a file.
type reader struct {
	*Dump
	words  []string
	scopes []string
	attrs  []string
	byID   map[string][]*Var
	now    uint64
}

// Parse parses a file.
func Parse(text string) (*Dump, error) {
	r := &reader{Dump: &Dump{Vars: map[string]*Var{}}, words: strings.Fields(text), byID: map[string][]*Var{}}
	for len(r.words) > 0 {
		if err := r.item(); err != nil {
			return nil, err
		}
	}
	if len(r.scopes) > 0 {
		return nil, fmt.Errorf("open scopes %v", r.scopes)
	}
	return r.Dump, nil
}

// next returns the next word, and $end at the end of the text, for loops to end.
func (r *reader) next() string {
	if len(r.words) == 0 {
		return "$end"
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

// end returns the words up to $end.
func (r *reader) end() (args []string) {
	for w := r.next(); w != "$end"; w = r.next() {
		args = append(args, w)
	}
	return args
}

// item parses a command or a change of a value.
func (r *reader) item() error {
	// Commands end with $end, which end reads up to; everything else changes a value.
	switch w := r.next(); w {
	case "$timescale":
		r.Scale = strings.Join(r.end(), "")
	case "$comment":
		r.Comments = append(r.Comments, strings.Join(r.end(), " "))
	case "$date", "$version", "$enddefinitions":
		r.end()
	case "$attrbegin":
		r.attrs = append(r.attrs, strings.Join(r.end(), " "))
	case "$scope":
		r.scopes = append(r.scopes, r.end()[1])
	case "$upscope":
		r.end()
		r.scopes = r.scopes[:len(r.scopes)-1]

	case "$var":
		return r.variable(r.end())
	case "$dumpvars", "$end":
	default:
		return r.change(w)
	}
	return nil
}

// variable parses a declaration: kind, width, identifier, name, and perhaps a range.
func (r *reader) variable(a []string) error {
	if len(a) < 4 || len(r.scopes) == 0 {
		return fmt.Errorf("variable %q in %v", a, r.scopes)
	}
	width, err := strconv.Atoi(a[1])
	if err != nil {
		return err
	}

	// The top scope's name is left out: it differs between the writers.
	name := strings.Join(append(slices.Clone(r.scopes[1:]), a[3]), ".")
	if r.Vars[name] != nil {
		return fmt.Errorf("second variable %s", name)
	}
	v := &Var{Kind: a[0], ID: a[2], Width: width, Range: strings.Join(a[4:], " "), Attrs: r.attrs}
	r.attrs = nil
	r.Vars[name], r.Order = v, append(r.Order, name)
	r.byID[v.ID] = append(r.byID[v.ID], v)
	return nil
}

// change parses a time or a value.
func (r *reader) change(w string) error {
	value, id := w[:1], w[1:]
	switch w[0] {
	case '#':
		t, err := strconv.ParseUint(w[1:], 10, 64)
		if err != nil || len(r.Times) > 0 && t <= r.now {
			return fmt.Errorf("time %s after %d", w, r.now)
		}
		r.now, r.Times = t, append(r.Times, t)
		return nil

	// Leading zeros are dropped, since writers differ in them; the last digit stays.
	case 'b':
		value, id = strings.TrimLeft(w[1:len(w)-1], "0")+w[len(w)-1:], r.next()
	case 's':
		value, id = w[1:], r.next()
	case '0', '1':
	default:
		return fmt.Errorf("no value: %q", w)
	}

	// All variables of an identifier change.
	if r.byID[id] == nil {
		return fmt.Errorf("unknown identifier %q", id)
	}

	// A string may have any letters; other values are binary, without x and z.
	if strings.Trim(value, "01") != "" && w[0] != 's' {
		return fmt.Errorf("no number: %q", w)
	}

	for _, v := range r.byID[id] {
		v.Changes = append(v.Changes, Change{r.now, value})
	}
	return nil
}
