package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"etch/backends/verilog"
	"etch/ir"
	"etch/sim"
)

// The Verilog starts with the simulator's state at power-up. It is emitted without initial
// values (verilog.Options.Bare). A task of the shell sets them by hierarchical names, from words
// that it reads when the model runs, so that one model serves every seed.
//
// Icarus calls the task at time 1, when all processes wait for events: no reset and no latch at
// time 0 can change the values again.

// startFile has the words, 64 bits a line.
const startFile = "start.hex"

// state is a piece of a module's state: a register, a memory or a synchronous read.
type state struct {
	reg       *ir.Register // nil for others
	mem, read int          // read is -1 for the words of a memory
	at        int          // index among the registers
	width     int
	depth     int
}

// words returns the number of its lines in the start file.
func (p *state) words() int { return p.depth * p.line() }

// line returns the number of words of one value.
func (p *state) line() int { return (p.width + 63) / 64 }

// statesOf returns the state to which verilog.Options.Bare gives no initial value. saveStart and
// startTask go through it in the same order.
func statesOf(m *ir.Module) (all []state) {
	for i := range m.Regs {
		if r := &m.Regs[i]; r.Init == ir.None || r.Async {
			all = append(all, state{reg: r, at: i, width: m.Width(r.Node), depth: 1})
		}
	}

	for i := range m.Mems {
		mem := &m.Mems[i]
		if mem.Init == nil {
			all = append(all, state{mem: i, read: -1, width: mem.Width, depth: mem.Depth})
		}
		for k := range mem.Reads {
			all = append(all, state{mem: i, read: k, width: mem.Width, depth: 1})
		}
	}
	return all
}

// saveStart writes the start file: the state of all instances, parents first.
func saveStart(dir string, s *sim.Sim) error {
	var text, word = []byte(nil), []uint64(nil)
	var scope func(c sim.Scope) error
	put := func(words []uint64) {
		for _, w := range words {
			text = fmt.Appendf(text, "%x\n", w)
		}
	}
	scope = func(c sim.Scope) error {
		m := c.Module()
		if m.Extern != nil { // its Verilog has a start of its own
			return nil
		}
		mems := c.Mems()
		for _, p := range statesOf(m) {
			// The words of a memory have no nodes.
			if p.reg == nil && p.read < 0 {
				for a := range p.depth {
					put(mems[p.mem].Read(a).Words())
				}
				continue
			}

			// A register and a read's data do.
			node := ir.None
			if p.reg != nil {
				node = p.reg.Node
			} else {
				node = m.Mems[p.mem].Reads[p.read].Node
			}
			sig, err := s.NodeOf(c.Path(), node)
			if err != nil {
				return err
			}
			word = s.AppendWords(word[:0], sig)
			put(word)
		}

		// The order of startTask: an instance's own state, then its children.
		for _, child := range c.Children() {
			if err := scope(child); err != nil {
				return err
			}
		}
		return nil
	}
	if err := scope(s.Root()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, startFile), text, 0o666)
}

// starter prints the task that sets all state.
type starter struct {
	names map[*ir.Module]*verilog.State
	body  strings.Builder
	next  int // word
	loops bool
}

// startTask returns the task of the shell that sets all state, "" for a design without any. The
// instance of the top is dut.
func startTask(d *ir.Design) (string, error) {
	names, err := verilog.StateOf(d)
	if err != nil {
		return "", err
	}

	t := &starter{names: names}
	t.scope("dut", d.Top)
	if t.next == 0 {
		return "", nil
	}

	// Verilator runs the task in an initial block of the shell. The bench calls it for Icarus.
	loop := ""
	if t.loops {
		loop = "  integer i;\n"
	}
	return fmt.Sprintf(`  reg [63:0] start [0:%d];
%s  task %s;
    begin
      $readmemh("%s", start);
%s    end
  endtask
`+"`ifdef VERILATOR\n  initial %[3]s;\n`endif\n", t.next-1, loop, startName, startFile, t.body.String()), nil
}

// scope prints the assignments to the state of an instance and its children.
func (t *starter) scope(path string, m *ir.Module) {
	names := t.names[m]
	if names == nil {
		return // a black box
	}

	// The numbers of the words follow the order of saveStart.
	for _, p := range statesOf(m) {
		switch {
		case p.reg != nil:
			t.assign(path, names.Regs[p.at], &p)
		case p.read < 0:
			t.fill(path, names.Mems[p.mem], &p)
		default:
			r := names.Reads[p.mem][p.read]
			t.assign(path, r.Data, &p)
			if r.InRange != "" {
				fmt.Fprintf(&t.body, "      %s.%s = 1'b1;\n", path, r.InRange)
			}
		}
		t.next += p.words()
	}

	for i := range m.Insts {
		t.scope(path+"."+names.Insts[i], m.Insts[i].Mod)
	}
}

// assign prints the start of a register: its words, highest first.
func (t *starter) assign(path, name string, p *state) {
	fmt.Fprintf(&t.body, "      %s.%s = %s;\n", path, name, joined(p, func(k int) string { return fmt.Sprint(t.next + k) }))
}

// fill prints the start of a memory as a loop over its words.
func (t *starter) fill(path, name string, p *state) {
	t.loops = true
	fmt.Fprintf(&t.body, "      for (i = 0; i < %d; i = i + 1) %s.%s[i] = %s;\n", p.depth, path, name,
		joined(p, func(k int) string { return fmt.Sprintf("%d + i * %d", t.next+k, p.line()) }))
}

// joined returns a value of the words at these places, with the width of the register or word.
func joined(p *state, place func(k int) string) string {
	var parts []string
	for k := p.line() - 1; k >= 0; k-- {
		w := "start[" + place(k) + "]"
		if bits := p.width - 64*k; bits < 64 {
			w += fmt.Sprintf("[%d:0]", bits-1)
		}
		parts = append(parts, w)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
