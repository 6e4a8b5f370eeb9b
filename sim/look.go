package sim

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
	queue  []Signal        // signals that were read more often and are not in the code
	failed bool
}

// look brings sig up to date by native code; false if the interpreter must.
func (s *Sim) look(sig Signal) bool {
	if s.refuse != nil || s.pending && len(s.p.Async) > 0 || len(s.tracers) > 0 || len(s.bodies) == 0 {
		return false
	}
	if s.view == nil {
		if !s.compiled() {
			return false
		}
		s.view = &view{has: map[uint32]bool{}, missed: map[uint32]bool{}}
	}

	// A failed compilation leaves marks of slots that the code does not compute.
	if v := s.view; (v.failed || !v.has[sig.slot]) && !s.extend(sig) {
		return false
	}
	if !s.looked {
		if !s.settleBoxes() {
			return false
		}
		s.view.code.Run(s.baseOf(), 1)
		s.looked = true
	}
	return true
}

// add adds the words of a signal to the view.
func (v *view) add(sig Signal) {
	for k := range net.Words(int(sig.width)) {
		if slot := sig.slot + uint32(k); !v.has[slot] {
			v.has[slot] = true
			v.slots = append(v.slots, slot)
		}
	}
}

// extend compiles the view again with sig in it, from the second reading of sig on: the first
// may be by chance. The first view has all outputs of the top.
func (s *Sim) extend(sig Signal) bool {
	v := s.view

	// The number of slots remembered is bounded: beyond it every reading counts as the first.
	if !v.missed[sig.slot] && v.code != nil {
		v.missed[sig.slot] = len(v.missed) < s.tunables().Warm.Missed
		return false
	}

	if v.failed {
		return false
	}
	if v.code == nil {
		for _, port := range s.top {
			if port.slot >= s.p.Leaves {
				v.add(port)
			}
		}
	}

	// Signals are added in batches, since compiling for each of many would take long.
	if v.queue = append(v.queue, sig); s.tunables().Warm.Batch*len(v.queue) < len(v.slots) && v.code != nil {
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
func (s *Sim) viewCode(slots []uint32) (code *native.Code, n *nets.Netlist, err error) {
	err = s.guarded(func() (err error) {
		if n, err = nets.Of(s.p, slots); err != nil {
			return err
		}
		code, err = native.Compile(n.Compact(), features)
		return err
	})
	return code, n, err
}

// ownCode is viewCode that Close frees, with room for it.
func (s *Sim) ownCode(slots []uint32) (*native.Code, error) {
	code, n, err := s.viewCode(slots)
	if err != nil {
		return nil, err
	}
	s.views = append(s.views, code)
	s.fit(code.Scratch(), n.Roms)
	return code, nil
}
