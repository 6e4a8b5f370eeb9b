package equiv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"etch/backends/aiger"
	"etch/passes/aig"
	"etch/testbench/equiv/prover"
	"etch/testbench/tools"
)

// abc asks ABC about a system. The file has one output for all bad literals, with the
// constraints folded in, so a trace that comes back is simulated to find its bad literal.
func abc(s *aig.System, limit time.Duration, depth int) (prover.Result, error) {
	tool, err := tools.Find("berkeley-abc")
	if err != nil {
		return prover.Result{}, err
	}
	dir, err := os.MkdirTemp("", "etch-abc-*")
	if err != nil {
		return prover.Result{}, err
	}
	defer os.RemoveAll(dir)
	if err := writeMiter(filepath.Join(dir, "miter.aig"), s); err != nil {
		return prover.Result{}, err
	}

	// ABC counts whole seconds.
	seconds := max(1, int(limit.Seconds()))
	// ABC ends by itself at its limits, in whole seconds. The context is for a command that does
	// not.
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := tool.Command(ctx, "-q", "read_aiger miter.aig; "+script(s, seconds, depth)+"; print_status; write_cex -a miter.cex")
	cmd.Dir = dir
	out, err := runGroup(cmd, func() { os.RemoveAll(dir) })

	// A command that was ended has no answer, whatever it has printed.
	if ctx.Err() != nil {
		return prover.Result{Why: fmt.Sprintf("ABC was not done after %v", limit)}, nil
	}
	if err != nil {
		return prover.Result{}, fmt.Errorf("ABC: %v: %.200s", err, out)
	}

	// bmc3 has no status for a bound that it has reached.
	if depth > 0 && strings.Contains(string(out), fmt.Sprintf("No output asserted in %d frames", depth)) {
		return prover.Result{Outcome: prover.Proved, By: "ABC"}, nil
	}
	return answer(s, string(out), filepath.Join(dir, "miter.cex"), limit)
}

// script returns ABC's commands for a system: bounded model checking with a depth, a proof of
// combinational equality without latches, else property-directed reachability after a reduction
// by signal correspondence.
func script(s *aig.System, seconds, depth int) string {
	switch {
	case depth > 0:
		return fmt.Sprintf("bmc3 -F %d -T %d", depth, seconds)
	case len(s.Latches) == 0:
		return "iprove"
	}
	return fmt.Sprintf("scorr; pdr -T %d", seconds)
}

// answer reads the status in ABC's output.
func answer(s *aig.System, said, cex string, limit time.Duration) (prover.Result, error) {
	switch {
	case strings.Contains(said, "Status = 1"):
		return prover.Result{Outcome: prover.Proved, By: "ABC"}, nil
	case !strings.Contains(said, "Status = 0"):
		return prover.Result{Why: fmt.Sprintf("ABC did not decide within %v", limit)}, nil
	}

	// The status is 0: there is a counterexample.
	text, err := os.ReadFile(cex)
	if err != nil {
		return prover.Result{}, fmt.Errorf("ABC gives no counterexample: %.200s", said)
	}
	t, err := traceOf(s, string(text))
	if err != nil {
		return prover.Result{}, err
	}
	return prover.Result{Outcome: prover.Refuted, By: "ABC", Trace: t}, nil
}

// writeMiter writes the system as AIGER with one output: something bad happens while all
// constraints have held so far. A latch remembers that they have not.
func writeMiter(file string, s *aig.System) error {
	// The latch and the output are for ABC only, so they go into a copy.
	m := *s.ZeroStart()
	g := m.Graph
	now := g.AndAll(m.Constraints)
	if now != aig.True {
		broken := g.Leaf() // high after a step in which they did not hold
		now = g.And(now, broken.Not())
		m.Latches = append(m.Latches, aig.Latch{Q: broken, Next: now.Not()})
		m.LatchNames = append(m.LatchNames, "broken")
	}
	m.Outputs = []aig.Lit{g.And(g.OrAll(m.Bad), now)}
	m.OutputNames, m.Bad, m.Constraints, m.BadNames, m.ConstraintNames = []string{"bad"}, nil, nil, nil, nil
	f, err := aiger.FromSystem(&m)
	if err != nil {
		return err
	}
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	err = f.WriteBinary(w)
	if e := w.Close(); err == nil {
		err = e
	}
	return err
}

// traceOf reads a counterexample in ABC's format: a line for the state at the start, then a line
// with all inputs for each step. In the first step the inputs that stand for Free count.
func traceOf(s *aig.System, text string) (*aig.Trace, error) {
	t := &aig.Trace{Free: make([]bool, len(s.Free))}
	bit := func(line string, i int) bool { return i < len(line) && line[i] == '1' }

	// The trace ends before a comment.
	text, _, _ = strings.Cut(text, "#")
	for k, line := range strings.Split(strings.TrimRight(text, "\n"), "\n")[1:] {
		if k == 0 {
			for i := range t.Free {
				t.Free[i] = bit(line, len(s.Inputs)+i)
			}
		}
		step := make([]bool, len(s.Inputs))
		for i := range step {
			step[i] = bit(line, i)
		}
		t.Inputs = append(t.Inputs, step)
	}

	// Find the bad literal and the first step in which it is high.
	for b := range s.Bad {
		for n := 1; n <= len(t.Inputs); n++ {
			u := &aig.Trace{Bad: b, Free: t.Free, Inputs: t.Inputs[:n]}
			if s.Check(u) == nil {
				return u, nil
			}
		}
	}
	return nil, fmt.Errorf("ABC's counterexample shows nothing bad")
}
