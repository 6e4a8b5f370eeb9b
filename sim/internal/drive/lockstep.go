package drive

import (
	"bytes"
	"fmt"
	"io"

	"etch/ir/bits"
	"etch/sim/internal/interp"
	"etch/sim/internal/program"
	"etch/sim/native"
	"etch/sim/pages"
)

// lockPiece is the number of cycles between comparisons in lock step.
const lockPiece = 64

// Difference is a disagreement between native code and the interpreter: a fault of etch.
type Difference struct {
	Name                string // of the register or the memory
	Line                string // of the user's source that declares it
	Cycle               uint64 // Cycles before the event: 0 is the first
	Native, Interpreter string
}

// Error is the difference in one line.
func (d *Difference) Error() string {
	return fmt.Sprintf("sim: lock step: %s%s is %s after cycle %d in native code, %s in the interpreter", d.Name, d.Line, d.Native, d.Cycle, d.Interpreter)
}

// lockstep runs up to n cycles of clock set c, at times t, in native code, and the same cycles in the
// interpreter, from the same state. The interpreter's results stay. At the first difference Err
// returns it, and native code is not used again.
func (s *Stepper) lockstep(c *ClockSet, run native.Runner, n int, t times) (done int) {
	now := s.Now
	defer func() { s.Now = now }()
	for done < n && s.refuse == nil && !s.PassedLimit(0) {
		// Native first, then back to the saved state for the interpreter.
		before := s.saveState()
		k := min(lockPiece, n-done, s.St.UntilCheck(s.Cycles))
		left, said := s.callPiece(run, k)

		// The interpreter repeats the events that native code has run. An event before which it
		// stopped is left to the caller.
		if k -= int(left); k == 0 {
			return done
		}

		after := s.saveState()
		s.loadState(before)
		start := s.Cycles
		wanted := s.heard(s.Output, func() {
			for i := range k {
				s.Now = t.first + uint64(done+i)*t.step
				s.Interpret(c)
			}
		})

		// The states are compared first: a difference of state is more telling than one of text.
		if s.differs(after) != nil {
			s.loadState(before)
			s.locate(c, run, k)
			return done + k
		}
		if !bytes.Equal(said, wanted) {
			s.part(&Difference{Name: "what is printed", Cycle: start, Native: string(said), Interpreter: string(wanted)})
			return done + k
		}
		done += k
	}
	return done
}

// callPiece runs n events in native code. It returns the number left and the text printed, which
// it does not pass on.
func (s *Stepper) callPiece(run native.Runner, n int) (left uint64, said []byte) {
	prints := s.P.Journal.State != 0
	if prints {
		s.emptyJournal()
	}
	left = run.Run(s.Base(), uint64(n))
	s.Touch()
	if prints {
		said = s.heard(io.Discard, func() { s.print(times{}, 0) })
	}
	return left, said
}

// heard is the text that f prints; it goes to w too.
func (s *Stepper) heard(w io.Writer, f func()) []byte {
	if s.P.Journal.State == 0 {
		f()
		return nil
	}
	var text bytes.Buffer
	output := s.Output
	s.Output = io.MultiWriter(&text, w)
	f()
	s.Output = output
	return text.Bytes()
}

// part gives up native code because of a difference.
func (s *Stepper) part(d *Difference) {
	s.refuse = d
	if s.Err == nil {
		s.Err = d
	}
}

// locate finds the cycle of a difference among the next k, by single cycles, and records it.
func (s *Stepper) locate(c *ClockSet, run native.Runner, k int) {
	start := s.Cycles - uint64(k)
	var d *Difference

	// Each cycle runs in both engines from the same state, and the first difference counts. All k
	// cycles run to their end, so that the interpreter's state stays.
	for i := range k {
		before := s.saveState()
		s.callPiece(run, 1)
		after := s.saveState()
		s.loadState(before)
		s.Cycles = start + uint64(i)
		s.Interpret(c)
		if d == nil {
			if d = s.differs(after); d != nil {
				d.Cycle = start + uint64(i)
			}
		}
	}

	// Code over k cycles may err where code over single cycles does not.
	if d == nil {
		d = &Difference{Name: "some state", Cycle: start, Native: "different", Interpreter: fmt.Sprintf("different within %d cycles, but not when they are done one by one", k)}
	}

	for j := range c.Clocks {
		s.Edges[c.Clocks[j]] -= uint64(k) // Interpret has counted them twice
	}
	s.part(d)
}

