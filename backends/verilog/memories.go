package verilog

import (
	"slices"
	"strconv"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// Memories follow the templates that synthesis turns into RAM: an array, and an always
// block per clock with its writes in order and its reads. A read gives the old word. For
// New, a write to the same word is forwarded beside the array, from which yosys makes a
// transparent port. For Undefined, yosys is told that the old word need not be kept; other
// tools see the template for Old.
//
// Words past the end read 0: a synchronous read keeps a flag that says whether its address was in
// range. A memory of one word needs the flag for reads of kind New only. Writes past the end do
// nothing in simulators; in hardware they may write anywhere past the end, which nothing can read.

// bindMemories claims the names of flags and of the data registers behind them.
func (p *naming) bindMemories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		for j := range mem.Reads {
			r := &mem.Reads[j]

			// Only an address that may be out of range needs a flag.
			if p.isConst(r.Addr) || !pastEnd(mem, p.m.Width(r.Addr)) || p.isOneWord(mem, r) {
				continue
			}
			stem := p.text(p.names[r.Node])
			p.flags[r.Node] = p.table.Claim(stem + "_in_range")
			p.words[r.Node] = p.table.Claim(stem + "_word")
		}
	}
}

// isOneWord reports whether a read of a memory of one word is printed without a flag: the word
// is a register in hardware, not RAM, so its read register can have the choice in front.
func (p *view) isOneWord(mem *ir.Memory, r *ir.ReadPort) bool {
	return mem.Depth == 1 && r.Under != ir.New && !p.isConst(r.Addr)
}

// writes lists the write ports that can have an effect. Left out are those whose address is
// always past the end and those whose enable or mask is always low.
func (p *view) writes(mem *ir.Memory) []*ir.WritePort {
	var list []*ir.WritePort
	never := func(id ir.ID) bool {
		v, ok := p.konst(id)
		return ok && v.IsZero()
	}
	for j := range mem.Writes {
		w := &mem.Writes[j]

		isPast, _ := p.isPastEnd(mem, w.Addr)
		if !isPast && (w.En == ir.None || !never(w.En)) && (w.Mask == ir.None || !never(w.Mask)) {
			list = append(list, w)
		}
	}
	return list
}

// writesOn is the write ports on a clock.
func (p *view) writesOn(mem *ir.Memory, clk ir.ID) []*ir.WritePort {
	return slices.DeleteFunc(p.writes(mem), func(w *ir.WritePort) bool { return p.clock(w.Clk) != p.clock(clk) })
}

// declareMemories prints the arrays and read registers with their contents at
// power-up.
func (p *declarations) declareMemories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		p.waive(p.isOnSeveralClocks(mem), manyClocks, func() {
			p.waive(!p.isReadAsync[i] && len(mem.Reads) == 0, neverRead, func() { p.declareArray(i, mem) })
		})
		for j := range mem.Reads {
			p.declareRead(mem.Reads[j].Node)
		}
		p.contents(i, mem)
		p.Blank()
	}
}

func (p *view) isOnSeveralClocks(mem *ir.Memory) bool {
	writes := p.writes(mem)
	return len(writes) > 0 && len(writes) > len(p.writesOn(mem, writes[0].Clk))
}

func (p *declarations) declareArray(i int, mem *ir.Memory) {
	p.style(mem)
	p.attrsLine(2, p.withSrc(mem.Attrs, mem.Pos))
	p.Str("  reg " + syntax.Range(mem.Width) + p.text(p.mems[i]) + " [0:" + strconv.Itoa(mem.Depth-1) + "];")
	p.end(mem.Pos)
}

// style prints the attribute for a memory's resource. A memory without write ports is a
// ROM, and yosys and Vivado name a ROM in logic differently.
func (p *declarations) style(mem *ir.Memory) {
	writes := p.writes(mem)
	if len(writes) > 0 && (mem.Depth == 1 || !slices.ContainsFunc(writes, func(w *ir.WritePort) bool { return !p.isConst(w.Addr) })) {
		p.Line(2, "(* nomem2reg *)") // yosys would make a register of each word, some without a driver
	}

	kind := "ram_style"
	if len(writes) == 0 {
		kind = "rom_style"
	}

	// An attribute of the user's counts. Without LUT RAM, memory in logic is asked for as
	// registers.
	switch {
	case slices.ContainsFunc(mem.Attrs, func(a ir.Attr) bool { return a.Name == kind }): // the user's own word
	case mem.Style == "block", mem.Style == "ultra":
		p.Line(2, "(* "+kind+" = \""+mem.Style+"\" *)")
	case mem.Style == "logic" && kind == "ram_style" && !p.o.NoLUTRAM:
		p.Line(2, "(* ram_style = \"distributed\" *)")
	case mem.Style == "logic" && kind == "ram_style":
		p.Line(2, "(* ram_style = \"logic\" *)")
	case mem.Style == "logic":
		p.Line(0, "`ifdef YOSYS")
		p.Line(2, "(* rom_style = \"logic\" *)")
		p.Line(0, "`else")
		p.Line(2, "(* rom_style = \"distributed\" *)")
		p.Line(0, "`endif")
	}
}

