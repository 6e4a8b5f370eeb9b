package drive

import (
	"etch/sim/internal/nets"
	"etch/sim/native"
	"etch/sim/net"
)

// view is machine code that computes the combinational signals that are read, so that a bench
// reading them in every cycle does not wait for the interpreter.
type view struct {
	code   *native.Code
	has    map[uint32]bool // slots that the code computes
	slots  []uint32        // the same in order
	missed map[uint32]bool // slots that were read once
	queue  []Place         // signals that were read more often and are not in the code
	failed bool
}

// look brings the value at a place up to date by native code; false if the interpreter must.
func (s *Stepper) look(at Place) bool {
	if s.refuse != nil || s.pending && len(s.P.Async) > 0 || s.Observer != nil || len(s.compiled) == 0 {
		return false
	}
	if s.view == nil {
		if !s.Compiled() {
			return false
		}
		s.view = &view{has: map[uint32]bool{}, missed: map[uint32]bool{}}
	}

	// A failed compilation leaves marks of slots that the code does not compute.
	if v := s.view; (v.failed || !v.has[at.Slot]) && !s.extend(at) {
		return false
	}
	if !s.looked {
		if !s.SettleBoxes() {
			return false
		}
		s.view.code.Run(s.Base(), 1)
		s.looked = true
	}
	return true
}

// add adds the words of a value to the view.
func (v *view) add(at Place) {
	for k := range net.Words(at.Width) {
		if slot := at.Slot + uint32(k); !v.has[slot] {
			v.has[slot] = true
			v.slots = append(v.slots, slot)
		}
	}
}

// extend compiles the view again with the value at a place in it, from its second reading on: the
// first may be by chance. The first view has all outputs of the top.
func (s *Stepper) extend(at Place) bool {
	v := s.view

	// The number of slots remembered is bounded: beyond it every reading counts as the first.
	if !v.missed[at.Slot] && v.code != nil {
		v.missed[at.Slot] = len(v.missed) < s.Tunables().Warm.Missed
		return false
	}

	if v.failed {
		return false
	}
	if v.code == nil {
		for _, port := range s.top {
			if port.Slot >= s.P.Leaves {
				v.add(port)
			}
		}
	}

	// Signals are added in batches, since compiling for each of many would take long.
	if v.queue = append(v.queue, at); s.Tunables().Warm.Batch*len(v.queue) < len(v.slots) && v.code != nil {
		return false
	}

	for _, q := range v.queue {
		v.add(q)
	}
	v.queue = v.queue[:0]

	// The whole view is compiled again, with everything that is in it so far.
	code, n, err := s.viewCode(v.slots)
	if v.failed = err != nil; v.failed {
		return false // the old code stays unused: it lacks slots that are marked
	}

	if v.code != nil {
		v.code.Close()
	}
	v.code, s.looked = code, false
	s.fit(code.Scratch(), n.Roms)
	return true
}

// viewCode compiles code that computes the values at slots.
func (s *Stepper) viewCode(slots []uint32) (code *native.Code, n *nets.Netlist, err error) {
	err = s.guarded(func() (err error) {
		if n, err = nets.Of(s.P, slots); err != nil {
			return err
		}
		code, err = native.Compile(n.Compact(), Features)
		return err
	})
	return code, n, err
}

// OwnCode is viewCode that Close frees, with room for it.
func (s *Stepper) OwnCode(slots []uint32) (*native.Code, error) {
	code, n, err := s.viewCode(slots)
	if err != nil {
		return nil, err
	}
	s.views = append(s.views, code)
	s.fit(code.Scratch(), n.Roms)
	return code, nil
}

// MustCompile reports whether the user has asked for machine code.
func (s *Stepper) MustCompile() bool { return s.kind == Native }

// RunCode runs code of OwnCode. It reports false, and has run nothing, if the interpreter must settle
// the values.
func (s *Stepper) RunCode(code *native.Code) bool {
	if s.refuse != nil {
		return false
	}
	s.ResetNow()
	if !s.SettleBoxes() {
		return false
	}
	code.Run(s.Base(), 1)
	return true
}
