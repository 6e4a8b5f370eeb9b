package sim

import (
	"etch/sim/native"
	"etch/sim/net"
)

// view is machine code that computes the combinational signals that are looked
// at, so that a bench that looks every cycle does not wait for the interpreter.
type view struct {
	code   *native.Code
	has    map[uint32]bool // slots that code computes
	slots  []uint32        // the same
	missed map[uint32]bool // slots that were asked for once
	queue  []Signal        // signals that were asked for more often
	failed bool
}

// look brings sig up to date by native code; false when the interpreter must.
func (s *Sim) look(sig Signal) bool {
	if s.refuse != nil || s.pending && len(s.p.async) > 0 || len(s.tracers) > 0 || len(s.bodies) == 0 {
		return false
	}
	if s.view == nil {
		if !s.compiled() {
			return false
		}
		s.view = &view{has: map[uint32]bool{}, missed: map[uint32]bool{}}
	}
	if v := s.view; (v.failed || !v.has[sig.slot]) && !s.extend(sig) {
		return false
	}
	if !s.looked {
		s.view.code.Run(s.baseOf(), 1)
		s.looked = true
	}
	return true
}

// add adds the words of a signal to those that the view computes.
func (v *view) add(sig Signal) {
	for k := range net.Words(int(sig.width)) {
		if slot := sig.slot + uint32(k); !v.has[slot] {
			v.has[slot] = true
			v.slots = append(v.slots, slot)
		}
	}
}

// extend makes the view anew with sig in it, from the second time on that sig is
// asked for: once may be by chance. The first view has the outputs of the top.
func (s *Sim) extend(sig Signal) bool {
	v := s.view
	if !v.missed[sig.slot] && v.code != nil {
		v.missed[sig.slot] = len(v.missed) < 1000
		return false
	}
	if v.failed {
		return false
	}
	if v.code == nil {
		for _, port := range s.top {
			if port.slot >= s.p.leaves {
				v.add(port)
			}
		}
	}
	if v.queue = append(v.queue, sig); 4*len(v.queue) < len(v.slots) && v.code != nil {
		return false // making it anew for each of many would take long
	}
	for _, q := range v.queue {
		v.add(q)
	}
	v.queue = v.queue[:0]
	code, n, err := s.viewCode(v.slots)
	if v.failed = err != nil; v.failed {
		return false // what code there is stays unused: it does not compute all of has
	}
	if v.code != nil {
		v.code.Close()
	}
	v.code, s.looked = code, false
	s.fit(code.Scratch(), n.roms)
	return true
}

// viewCode makes code that computes the values at slots.
func (s *Sim) viewCode(slots []uint32) (*native.Code, *netlist, error) {
	n, err := s.p.netOf(slots)
	if err != nil {
		return nil, nil, err
	}
	code, err := native.Compile(n.Compact(), features)
	return code, n, err
}