// savedState is inputs, state, memories and cover counters.
type savedState struct {
	words []uint64
	large []*pages.Image
}

// saveState copies them.
func (s *Stepper) saveState() savedState {
	_, _, end := s.P.StateWords()
	kept := append([]uint64(nil), s.St.V[:s.P.Leaves]...)
	return savedState{append(kept, s.block[s.base+s.P.Words:s.base+int(end)]...), s.St.Large.Copy()}
}

// loadState returns to a copy.
func (s *Stepper) loadState(kept savedState) {
	copy(s.St.V[:s.P.Leaves], kept.words)
	copy(s.block[s.base+s.P.Words:], kept.words[s.P.Leaves:])
	s.St.Large.Load(kept.large)
	s.Touch()
}

// differs compares the state that native code left with the present state; nil if they are
// equal.
func (s *Stepper) differs(saved savedState) *Difference {
	pr, left := s.P, saved.words

	// A difference of two values, native code's first.
	d := func(name string, line string, width int, x, y []uint64) *Difference {
		return &Difference{Name: name, Line: line, Native: bits.FromWords(width, x).String(), Interpreter: bits.FromWords(width, y).String()}
	}
	state := func(r program.Ref, slot uint32) *Difference {
		w := pr.Mod(r.Inst).Width(r.ID)
		k := bits.WordCount(w)
		if x, y := left[slot:][:k], s.St.V[slot:][:k]; !interp.EqualWords(x, y) {
			return d(pr.NodeName(r), pr.Line(r.Inst, pr.Mod(r.Inst).Node(r.ID).Pos), w, x, y)
		}
		return nil
	}

	// Registers, read data, memories, then counters of covers.
	for i := range pr.Regs {
		if x := state(pr.Regs[i].Ref, pr.Regs[i].Slot); x != nil {
			return x
		}
	}
	for i := range pr.Reads {
		if x := state(pr.Reads[i].Ref, pr.Reads[i].Slot); x != nil {
			return x
		}
	}

	at, covers, _ := pr.StateWords()
	for i := range pr.Mems {
		m := &pr.Mems[i]
		mem := &pr.Mod(m.Inst).Mems[m.At]
		if m.Slot > 0 {
			if a, x, y, ok := s.St.DiffersLarge(int32(i), saved.large[i]); ok {
				return d(fmt.Sprintf("%s[%d]", program.Join(pr.Path(m.Inst), mem.Name), a), pr.Line(m.Inst, mem.Pos), m.Width, x, y)
			}
			continue
		}

		// The saved words leave out the combinational slots, which lie between leaves and memories.
		theirs := left[int(pr.Leaves)+int(at[i])-pr.Words:]
		for a := range m.Depth {
			if x, y := theirs[a*m.Words:][:m.Words], s.St.Mems[i][a*m.Words:][:m.Words]; !interp.EqualWords(x, y) {
				return d(fmt.Sprintf("%s[%d]", program.Join(pr.Path(m.Inst), mem.Name), a), pr.Line(m.Inst, mem.Pos), m.Width, x, y)
			}
		}
	}

	theirs := left[int(pr.Leaves)+int(covers)-pr.Words:]
	for i := range pr.Stmts {
		st := &pr.Stmts[i]
		if c := st.Cover; len(s.Covered) > 0 && theirs[c] != s.Covered[c] {
			return d("the count of "+program.Join(pr.Path(st.Inst), st.Src.Name), pr.Line(st.Inst, st.Src.Pos), 64, theirs[c:c+1], s.Covered[c:c+1])
		}
	}
	return nil
}
