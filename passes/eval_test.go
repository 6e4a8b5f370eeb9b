package passes_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sort"

	"etch/ir"
	"etch/ir/bits"
)

// machine runs a design by definition: it asks for values from the outputs back,
// through the hierarchy, with [ir.Eval] for every op, and knows nothing of order.
type machine struct {
	d    *ir.Design
	top  *scope
	in   map[string]bits.Value
	seed uint64
	log  []string // what statements saw
}

// scope is one instance of a module.
type scope struct {
	m      *ir.Module
	path   string // "" or "a.b."
	parent *scope
	at     int // index in the parent's instances
	kids   []*scope
	memo   []bits.Value
	regs   []bits.Value
	mems   [][]bits.Value
	reads  [][]bits.Value
}

func newMachine(d *ir.Design, seed uint64) *machine {
	k := &machine{d: d, seed: seed, in: map[string]bits.Value{}}
	k.top = k.scope(d.Top, "", nil, 0)
	return k
}

// unknown is what something without an initial value starts as: anything, but the
// same for the same path.
func (k *machine) unknown(w int, path string) bits.Value {
	h := fnv.New64a()
	fmt.Fprint(h, path)
	return randomValue(rand.New(rand.NewPCG(k.seed, h.Sum64())), w)
}

func randomValue(rng *rand.Rand, w int) bits.Value {
	switch rng.IntN(6) {
	case 0:
		return bits.Zero(w)
	case 1:
		return bits.Ones(w)
	case 2:
		return bits.New(w, uint64(rng.IntN(8)))
	case 3:
		return bits.New(w, uint64(rng.IntN(8))).Not()
	}
	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = rng.Uint64()
	}
	return bits.FromWords(w, words)
}

func (k *machine) scope(m *ir.Module, path string, parent *scope, at int) *scope {
	s := &scope{m: m, path: path, parent: parent, at: at, memo: make([]bits.Value, m.Len())}
	for _, r := range m.Regs {
		v := k.unknown(m.Width(r.Node), path+m.NameOf(r.Node))
		if r.Init != ir.None {
			v = m.ConstOf(r.Init)
		}
		s.regs = append(s.regs, v)
	}
	for i := range m.Mems {
		mem := &m.Mems[i]
		words := make([]bits.Value, mem.Depth)
		for a := range words {
			switch {
			case a < len(mem.Init):
				words[a] = mem.Init[a]
			case mem.Init != nil:
				words[a] = bits.Zero(mem.Width)
			default:
				words[a] = k.unknown(mem.Width, fmt.Sprintf("%s%s[%d]", path, mem.Name, a))
			}
		}
		var reads []bits.Value
		for _, r := range mem.Reads {
			reads = append(reads, k.unknown(mem.Width, path+mem.Name+"."+r.Name))
		}
		s.mems, s.reads = append(s.mems, words), append(s.reads, reads)
	}
	for i, inst := range m.Insts {
		s.kids = append(s.kids, k.scope(inst.Mod, path+inst.Name+".", s, i))
	}
	return s
}

// forget clears the values of the last cycle.
func (s *scope) forget() {
	clear(s.memo)
	for _, kid := range s.kids {
		kid.forget()
	}
}

func (k *machine) value(s *scope, id ir.ID) bits.Value {
	if s.memo[id].Width() > 0 {
		return s.memo[id]
	}
	m, n := s.m, s.m.Node(id)
	var v bits.Value
	switch n.Op {
	case ir.Input:
		if s.parent == nil {
			v = k.in[m.Ports[n.Aux].Name]
		} else {
			v = k.value(s.parent, s.parent.m.Insts[s.at].Conns[n.Aux])
		}
	case ir.InstOut:
		kid := s.kids[n.Aux]
		v = k.value(kid, kid.m.Ports[n.Aux2].Node)
	case ir.Reg:
		v = s.regs[n.Aux]
		if r := &m.Regs[n.Aux]; r.Async && k.value(s, r.Rst).Bit(0) == 1 {
			v = m.ConstOf(r.Reset)
		}
	case ir.MemOut:
		v = s.reads[n.Aux][n.Aux2]
	case ir.MemRead:
		v = word(s.mems[n.Aux], m.Mems[n.Aux].Width, k.value(s, m.Args(id)[0]))
	case ir.Const:
		v = m.ConstOf(id)
	default:
		var args []bits.Value
		for _, a := range m.Args(id) {
			args = append(args, k.value(s, a))
		}
		v = ir.Eval(m, id, args)
	}
	s.memo[id] = v
	return v
}

