package bench

import (
	"fmt"
	"strings"

	"etch/backends/yosys"
	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
)

// Foreign is a module of Verilog or FIRRTL that runs by itself, such as a processor with its
// program in a memory.
type Foreign struct {
	Name   string
	Body   *ir.Design // the netlist read from it
	Extern ir.Extern  // the Verilog itself; without files Verilator is given what etch writes
	Args   []string   // for Verilator
	Reset  []string   // inputs that are high in reset, low if the name begins with !; nil: by their names
	Inputs map[string]uint64
	Hold   int // cycles for which resets stay high behind the cycle of rst; 0 to 255

	Looks  []string // full names of memories that are looked at, below the module
	Silent bool     // etch leaves statements out
}

// Instance is the name of the module's instance.
const Instance = "dut"

// Design puts the module into one with the ports of this package: all clocks are
// clk, resets follow rst, other inputs are constant, and the sum takes all outputs
// in every cycle. etch runs the module flat and without values that only a look could see, and Verilog
// after the passes, as its rivals flatten and simplify their input. Errors: an input or memory that
// does not exist.
func (f Foreign) Design() (Design, error) {
	whole, err := f.around(f.Body.Top, f.Body)
	if err != nil {
		return Design{}, err
	}
	d := Design{Name: f.Name, Doc: "module " + f.Extern.Module}

	// Verilator compiles the original files, behind a black box; etch runs the netlist.
	original := whole
	if len(f.Extern.Files) > 0 {
		if original, err = f.Boxed(); err != nil {
			return Design{}, err
		}
		whole = passes.Optimize(whole, passes.Options{Flatten: true})
	} else if whole, err = f.pruned(whole); err != nil {
		return Design{}, err
	}
	d.Original = func() (*ir.Design, []string) { return original, f.Args }
	d.Make = func() (*ir.Design, error) { return whole, nil }
	return d, nil
}

// pruned is the design around the module with the memories of Looks and all that outputs depend on.
func (f Foreign) pruned(whole *ir.Design) (*ir.Design, error) {
	v := passes.Visible{Silent: f.Silent}
	for _, name := range f.Looks {
		v.Names = append(v.Names, Instance+"."+name)
	}
	small, _, err := passes.Prune(whole, v)
	return small, err
}

// Boxed is the design with the module as a black box that the files of Extern fill, for Verilator.
func (f Foreign) Boxed() (*ir.Design, error) {
	return f.around(f.box(), &ir.Design{Src: f.Body.Src})
}

// box is the module as a black box.
func (f Foreign) box() *ir.Module {
	m := ir.NewModule(f.Body.Top.Name, f.Body.Src)
	m.Extern = &f.Extern
	for _, p := range f.Body.Top.Ports {
		if p.Dir == ir.In {
			m.AddInput(p.Name, p.Width, p.Type, 0)
		} else {
			m.AddOutput(p.Name, p.Width, p.Type, ir.None, 0)
		}
	}
	return m
}

