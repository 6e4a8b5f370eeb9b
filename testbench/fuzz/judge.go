package fuzz

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"etch/testbench/tools"
)

// Verdict is what a judge says to a case. The zero Verdict: it agrees with the
// interpreter.
type Verdict struct {
	Kind    Kind
	Stage   string // the pass after which it was seen; "" elsewhere
	Text    string // one line: what is different, or the tool's message
	Skipped string // the named reason why it did not judge, "" if it did
}

// Kind is what is wrong. Shrinking keeps it.
type Kind string

// The kinds of mistake.
const (
	None    Kind = ""
	Differs Kind = "differs" // another value, or other words of a statement
	Refused Kind = "refused" // a tool does not take what was emitted, or warns
	Broken  Kind = "broken"  // etch gave an error, an invalid design, or panicked
)

// same reports whether two verdicts are about the same mistake, as far as one can
// tell: what tools and checks say is compared without its numbers and names.
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

// complaint is the part of a message that does not depend on the circuit.
func complaint(text string) string {
	return specific.ReplaceAllString(prefix.ReplaceAllString(text, ""), "")
}

// Judge compares circuits with the interpreter in one way.
type Judge struct {
	Name   string
	Doc    string
	Tools  []string // programs that it needs
	Batch  int      // circuits that it takes at once, at most
	faster string   // a judge that sees most of the same mistakes sooner; for shrinking
	// takes is the named reason for which the judge cannot look at a case, "" if
	// it can.
	takes func(c *Case) string
	// judge returns a verdict for each case. The error is of the surroundings (no
	// disk, a tool that does not run), not of a circuit.
	judge func(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error)
}

// Judges lists all judges.
func Judges() []*Judge { return judges }

// Lookup finds judges by their names, separated by commas: "interp,native". Names
// that come twice count once. The error names what is unknown and lists what there
// is.
func Lookup(names string) (list []*Judge, err error) {
	seen := map[string]bool{}
	for _, name := range strings.Split(names, ",") {
		name = strings.TrimSpace(name)
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

// Ready reports a tool that the judge needs and that is not on this machine.
func (j *Judge) Ready() error {
	for _, t := range j.Tools {
		if _, err := tools.Find(t); err != nil {
			return fmt.Errorf("judge %s: %w", j.Name, err)
		}
	}
	return nil
}

// Look lets a judge look at one case.
func (j *Judge) Look(ctx context.Context, c *Case) (Verdict, error) {
	v, err := j.LookAll(ctx, []*Case{c})
	if err != nil {
		return Verdict{}, err
	}
	return v[0], nil
}

// LookAll lets a judge look at many cases, of which tools get as many as they like
// at a time.
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

// look lets a judge look at cases, as many as it likes at a time.
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
		for k, i := range at[:n] {
			all[i] = verdicts[k]
		}
		at = at[n:]
	}
	return all, nil
}

// one makes a judge's function of one that looks at a single case inside this
// process; a panic is a verdict too.
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
