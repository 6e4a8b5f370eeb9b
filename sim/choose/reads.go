package choose

import (
	"unsafe"

	"etch/sim/net"
)

// Reader evaluates memory reads in sampled states. The word at an address that the control state
// determines is often as good as constant: the instruction at a program counter. Bodies may
// assume such a word; they check it before each cycle.
type Reader struct {
	n     *net.Net
	nodes []net.ID // the reads, and the nodes that their addresses depend on, in order
	Reads []net.ID // of memories
	v     []uint64
}

// NewReader prepares the evaluation of the addresses of a net's reads.
func NewReader(n *net.Net, pol *Policy) *Reader {
	r := &Reader{n: n, v: make([]uint64, len(n.N))}
	need := make([]bool, len(n.N))
	for i := range n.N {
		if n.N[i].Op == net.Read && len(r.Reads) < pol.Control.Reads {
			r.Reads = append(r.Reads, net.ID(i))
			need[i] = true
		}
	}

	// Arguments have smaller IDs: one pass downwards marks all dependencies.
	for i := len(n.N) - 1; i >= 0; i-- {
		if need[i] {
			n.Args(net.ID(i), func(x net.ID) { need[x] = true })
		}
	}

	for i := range n.N {
		if need[i] {
			r.nodes = append(r.nodes, net.ID(i))
		}
	}
	return r
}

// Run appends address and word of each read in a state. base is the whole state, mem the
// memories of the instance.
func (r *Reader) Run(base, mem unsafe.Pointer, s Snapshot, to []uint64) []uint64 {
	return r.find(func(m int32, addr uint64) uint64 {
		from := mem

		// Shared memories are part of the whole state.
		if r.n.Mems[m].Shared {
			from = base
		}
		at := &r.n.Mems[m]
		if at.Far > 0 {
			return FarLoad(*(*unsafe.Pointer)(unsafe.Add(from, 8*uint64(at.At))), at.Far, addr)
		}
		return *(*uint64)(unsafe.Add(from, 8*(uint64(at.At)+addr)))
	}, s, to)
}

// FarLoad loads a word of a far memory.
func FarLoad(from unsafe.Pointer, bytes uint8, addr uint64) uint64 {
	at := unsafe.Add(from, addr*uint64(bytes))
	switch bytes {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// find evaluates the nodes that addresses depend on; load reads a word of a memory.
func (r *Reader) find(load func(mem int32, addr uint64) uint64, s Snapshot, to []uint64) []uint64 {
	n, v := r.n, r.v
	for _, i := range r.nodes {
		nd := &n.N[i]
		switch nd.Op {
		case net.Read:
			v[i] = load(int32(nd.Imm), v[nd.A])
		// A is the node of the bank, whose operands are the inputs; Imm is the word wanted.
		case net.TableWord:
			in := n.Operands(nd.A)
			v[i] = n.Banks[n.N[nd.A].Imm].Eval(int(nd.Imm), func(k int) uint64 { return v[in[k]] })
		case net.Lut:
			at := uint64(0)
			for k, x := range n.Pool[nd.A : nd.A+nd.B] {
				at |= v[x] << k
			}
			v[i] = nd.Imm >> at & 1
		default:
			v[i] = nodeValue(n, v, s, int(i))
		}
	}

	for _, x := range r.Reads {
		to = append(to, v[n.N[x].A], v[x])
	}
	return to
}

// contents is the words seen at the memory addresses that were read.
type contents struct {
	word map[place]uint64
	bad  map[place]bool // the word changed
}

type place struct {
	mem  int32
	addr uint64
}

// seenContents collects the words of all reads.
func (r *Reader) seenContents(reads [][]uint64) *contents {
	c := &contents{word: map[place]uint64{}, bad: map[place]bool{}}
	r.see(c, reads)
	return c
}

// see adds reads to c.
func (r *Reader) see(c *contents, reads [][]uint64) {
	for _, list := range reads {
		for k, x := range r.Reads {
			if 2*k+1 >= len(list) {
				break
			}
			at := place{int32(r.n.N[x].Imm), list[2*k]}

			// The first word that was seen; another one marks the address as changing.
			if old, ok := c.word[at]; !ok {
				c.word[at] = list[2*k+1]
			} else if old != list[2*k+1] {
				c.bad[at] = true
			}
		}
	}
}

// stable returns the word at an address if it was the same at every read.
func (c *contents) stable(mem int32, addr uint64) (uint64, bool) {
	at := place{mem, addr}
	w, ok := c.word[at]
	return w, ok && !c.bad[at]
}

// Check is a memory word that a body assumes, compared before the body does anything.
type Check struct {
	At   int32 // word of the state; for a far memory, the word with its address
	Far  uint8 // bytes per word of a far memory, else 0
	Addr uint64
	W    uint8
	Mem  int32 // the memory that it is in
	Want uint64
}

// AssumeReads forces stable words at known addresses, after p has run under as, and propagates
// them, a few times (Control.Rounds). It returns the checks.
func AssumeReads(p *net.Prop, n *net.Net, as net.Assume, c *contents, pol *Policy) []Check {
	// A fixed point in a bounded number of rounds: constant propagation finds known addresses, and a
	// stable word at one of them becomes a constant for the next round.
	var checks []Check
	done := map[net.ID]bool{}
	for range pol.Control.Rounds {
		p.Mark(as)

		// One forced word may make the address of another read known.
		found := false
		for i := range n.N {
			nd := &n.N[i]
			if nd.Op != net.Read || done[net.ID(i)] || !p.Live(net.ID(i)) {
				continue
			}

			addr, ok := p.Known(nd.A)
			if !ok {
				continue
			}

			// Stable: the word was the same at every read so far. MaxKnown bounds the constant of the
			// comparison.
			word, ok := c.stable(int32(nd.Imm), addr)
			if !ok || word > MaxKnown {
				continue
			}

			// The check reads the word from the state, or through the address of a far memory.
			m := &n.Mems[nd.Imm]
			at := uint64(m.At) + addr
			if m.Far > 0 {
				if at = uint64(m.At); addr*uint64(m.Far) > MaxKnown {
					continue // a displacement of amd64 is 32 bits
				}
			}

			done[net.ID(i)], found = true, true
			p.Force(net.ID(i), word)
			checks = append(checks, Check{int32(at), m.Far, addr, nd.W, int32(nd.Imm), word})
		}

		// Without a new constant another round would find nothing.
		if !found {
			break
		}
		p.Run(as)
	}
	return checks
}

// AddressRegisters marks the registers with a short path to the address of a read: program
// counters.
func AddressRegisters(n *net.Net, pol *Policy) []bool {
	is := make([]bool, len(n.Regs))
	var visit func(x net.ID, depth int)
	visit = func(x net.ID, depth int) {
		nd := &n.N[x]
		switch {
		case nd.Op == net.Leaf:
			is[nd.Imm] = true
		case depth < pol.Control.AddressReach && nd.Op != net.Read && !nd.Op.Pooled() && nd.Op != net.Mul:
			n.Args(x, func(y net.ID) { visit(y, depth+1) })
		}
	}
	for i := range n.N {
		if n.N[i].Op == net.Read {
			visit(n.N[i].A, 0)
		}
	}
	return is
}