// word reads a memory, 0 past its end.
func word(words []bits.Value, w int, addr bits.Value) bits.Value {
	if a, ok := address(words, addr); ok {
		return words[a]
	}
	return bits.Zero(w)
}

func address(words []bits.Value, addr bits.Value) (int, bool) {
	if !addr.IsUint64() || addr.Uint64() >= uint64(len(words)) {
		return 0, false
	}
	return int(addr.Uint64()), true
}

// on reports whether a one-bit signal is high; none is always.
func (k *machine) on(s *scope, id ir.ID) bool {
	return id == ir.None || k.value(s, id).Bit(0) == 1
}

// ticks reports whether a clock of a module is one of those that tick.
func ticks(s *scope, id ir.ID, clocks []string) bool {
	for {
		switch n := s.m.Node(id); {
		case n.Op == ir.Wire:
			id = s.m.Args(id)[0]
		case n.Op == ir.Input && s.parent != nil:
			id = s.parent.m.Insts[s.at].Conns[n.Aux]
			s = s.parent
		case n.Op == ir.Input:
			for _, c := range clocks {
				if c == s.m.Ports[n.Aux].Name {
					return true
				}
			}
			return false
		default:
			panic("a clock that is no input")
		}
	}
}

// set gives the inputs of this cycle.
func (k *machine) set(in map[string]bits.Value) {
	k.in = in
	k.top.forget()
}

func (k *machine) out(i int) bits.Value { return k.value(k.top, k.d.Top.Ports[i].Node) }

// step is an edge of some clocks.
func (k *machine) step(clocks ...string) {
	k.log = k.log[:0]
	var commit []func()
	k.edge(k.top, clocks, &commit)
	for _, f := range commit {
		f()
	}
	sort.Strings(k.log)
}

func (k *machine) edge(s *scope, clocks []string, commit *[]func()) {
	m := s.m
	for i := range m.Regs {
		r := &m.Regs[i]
		v := s.regs[i]
		reset := r.Rst != ir.None && k.on(s, r.Rst)
		switch {
		case reset && (r.Async || ticks(s, r.Clk, clocks)):
			v = m.ConstOf(r.Reset)
		case ticks(s, r.Clk, clocks):
			v = k.value(s, r.Next)
		}
		*commit = append(*commit, func() { s.regs[i] = v })
	}
	for i := range m.Mems {
		k.memory(s, i, clocks, commit)
	}
	for i := range m.Stmts {
		k.stmt(s, &m.Stmts[i], clocks)
	}
	for _, kid := range s.kids {
		k.edge(kid, clocks, commit)
	}
}

func (k *machine) memory(s *scope, i int, clocks []string, commit *[]func()) {
	mem := &s.m.Mems[i]
	after := append([]bits.Value(nil), s.mems[i]...)
	for _, w := range mem.Writes {
		a, ok := address(after, k.value(s, w.Addr))
		if !ticks(s, w.Clk, clocks) || !k.on(s, w.En) || !ok {
			continue
		}
		data := k.value(s, w.Data)
		if w.Mask == ir.None {
			after[a] = data
			continue
		}
		mask := k.value(s, w.Mask)
		lane := mem.Width / mask.Width()
		for b := range mem.Width {
			if mask.Bit(b/lane) == 1 {
				after[a] = after[a].SetBit(b, data.Bit(b))
			}
		}
	}
	for j, r := range mem.Reads {
		if !ticks(s, r.Clk, clocks) || !k.on(s, r.En) {
			continue
		}
		from := s.mems[i]
		if r.Under == ir.New {
			from = after
		}
		v := word(from, mem.Width, k.value(s, r.Addr))
		*commit = append(*commit, func() { s.reads[i][j] = v })
	}
	*commit = append(*commit, func() { s.mems[i] = after })
}

func (k *machine) stmt(s *scope, st *ir.Stmt, clocks []string) {
	if !ticks(s, st.Clk, clocks) || !k.on(s, st.En) {
		return
	}
	line := fmt.Sprintf("%s %s%s", st.Kind, s.path, st.Name)
	if st.Cond != ir.None {
		line += fmt.Sprint(" ", k.value(s, st.Cond))
	}
	for _, a := range st.Args {
		signed := s.m.TypeOf(s.m.Node(a).Type).Kind.Signed()
		line += fmt.Sprint(" ", k.value(s, a), signed)
	}
	k.log = append(k.log, line+st.Format)
}
