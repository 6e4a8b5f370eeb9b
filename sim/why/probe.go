package why

import (
	"cmp"
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// probe is a value that can be read at any cycle: of a node, or of the word of a memory.
type probe struct {
	at    ref
	mem   int
	addr  int    // of a word, from 1
	label string // for a node without a name
}

// wordKey stands for the nodes of memories in keys: no node has such a number.
func wordKey(mem int) ir.ID { return ir.ID(-1 - mem) }

// key is the key of the probe's cause.
func (p probe) key(cycle uint64) key { return key{at: p.at, cycle: cycle, addr: p.addr} }

// kind is the kind of the probe's cause, as far as it shows.
func (p probe) kind() Kind {
	if p.addr > 0 {
		return Word
	}
	switch p.at.inst.mod.Op(p.at.id) {
	case ir.Reg, ir.MemOut:
		return State
	case ir.Input:
		return Input
	case ir.InstOut, ir.NetOut:
		return Box
	}
	return Value
}

func (p probe) name() string {
	if p.addr > 0 {
		return fmt.Sprintf("%s[%d]", p.at.inst.scope.Mems()[p.mem].Name(), p.addr-1)
	}
	return cmp.Or(p.at.name(), p.label)
}

func (p probe) show(v bits.Value) string {
	if p.addr > 0 {
		m := p.at.inst.mod
		return Show(m.TypeOf(m.Mems[p.mem].Type), v)
	}
	return p.at.show(v)
}

func (p probe) line() ir.Location {
	if p.addr > 0 {
		return p.at.inst.mod.Src.At(p.at.inst.mod.Mems[p.mem].Pos)
	}
	return p.at.line()
}

// wordOf is the word that a MemRead node reads.
func (e *Explainer) wordOf(r ref) *probe {
	m := r.inst.mod
	return e.wordAt(r.inst, int(m.Node(r.id).Aux), e.value(ref{r.inst, m.Args(r.id)[0]}))
}

// wordAt is the word of a memory at an address; past the end it has the address of the last word
// and one, and is always 0.
func (e *Explainer) wordAt(in *instance, mem int, addr bits.Value) *probe {
	at := in.mod.Mems[mem].Depth
	if addr.Len() <= 62 {
		at = min(at, int(addr.Uint64()))
	}
	return &probe{at: ref{in, wordKey(mem)}, mem: mem, addr: at + 1}
}

// read is the value of a probe at the present cycle.
func (e *Explainer) read(p probe) bits.Value {
	if p.addr == 0 {
		return e.value(p.at)
	}

	// Past the end, a word is 0.
	m := p.at.inst.scope.Mems()[p.mem]
	if p.addr > m.Depth() {
		return bits.New(m.Width(), 0)
	}
	return m.Read(p.addr - 1)
}
