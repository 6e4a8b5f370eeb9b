package verilog

// waiver is a warning of verilator -Wall that the text switches off around lines that cause
// it on purpose.
type waiver struct{ rule, reason string }

// The waivers. The text avoids all other warnings of Verilator. Bits that nothing reads are
// read by a wire called unused, see unused.go.
var (
	// oneFile is for texts of several modules.
	oneFile = waiver{"DECLFILENAME", "the file holds several modules"}
	// syncAsync is for a reset that the design uses both ways: verilator suspects a slip,
	// but the designer wrote it.
	syncAsync = waiver{"SYNCASYNCNET", "an asynchronous reset that logic also reads"}
	// manyClocks is for memories with write ports on more than one clock.
	manyClocks = waiver{"MULTIDRIVEN", "written through several clocks"}
	// sameHelper is for the functions of a module below another that has the same.
	sameHelper = waiver{"VARHIDDEN", "a module above may have the same function"}
	// hidingInstance is for an instance with the name of a declaration inside it. Both
	// names are the user's, and neither module should be named after the other.
	hidingInstance = waiver{"VARHIDDEN", "a name inside is that of the instance"}
	// neverRead is for memories whose contents nothing reads.
	neverRead = waiver{"UNUSEDSIGNAL", "nothing reads it"}
	// meantLatch goes with every latch: no latch comes from a forgotten branch, as the warning
	// supposes.
	meantLatch = waiver{"LATCH", "a latch is meant"}
)

// waive prints lines with a warning switched off if the condition holds.
func (p *design) waive(is bool, w waiver, lines func()) {
	if !is {
		lines()
		return
	}
	p.Line(2, "/* verilator lint_off "+w.rule+" */ // "+w.reason)
	lines()
	p.Line(2, "/* verilator lint_on "+w.rule+" */")
}
