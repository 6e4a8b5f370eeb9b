package testbench

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

// Rows of the explanation of a failed check: of most, and with -v. ETCH_WHY in the environment
// sets another number, 0 none.
const (
	whyRows     = 10
	whyMoreRows = 40
)

// mostWhys is the number of failed checks of a bench that are explained: the later ones mostly
// follow from the first.
const mostWhys = 3

// why logs the reasons for the present value of a signal, below a failed check.
func (b *Bench) why(sig sim.Signal) {
	b.t.Helper()
	b.whyAt(sig, b.Sim.Cycles())
}

// whyAt logs the reasons for the value of a signal at a cycle.
func (b *Bench) whyAt(sig sim.Signal, cycle uint64) {
	b.t.Helper()
	rows := whyRows
	if testing.Verbose() {
		rows = whyMoreRows
	}
	if n, err := strconv.Atoi(os.Getenv("ETCH_WHY")); err == nil {
		rows = n
	}

	// The output of an example is fixed, and a test explains only its first few differences.
	if _, example := b.t.(*exampleTB); example || rows <= 0 || b.whys >= mostWhys || !sig.Valid() {
		return
	}

	b.whys++
	text, err := b.reasons(sig, cycle, rows)
	switch {
	case err != nil:
		b.t.Logf("there is no explanation: %v", err)
	case text != "":
		b.t.Log(text)
	}
}

// reasons explains the value of a signal at a cycle by a replay of all that was done so far; "" if
// the bench is not recorded.
func (b *Bench) reasons(sig sim.Signal, cycle uint64, rows int) (string, error) {
	rec := b.Sim.Recorded()
	if rec == nil {
		return "", nil
	}
	run, err := replay.Of(rec)
	if err != nil {
		return "", err
	}

	// The replay's simulator has handles of its own.
	scope, id := sig.Node()
	again, err := run.Sim().NodeOf(scope.Path(), id)
	if err != nil {
		return "", err
	}

	e := why.New(run)
	c, err := e.Explain(again, cycle, rows)
	if err != nil {
		return "", err
	}

	// A signal without a name is an expression.
	name := sig.Name()
	if c.Signal == "" {
		name = "the condition"
	}
	return fmt.Sprintf("why is %s %s in cycle %d?\n%s", name, c.Value, cycle, e.Text()), nil
}

// whyFailed explains a failed assertion, whose statement is found by its line.
func (b *Bench) whyFailed(f sim.Failure) {
	b.t.Helper()
	for _, s := range b.scopes() {
		if s.Path() != f.Instance {
			continue
		}

		m := s.Module()
		for i := range m.Stmts {
			st := &m.Stmts[i]
			if st.Kind != f.Kind || st.Name != f.Name || m.Src.At(st.Pos) != f.At || st.Cond == ir.None {
				continue
			}
			if sig, err := b.Sim.NodeOf(f.Instance, st.Cond); err == nil {
				b.whyAt(sig, f.Cycle)
			}
			return
		}
	}
}

// scopes lists all instances, the top first.
func (b *Bench) scopes() []sim.Scope {
	all := []sim.Scope{b.Sim.Root()}
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].Children()...)
	}
	return all
}
