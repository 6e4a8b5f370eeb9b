package verilog

import "etch/ir"

// waiver is a warning of verilator -Wall that is switched off around the lines
// that earn it, because they are meant.
type waiver struct{ rule, reason string }

// The waivers. Everything else that verilator warns about is avoided; bits that
// nothing reads are read by a wire called unused, see unused.go.
var (
	// oneFile is for texts of several modules.
	oneFile = waiver{"DECLFILENAME", "the file holds several modules"}
	// syncAsync is for a reset that the design uses in both ways: what verilator
	// takes for a slip is what the designer wrote.
	syncAsync = waiver{"SYNCASYNCNET", "an asynchronous reset that logic also reads"}
	// manyClocks is for memories with write ports on more than one clock.
	manyClocks = waiver{"MULTIDRIVEN", "written through several clocks"}
	// sameHelper is for the functions of a module below another that has the same.
	sameHelper = waiver{"VARHIDDEN", "a module above may have the same function"}
	// hidingInstance is for an instance with the name of something inside of it. Both
	// names are the user's, and neither module is to be named after the other.
	hidingInstance = waiver{"VARHIDDEN", "a name inside is that of the instance"}
	// neverRead is for memories whose contents nothing reads.
	neverRead = waiver{"UNUSEDSIGNAL", "nothing reads it"}
	// meantLatch is for latches.
	meantLatch = waiver{"LATCH", "a latch is meant"}
)

// Waivers lists the verilator rules that emitted text may switch off around
// single declarations, each with the reasons that the text gives.
func Waivers() map[string]string {
	all := map[string]string{}
	for _, w := range []waiver{oneFile, syncAsync, manyClocks, sameHelper, hidingInstance, neverRead, meantLatch} {
		if all[w.rule] != "" {
			all[w.rule] += "; "
		}
		all[w.rule] += w.reason
	}
	return all
}

// waive prints lines with a warning switched off if the condition holds.
func (p *module) waive(is bool, w waiver, lines func()) {
	if !is {
		lines()
		return
	}
	p.line(2, "/* verilator lint_off "+w.rule+" */ // "+w.reason)
	lines()
	p.line(2, "/* verilator lint_on "+w.rule+" */")
}

// isMixedReset reports whether a value resets registers asynchronously and is
// used otherwise too, here or below.
func (p *module) isMixedReset(id ir.ID) bool {
	return id != ir.None && p.marks[id]&(asyncUse|otherUse) == asyncUse|otherUse
}

// resetUse is how a module uses an input.
func (w *writer) resetUse(m *ir.Module, port int) mark {
	if uses, ok := w.resets[m]; ok {
		return uses[port]
	}
	return otherUse // a black box
}

// noteResetUse keeps how the module uses its inputs, for its parents.
func (p *module) noteResetUse() {
	uses := make([]mark, len(p.m.Ports))
	for i := range p.m.Ports {
		if port := &p.m.Ports[i]; port.Dir == ir.In {
			uses[i] = p.marks[port.Node] & (asyncUse | otherUse)
		}
	}
	p.resets[p.m] = uses
}
