package native

import (
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Code of a partition (net.Partition): each part runs only if its flag is set.
//
// The flags stand in groups of 32, one double word each. There are two double words a group: a
// kept value that changes sets flags of the present cycle, which belong to later parts; a register
// or memory word that changes sets flags of the next cycle. A register that a later part still reads is deferred: its new value goes to a list, which the end
// of the cycle empties into the registers.
//
// Stop is computed first. If it ends the call, the flags that were not yet consumed stay set, and
// the next call goes on from there.

// perGroup is the number of flags in a group.
const perGroup = 32

// activeLayout is the places of a partition's scratch words: flags, then the list, then kept
// values. All are numbers of scratch words, of which higher ones have lower addresses.
type activeLayout struct {
	groups int32
	now    int32 // the first word of the flags of the present cycle, at their highest address
	next   int32 // and of the next cycle
	list   int32 // the last word of the list, which has the lowest address
	kept   int32 // the first kept value
	values int32 // the first word for values inside of parts
}

// flag is a place among the flags.
type flag struct {
	group int32
	mask  uint32
}

// at is the offset of a group's flags from the state.
func (l *activeLayout) at(first, group int32) int32 {
	words := (l.groups + 1) / 2
	return -8*(first+words) + 4*group
}

// layOut places the words of a partition, from word first on, for so many deferred registers and
// kept values.
func layOut(first, groups, deferred, kept int32) (l activeLayout) {
	words := (groups + 1) / 2
	l.groups = groups
	l.now = first
	l.next = l.now + words
	l.list = l.next + words + 2*(deferred+1) - 1
	l.kept = l.list + 1
	l.values = l.kept + kept
	return l
}

// active is a partition on its way to machine code.
type active struct {
	r       *net.Partition
	s       *net.Sections
	group   []flag   // by part
	whole   []uint32 // by group: the flags of its parts
	early   int32    // groups of the parts that Stop needs
	layout  activeLayout
	number  map[net.ID]int32 // of kept nodes
	foreign []foreign
}

// change is the effect of writing a word of a part's net.
type change struct {
	now      []flag // to set if the word changes
	next     []flag
	deferred bool
	often    bool // it changes too often for a predicted branch
}

// oftenChanged is the share of a part's runs from which a change is no rare event.
const oftenChanged = 0.08

// compileActive makes code of a partition. room is the number of scratch words that it may use.
// Errors: it needs more; those of newCode.
func compileActive(r *net.Partition, a *net.Activity, f cpu.Features, first int32, room int) (*Code, *active, error) {
	p := newActive(r, a, first)
	w, ok := here.writer(f).(activeWriter)
	if !ok {
		return nil, nil, ErrUnsupported
	}
	text, scratch, err := p.text(newCycles(w), w)
	switch {
	case err != nil:
		return nil, nil, err
	case int(scratch) > room:
		return nil, nil, errors.New("native: code with parts takes more scratch words")
	}
	code, err := newCode(text, int(scratch), len(r.Net.N))
	if err != nil {
		return nil, nil, err
	}
	code.parts = len(r.Parts)
	return code, p, nil
}

// newActive numbers the flags and places the words.
func newActive(r *net.Partition, a *net.Activity, first int32) *active {
	p := &active{r: r, group: make([]flag, len(r.Parts)), number: map[net.ID]int32{}}

	// The parts that Stop needs have groups of their own, since the test follows them.
	g, k := int32(0), 0
	for i := range r.Parts {
		if k == perGroup || i == r.Early && k > 0 {
			g, k = g+1, 0
		}
		if i == r.Early {
			p.early = g
		}
		p.group[i] = flag{g, 1 << k}
		k++
	}
	if r.Early == len(r.Parts) {
		p.early = g + 1
	}

	deferred := int32(0)
	for i := range r.Net.Regs {
		if r.Net.Regs[i].Next >= 0 {
			deferred++
		}
	}
	for x, kept := range r.Kept() {
		if kept {
			p.number[net.ID(x)] = int32(len(p.number))
		}
	}
	p.whole = make([]uint32, g+1)
	for _, f := range p.group {
		p.whole[f.group] |= f.mask
	}
	p.layout = layOut(first, g+1, deferred, int32(len(p.number)))
	p.s = r.Sections(a, func(x net.ID) uint32 { return uint32(-(p.layout.kept + p.number[x] + 1)) })
	p.findForeign()
	return p
}

// flags joins the flags of parts, group by group.
func (p *active) flags(parts []int32) (all []flag) {
	for _, k := range parts {
		f := p.group[k]
		if n := len(all); n > 0 && all[n-1].group == f.group {
			all[n-1].mask |= f.mask
		} else {
			all = append(all, f)
		}
	}
	return all
}

// changes tells what writing each word of a part's net does.
func (p *active) changes(s *net.PartNet) []change {
	all := make([]change, len(s.Words))
	for i := range s.Words {
		w := &s.Words[i]
		c := change{deferred: w.Deferred, often: w.Often > oftenChanged && w.Often < 1-oftenChanged}
		if w.Reg >= 0 {
			c.next = p.flags(w.Readers)
		} else {
			c.now = p.flags(w.Readers)
		}
		all[i] = c
	}
	return all
}

// activeWriter writes what the code of a partition has beside the instructions of its parts.
type activeWriter interface {
	writer
	// openList begins with an empty list of deferred registers.
	openList(p *activeLayout)
	// openGroup jumps to l if no flag of a group is set.
	openGroup(p *activeLayout, group int32, l label)
	// closeGroup clears the flags of a group.
	closeGroup(p *activeLayout, group int32)
	// flagged jumps to l if the flag of a part is set (want) or not.
	ifFlag(p *activeLayout, f flag, want bool, l label)
	// stopIf jumps to l if a state word is not 0.
	stopIf(q *net.Reg, l label)
	// changed writes node x to register r of the part if that is another value, with the effects of a change.
	changed(p *activeLayout, r int32, x net.ID, c *change)
	// stored stores a word of a memory, and sets flags of the next cycle if that changes it.
	stored(p *activeLayout, w *net.Write, flags []flag)
	// commit empties the list of deferred registers, and turns to the flags of the next cycle.
	commit(p *activeLayout)
	// late writes the code that was put aside since the last call.
	late()
}

// effects intercepts the writes of a part's code.
type effects struct {
	w      activeWriter
	layout *activeLayout
	words  []change
	stores [][]flag
}

// text writes the code of all parts, and returns it with the number of scratch words in use.
func (p *active) text(w *cycles, a activeWriter) (text []byte, scratch int32, err error) {
	l := &p.layout
	var s scheduler
	var places allocator
	pool := here.registers(inParts)
	type cold struct {
		k        int
		in, back label
	}
	var colds []cold

	part := func(k int) {
		sub := p.s.Of(int32(k))
		c := prepare(&s, sub.Net, net.Assume{}, l.values)
		c.allocate(&places, pool)
		scratch = max(scratch, c.scratch)
		e := &effects{w: a, layout: l, words: p.changes(&sub)}
		for _, readers := range sub.Stores {
			e.stores = append(e.stores, p.flags(readers))
		}
		w.effects = e
		w.body(c)
		w.effects = nil
	}

	scratch = l.values
	w.enter()
	a.openList(l)
	top := w.newLabel()
	w.entry(top)
	for g, k := int32(0), 0; g < l.groups; g++ {
		if g == p.early && p.r.Net.Stop >= 0 {
			a.stopIf(p.stopWord(), w.exit)
		}
		end := w.newLabel()
		a.openGroup(l, g, end)
		for ; k < len(p.group) && p.group[k].group == g; k++ {
			// Parts that seldom run stand behind all others, out of the way of the instruction fetch.
			if p.r.Parts[k].Share < rarePart {
				c := cold{k, w.newLabel(), w.newLabel()}
				a.ifFlag(l, p.group[k], true, c.in)
				w.entry(c.back)
				colds = append(colds, c)
				continue
			}
			skip := w.newLabel()
			a.ifFlag(l, p.group[k], false, skip)
			part(k)
			w.bind(skip)
		}
		a.closeGroup(l, g)
		w.bind(end)
	}
	if p.early == l.groups && p.r.Net.Stop >= 0 {
		a.stopIf(p.stopWord(), w.exit)
	}
	a.commit(l)
	w.count(true, top)
	w.bind(w.exit)
	w.leave()
	a.late()
	for _, c := range colds {
		w.bind(c.in)
		part(c.k)
		w.jump(c.back)
		a.late()
	}
	text, err = w.text()
	return text, scratch, err
}

// rarePart is the share of cycles below which a part is put aside.
const rarePart = 0.3

// stopWord is the state word with the value of Stop.
func (p *active) stopWord() *net.Reg {
	n := p.r.Net
	x := n.Stop
	if n.N[x].Op == net.Leaf {
		return &n.Regs[n.N[x].Imm]
	}
	return &net.Reg{Slot: uint32(-(p.layout.kept + p.number[x] + 1)), W: n.N[x].W}
}

// raise sets all flags: anything may have changed.
func (p *active) raise(base unsafe.Pointer) {
	l := &p.layout
	for g := range l.groups {
		*(*uint32)(unsafe.Add(base, int(l.at(l.now, g)))) = ^uint32(0)
	}
	p.note(base)
}

// foreign is a state word that others write: an input, a register of the Host, or one of another
// event.
type foreign struct {
	slot  int32
	last  uint64 // its value at the end of the last call
	flags []flag // of the parts that read it, and of the part that writes it
}

// findForeign lists the foreign words that parts read.
func (p *active) findForeign() {
	for i := range p.r.Net.Regs {
		q := &p.r.Net.Regs[i]
		parts := slices.Clone(p.s.Readers(int32(i)))
		if q.Host && q.Next >= 0 {
			parts = append(parts, p.r.Of[q.Next])
			slices.Sort(parts)
			parts = slices.Compact(parts)
		}
		if len(parts) > 0 && (q.Host || q.Next < 0) {
			p.foreign = append(p.foreign, foreign{slot: int32(q.Slot), flags: p.flags(parts)})
		}
	}
}

// share adds registers, by their slots, that parts write and others write too.
func (p *active) share(slots []uint32) {
	n := p.r.Net
	shared := map[uint32]bool{}
	for _, slot := range slots {
		shared[slot] = true
	}
	for i := range n.Regs {
		q := &n.Regs[i]
		if !shared[q.Slot] || q.Host || q.Next < 0 {
			continue
		}
		parts := append([]int32{p.r.Of[q.Next]}, p.s.Readers(int32(i))...)
		slices.Sort(parts)
		p.foreign = append(p.foreign, foreign{slot: int32(q.Slot), flags: p.flags(slices.Compact(parts))})
	}
}

// note remembers the foreign words.
func (p *active) note(base unsafe.Pointer) {
	for i := range p.foreign {
		f := &p.foreign[i]
		f.last = *(*uint64)(unsafe.Add(base, 8*int(f.slot)))
	}
}

// renew sets the flags of parts that read a foreign word which has changed since the last call.
func (p *active) renew(base unsafe.Pointer) {
	for i := range p.foreign {
		f := &p.foreign[i]
		v := *(*uint64)(unsafe.Add(base, 8*int(f.slot)))
		if v == f.last {
			continue
		}
		f.last = v
		for _, k := range f.flags {
			*(*uint32)(unsafe.Add(base, int(p.layout.at(p.layout.now, k.group)))) |= k.mask
		}
	}
}

// flagged counts the flags that are set at the start of a cycle.
func (p *active) flagged(base unsafe.Pointer) (k int) {
	l := &p.layout
	for g := range l.groups {
		now := *(*uint32)(unsafe.Add(base, int(l.at(l.now, g))))
		next := *(*uint32)(unsafe.Add(base, int(l.at(l.next, g))))
		k += bits.OnesCount32((now | next) & p.whole[g])
	}
	return k
}
