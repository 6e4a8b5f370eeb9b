package fuzz

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"etch/testbench/tools"
)

// Verdict is a judge's answer about a case. The zero Verdict says that it agrees with the
// interpreter.
type Verdict struct {
	Kind    Kind
	Stage   string // the pass after which it was seen; "" elsewhere
	Text    string // one line: the difference, or the tool's message
	Skipped string // the named reason why it did not judge, "" if it did
}

// Kind is a kind of mistake. Shrinking keeps it.
type Kind string

// The kinds of mistakes.
const (
	None    Kind = ""
	Differs Kind = "differs" // another value, or another output of a statement
	Refused Kind = "refused" // a tool does not take the emitted text, or warns
	Broken  Kind = "broken"  // etch gave an error, an invalid design, or panicked
)

// same reports whether two verdicts are about the same mistake, as far as can be told: messages
// are compared without numbers and names.
func (v Verdict) same(w Verdict) bool {
	if v.Kind != w.Kind || v.Stage != w.Stage {
		return false
	}
	return v.Kind == Differs || complaint(v.Text) == complaint(w.Text)
}

var (
	prefix   = regexp.MustCompile(`^.*?(?i:error|warning):`)
	specific = regexp.MustCompile("'[^']*'|`[^`]*`|\"[^\"]*\"|\\S*[0-9_]\\S*")
)

// complaint returns the part of a message that does not depend on the circuit.
func complaint(text string) string {
	return specific.ReplaceAllString(prefix.ReplaceAllString(text, ""), "")
}

// Judge compares circuits with the interpreter in one way.
type Judge struct {
	Name   string
	Doc    string
	Tools  []string // programs that it runs
	Batch  int      // most circuits in one call
	faster string   // a quicker judge that finds most of the same mistakes; for shrinking
	// takes returns the named reason for which the judge cannot follow a case, "" if it can.
	takes func(c *Case) string
	// judge returns a verdict for each case. Its error is of the surroundings (a full disk, a
	// tool that does not run), not of a circuit.
	judge func(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error)
}

// Judges is in the order of the table.
func Judges() []*Judge { return judges }

// Lookup finds judges by their names, separated by commas: "interp,native". Names that come
// twice count once. The error names an unknown judge and lists the known ones.
func Lookup(names string) (list []*Judge, err error) {
	seen := map[string]bool{}
	for _, name := range strings.Split(names, ",") {
		name = strings.TrimSpace(name)

		// An unknown name ends all: a run with fewer judges than asked would look clean.
		j := find(name)
		if j == nil {
			return nil, fmt.Errorf("there is no judge %q; judges are %s", name, strings.Join(judgeNames(), ", "))
		}
		if !seen[name] {
			seen[name] = true
			list = append(list, j)
		}
	}
	return list, nil
}

// find returns the judge of a name, nil if there is none.
func find(name string) *Judge {
	for _, j := range judges {
		if j.Name == name {
			return j
		}
	}
	return nil
}

func judgeNames() (names []string) {
	for _, j := range judges {
		names = append(names, j.Name)
	}
	return names
}

// Ready returns an error if a tool of the judge is missing on this machine.
func (j *Judge) Ready() error {
	for _, t := range j.Tools {
		if _, err := tools.Find(t); err != nil {
			return fmt.Errorf("judge %s: %w", j.Name, err)
		}
	}
	return nil
}

// Look asks a judge about one case.
func (j *Judge) Look(ctx context.Context, c *Case) (Verdict, error) {
	v, err := j.LookAll(ctx, []*Case{c})
	if err != nil {
		return Verdict{}, err
	}
	return v[0], nil
}

// LookAll asks a judge about many cases; tools get them in batches.
func (j *Judge) LookAll(ctx context.Context, cases []*Case) ([]Verdict, error) {
	if err := j.Ready(); err != nil {
		return nil, err
	}
	w, err := newWorkshop()
	if err != nil {
		return nil, err
	}
	defer w.close()
	return j.look(ctx, w, cases)
}

// look asks a judge about cases: it sorts out the cases that the judge skips, and hands over the
// others in batches of the judge's size.
func (j *Judge) look(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	all := make([]Verdict, len(cases))
	var at []int
	for i, c := range cases {
		if reason := j.takes(c); reason != "" {
			all[i].Skipped = reason
		} else {
			at = append(at, i)
		}
	}

	// Judge the rest in batches.
	for len(at) > 0 {
		n := min(len(at), j.Batch)
		var batch []*Case
		for _, i := range at[:n] {
			batch = append(batch, cases[i])
		}
		verdicts, err := j.judge(ctx, w, batch)
		if err != nil {
			return nil, fmt.Errorf("judge %s: %w", j.Name, err)
		}

		// Verdicts come in the order of the batch; at finds their cases.
		for k, i := range at[:n] {
			all[i] = verdicts[k]
		}
		at = at[n:]
	}
	return all, nil
}

// one makes a judge's function of a function for a single case inside this process. A panic
// becomes a verdict.
func one(f func(c *Case) Verdict) func(context.Context, *workshop, []*Case) ([]Verdict, error) {
	guarded := func(c *Case) (v Verdict) {
		defer func() {
			if p := recover(); p != nil {
				v = Verdict{Kind: Broken, Text: fmt.Sprint("panic: ", p)}
			}
		}()
		return f(c)
	}
	return func(ctx context.Context, _ *workshop, cases []*Case) ([]Verdict, error) {
		all := make([]Verdict, len(cases))

		// A campaign that ends is told between two circuits: one circuit is short.
		for i, c := range cases {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			all[i] = guarded(c)
		}
		return all, nil
	}
}

func anything(*Case) string { return "" }
