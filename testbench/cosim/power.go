package cosim

import (
	"errors"

	"etch/ir"
	"etch/sim"
)

// ErrRandom is the error of a simulator whose state starts at random, which the
// emitted Verilog cannot follow.
var ErrRandom = errors.New("its state starts at random (WithSeed), and that of the emitted Verilog as 0")

// atZero checks that all state without initial value is 0.
func atZero(s *sim.Sim) error { return scopeAtZero(s, s.Root()) }

func scopeAtZero(s *sim.Sim, c sim.Scope) error {
	m := c.Module()
	if m.Extern != nil {
		return nil
	}
	var word []uint64
	zero := func(id ir.ID) bool {
		sig, err := s.NodeOf(c.Path(), id)
		if err != nil {
			return true
		}
		word = s.AppendWords(word[:0], sig)
		for _, w := range word {
			if w != 0 {
				return false
			}
		}
		return true
	}
	for i := range m.Regs {
		if r := &m.Regs[i]; r.Init == ir.None && !zero(r.Node) {
			return ErrRandom
		}
	}
	for i, mem := range c.Mems() {
		for k := range m.Mems[i].Reads {
			if !zero(m.Mems[i].Reads[k].Node) {
				return ErrRandom
			}
		}
		for at := 0; m.Mems[i].Init == nil && at < mem.Depth(); at++ {
			if !mem.Read(at).IsZero() {
				return ErrRandom
			}
		}
	}
	for _, child := range c.Children() {
		if err := scopeAtZero(s, child); err != nil {
			return err
		}
	}
	return nil
}