// around makes the module around child, the last of a design.
func (f Foreign) around(child *ir.Module, below *ir.Design) (*ir.Design, error) {
	m := ir.NewModule("etch_bench", below.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	rst := m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	held := f.held(m, clk, rst)

	at := m.AddInst(Instance, child, 0)
	resets, err := f.Resets(child)
	if err != nil {
		return nil, err
	}

	// Every input gets a driver by its role; every output but clocks enters the sum.
	acc := m.Const(bits.Zero(64), 0)
	for k, p := range child.Ports {
		switch {
		case p.Dir == ir.Out && p.Type == ir.TypeID(ir.Clock):
		case p.Dir == ir.Out:
			acc = folded(m, acc, m.Insts[at].Conns[k])
		case p.Type == ir.TypeID(ir.Clock):
			m.Insts[at].Conns[k] = clk
		case resets[p.Name] == yosys.High:
			m.Insts[at].Conns[k] = held
		case resets[p.Name] == yosys.Low:
			m.Insts[at].Conns[k] = m.Add(ir.Node{Op: ir.Not, Width: 1}, held)
		default:
			m.Insts[at].Conns[k] = m.Const(bits.FromWords(p.Width, append([]uint64{f.Inputs[p.Name]}, make([]uint64, p.Width/64)...)), 0)
		}
	}

	// The sum starts and resets to zero, so that both sides agree from the first cycle.
	sum := m.AddReg("sum", 64, 0, clk, 0)
	r := &m.Regs[len(m.Regs)-1]
	zero := m.Const(bits.Zero(64), 0)
	r.Rst, r.Reset, r.Init = rst, zero, zero
	r.Next = m.Add(ir.Node{Op: ir.Xor, Width: 64}, rotated(m, sum), acc)
	m.AddOutput("sum", 64, 0, sum, 0)

	// A black box is the only module below.
	mods := below.Modules
	if child.Extern != nil {
		mods = []*ir.Module{child}
	}
	return &ir.Design{Top: m, Modules: append(mods[:len(mods):len(mods)], m), Src: below.Src}, nil
}

// held is rst, or a reset that stays high for some cycles behind it: a counter that rst fills runs
// empty.
func (f Foreign) held(m *ir.Module, clk, rst ir.ID) ir.ID {
	if f.Hold == 0 {
		return rst
	}

	left := m.AddReg("reset_left", 8, 0, clk, 0)
	zero, one := m.Const(bits.Zero(8), 0), m.Const(bits.New(8, 1), 0)
	empty := m.Add(ir.Node{Op: ir.Eq, Width: 1}, left, zero)
	less := m.Add(ir.Node{Op: ir.Sub, Width: 8}, left, one)
	r := &m.Regs[len(m.Regs)-1]
	r.Rst, r.Reset, r.Init = rst, m.Const(bits.New(8, uint64(f.Hold)), 0), zero
	r.Next = m.Add(ir.Node{Op: ir.Mux, Width: 8}, empty, zero, less)
	return m.Add(ir.Node{Op: ir.Or, Width: 1}, rst, m.Add(ir.Node{Op: ir.Not, Width: 1}, empty))
}

// folded is acc with every word of an output in it.
func folded(m *ir.Module, acc, x ir.ID) ir.ID {
	// A word at a time. The rotation keeps equal words from cancelling each other.
	for lo, w := 0, m.Width(x); lo < w; lo += 64 {
		word := m.Add(ir.Node{Op: ir.Slice, Width: int32(min(64, w-lo)), Aux: int32(lo)}, x)
		if m.Width(word) < 64 {
			word = m.Add(ir.Node{Op: ir.ZExt, Width: 64}, word)
		}
		acc = m.Add(ir.Node{Op: ir.Xor, Width: 64}, rotated(m, acc), word)
	}
	return acc
}

// rotated is x of 64 bits one to the left.
func rotated(m *ir.Module, x ir.ID) ir.ID {
	low := m.Add(ir.Node{Op: ir.Slice, Width: 63}, x)
	top := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: 63}, x)
	return m.Add(ir.Node{Op: ir.Cat, Width: 64}, low, top)
}

// Resets are the inputs of m that are resets, with their active levels. Errors: an input of
// Reset or Inputs that m lacks, a value that does not fit.
func (f Foreign) Resets(m *ir.Module) (map[string]yosys.Level, error) {
	// A name that the module lacks is a mistake of the command line: check before building.
	all := map[string]yosys.Level{}
	for name, v := range f.Inputs {
		k := m.PortIndex(name)
		if k < 0 || m.Ports[k].Dir != ir.In {
			return nil, fmt.Errorf("module %s has no input %s", m.Name, name)
		}
		if w := m.Ports[k].Width; w < 64 && v>>w != 0 {
			return nil, fmt.Errorf("module %s: %d does not fit in the %d bits of input %s", m.Name, v, w, name)
		}
	}

	for _, name := range f.Reset {
		n, inverted := strings.CutPrefix(name, "!")
		k := m.PortIndex(n)
		if k < 0 || m.Ports[k].Dir != ir.In || m.Ports[k].Width != 1 {
			return nil, fmt.Errorf("module %s has no input %s of one bit", m.Name, n)
		}
		if all[n] = yosys.High; inverted {
			all[n] = yosys.Low
		}
	}
	if f.Reset != nil {
		return all, nil
	}

	// Without a list, one-bit inputs that are called like resets are resets.
	for _, p := range m.Ports {
		if _, given := f.Inputs[p.Name]; p.Dir == ir.In && p.Width == 1 && !given {
			all[p.Name] = yosys.ResetByName(p.Name)
		}
	}
	return all, nil
}