// declareRead declares the data register of a synchronous read. A read that may be out of
// range has a word register and a flag behind it; the named value is then a wire that
// chooses between the word and 0.
func (p *declarations) declareRead(out ir.ID) {
	w := p.m.Width(out)
	pos := p.m.Node(out).Pos
	flag := p.flags[out]

	// Without a flag, the register is the value itself.
	if flag == 0 {
		if !p.is(out, isOutput) {
			p.declare("reg ", out)
		}
		p.zero(p.names[out], w)
		return
	}
	// The word and the flag.
	p.Str("  reg " + syntax.Range(w) + p.text(p.words[out]) + ";")
	p.end(pos)
	p.Str("  reg " + p.text(flag) + ";")
	p.end(pos)
	p.zero(p.words[out], w)
	p.zero(flag, 1)

	// The choice between them.
	p.beginWire(out)
	p.Str(p.text(flag) + " ? " + p.text(p.words[out]) + " : ")
	p.Literal(bits.Zero(w))
	p.Ch(';')
	p.end(pos)
}

// zero prints an initial value of 0 if the options ask for it.
func (p *declarations) zero(name names.ID, w int) {
	if p.o.Zero {
		p.initialValue(name, bits.Zero(w), 0)
	}
}

// needsIndex reports whether some contents are printed with a loop, which needs an index
// variable.
func (p *naming) needsIndex() bool {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		if !p.hasContents(mem) || p.fromFile(mem) {
			continue
		}
		for a := 0; a < mem.Depth; {
			run := runOf(mem, a)
			if run >= minRun {
				return true
			}
			a += run
		}
	}
	return false
}

// minRun is the number of equal words from which a loop is printed.
const minRun = 4

// runOf counts the equal words from a on. Zeros at the end go on to the depth.
func runOf(mem *ir.Memory, a int) int {
	v, end := mem.Word(a), a+1
	for end < len(mem.Init) && mem.Init[end].Equal(v) {
		end++
	}
	if end >= len(mem.Init) && v.IsZero() {
		end = mem.Depth
	}
	return end - a
}

// hasContents reports whether a memory gets contents at power-up. A memory that is never
// written must have some.
func (p *naming) hasContents(mem *ir.Memory) bool {
	return mem.Init != nil || !p.o.Bare && (p.o.Zero || len(mem.Writes) == 0)
}

func (p *naming) fromFile(mem *ir.Memory) bool { return p.o.MemFiles && len(mem.Init) > 0 }

// contents prints the contents of a memory at power-up: word by word, and a loop for a run
// of equal words. Long contents may be in a file.
func (p *declarations) contents(i int, mem *ir.Memory) {
	if !p.hasContents(mem) {
		return
	}

	name := p.table.Get(p.mems[i])
	if p.fromFile(mem) {
		p.Line(2, "initial $readmemh(\""+p.dataFile(p.m, i)+"\", "+string(name)+");")
		return
	}

	// The loop variable is declared once per module.
	n := indexWidth(mem)
	if p.helpers.i != 0 && !p.indexDone {
		p.indexDone = true
		p.Line(2, "integer "+p.text(p.helpers.i)+";")
	}

	p.Line(2, "initial begin")
	for a := 0; a < mem.Depth; {
		// A run of equal words is one loop; a short one is printed word by word.
		run := runOf(mem, a)
		p.Indent(4)
		if run < minRun {
			run = 1
			p.Raw(name)
			p.Ch('[')
			p.Literal(bits.New(n, uint64(a)))
		} else {
			i := p.text(p.helpers.i)
			p.Str("for (" + i + " = " + strconv.Itoa(a) + "; " + i + " < " + strconv.Itoa(a+run) + "; " + i + " = " + i + " + 1) ")
			p.Str(string(name) + "[" + i)
		}
		p.Str("] = ")
		p.constant(mem.Word(a), mem.Type)
		p.Ch(';')
		p.NL()
		a += run
	}

	p.Line(2, "end")
}
