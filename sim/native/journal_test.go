package native

import (
	"math/rand/v2"
	"slices"
	"testing"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// journalWords is the room of the journal of withJournal: eight records.
const journalWords = 128

// withJournal gives a net over size words a journal behind them: entries of any values,
// under any conditions, into the record that a register names, which counts them.
func withJournal(r *rand.Rand, n *net.Net, size int) *net.Net {
	mem := int32(len(n.Mems))
	n.Mems = append(slices.Clone(n.Mems), net.Mem{At: uint32(size), Words: journalWords, Depth: journalWords, W: 64, Journal: true})
	nodes := len(n.N)
	pick := func() net.ID { return net.ID(r.IntN(nodes)) }
	count := len(n.Regs)
	n.Regs = append(n.Regs, net.Reg{Slot: int32(size + journalWords), W: 3, Q: net.None, Next: net.None, Host: true})
	var says []net.ID
	any := n.Const(0)
	for range 1 + r.IntN(5) {
		x := n.And(n.Slice(pick(), 0, 1), n.Slice(pick(), 0, 1)) // a few are the same
		says = append(says, x)
		any = n.Or(any, x)
	}
	if v, ok := n.IsConst(any); !ok && r.IntN(8) > 0 {
		n.Entry = any
	} else if ok && v == 0 {
		return n.Compact()
	}
	row := n.Leaf(count)
	n.Regs[count].Next = n.Add(row, any, 3)
	for at := range uint64(1 + r.IntN(16)) {
		w := net.Write{Mem: mem, En: says[r.IntN(len(says))], Addr: n.Cat(row, n.Const(at), 4), Data: pick(), Mask: net.None}
		if r.IntN(4) == 0 {
			w.En = n.Entry
		}
		n.Writes = append(n.Writes, w)
	}
	return n.Compact()
}

// TestJournal: entries are the same in plain code and in bodies, wherever the
// scheduler puts them.
func TestJournal(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	plain, machines := uint64(1000), uint64(30)
	if testing.Short() {
		plain, machines = 300, 8
	}
	for seed := range plain {
		r := rand.New(rand.NewPCG(seed, 8))
		n := randomNet(r, 5+r.IntN(150))
		size := len(n.Regs) + 20
		n = withJournal(r, n, size)
		c, err := Compile(n, host)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, seed, n, c, make([]uint64, c.Scratch()+size+journalWords+1), 12)
		c.Close()
	}
	for seed := range machines {
		r := rand.New(rand.NewPCG(seed, 9))
		n := stateMachine(r, randomNet(r, 40))
		size := spreadState(r, n, 600)
		n = withJournal(r, n, size)
		e, err := New(n, Options{Features: host, Policy: choose.Eager()})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, seed, n, e, make([]uint64, e.Scratch()+size+journalWords+1), 2000)
		e.Close()
	}
}
