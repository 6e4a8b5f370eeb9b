package protocol

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench"
)

// descriptor is the two words of a descriptor.
func descriptor(from, count, to, next int, last bool) []int {
	first := from | count<<16
	if last {
		first |= 1 << 31
	}
	return []int{first, to | next<<16}
}

// rig is a link whose line and replies can be disturbed.
type rig struct {
	*testbench.Bench
	p      LinkPorts
	wire   wire
	flip   func() bool // the line now
	drop   func() bool // a reply
	lost   int
	memory map[int]int // what has been written by the host
}

func never() bool { return false }

func newRig(t *testing.T, l Link) *rig {
	r := &rig{flip: never, drop: never, memory: map[int]int{}}
	r.Bench, r.p = testbench.New(t, l, testbench.CoSim())
	r.wire = wire{clocks: l.ClocksPerBit, since: -1}
	return r
}

// cycle makes a cycle in which the line and the replies come back.
func (r *rig) cycle() {
	level := r.Get(r.p.LineOut)
	r.wire.listen(level)
	if r.flip() {
		level ^= 1
	}
	r.Set(r.p.LineIn, level)
	out, in := r.p.ReplyOut, r.p.ReplyIn
	valid := r.Get(out.Valid)
	if valid == 1 && r.drop() {
		valid = 0
	}
	r.Set(in.Valid, valid)
	r.Set(in.Good, r.Get(out.Good))
	r.Set(in.Number, r.Get(out.Number))
	r.lost += r.Get(r.p.Lost)
	r.Step(1)
}

// access reads or writes a word of memory.
func (r *rig) access(write, addr, data int) int {
	h := r.p.Host
	r.Set(h.Write, write)
	r.Set(h.Addr, addr)
	r.Set(h.Data, data)
	r.Set(h.Valid, 1)
	for !r.High(h.Done) {
		r.cycle()
	}
	read := r.Get(h.Read)
	r.cycle()
	r.Set(h.Valid, 0)
	return read
}

func (r *rig) write(addr int, words ...int) {
	for i, w := range words {
		r.access(1, addr+i, w)
		r.memory[addr+i] = w
	}
}

// run sends a chain, and waits until the receiver rests too.
func (r *rig) run(t *testing.T, first, limit int) {
	t.Helper()
	r.Set(r.p.First, first)
	r.Set(r.p.Start, 1)
	r.cycle()
	r.Set(r.p.Start, 0)
	for n := 0; r.High(r.p.Busy) || r.Peek("sender.state") != 0; n++ {
		require.Less(t, n, limit)
		r.cycle()
	}
}

// expect compares memory with the words written and those that must have been
// delivered.
func (r *rig) expect(t *testing.T, delivered map[int]int) {
	t.Helper()
	want := maps.Clone(r.memory)
	maps.Copy(want, delivered)
	for addr := range r.words() {
		require.Equal(t, want[addr], r.access(0, addr, 0), "word %d", addr)
	}
}

func (r *rig) words() int { return 1 << r.p.First.Width() }

// chain writes packets of the given sizes and what they need to memory, and
// returns what is to be delivered and the frames that this takes.
func (r *rig) chain(sizes []int) (delivered map[int]int, sent []frame) {
	delivered = map[int]int{}
	random := rand.New(rand.NewPCG(1, 2))
	const data, out = 64, 160
	at := 0
	for i, n := range sizes {
		r.write(2*i, descriptor(data+at, n, out+at, 2*i+2, i == len(sizes)-1)...)
		f := frame{number: i % 4, words: []uint32{uint32(out + at)}}
		for range n {
			v := random.Uint32()
			r.write(data+at, int(v))
			delivered[out+at] = int(v)
			f.words = append(f.words, v)
			at++
		}
		sent = append(sent, f)
	}
	return delivered, sent
}

var sizes = []int{1, 15, 0, 2, 7, 15, 3, 1}

var link = Link{Words: 256, ClocksPerBit: 4, Tries: 4}

// On a quiet line each packet is one frame.
func TestQuiet(t *testing.T) {
	for _, clocks := range []int{4, 7} {
		l := link
		l.ClocksPerBit = clocks
		r := newRig(t, l)
		delivered, sent := r.chain(sizes)
		r.run(t, 0, 100_000)
		r.expect(t, delivered)
		require.Equal(t, sent, frames(t, r.wire.bytes))
		require.Zero(t, r.lost)
	}
}

// On a noisy line with replies that get lost all arrives, in order; frames are
// repeated.
func TestNoise(t *testing.T) {
	l := link
	l.Tries = 100
	r := newRig(t, l)
	delivered, sent := r.chain(sizes)
	random := rand.New(rand.NewPCG(3, 4))
	r.flip = func() bool { return random.IntN(900) == 0 }
	r.drop = func() bool { return random.IntN(4) == 0 }
	r.run(t, 0, 200_000)
	r.flip = never
	r.expect(t, delivered)
	require.Zero(t, r.lost)

	all := frames(t, r.wire.bytes)
	require.Greater(t, len(all), 3*len(sizes)/2)
	var distinct []frame
	for i, f := range all {
		if i == 0 || f.number != all[i-1].number {
			distinct = append(distinct, f)
		}
	}
	require.Equal(t, sent, distinct)
}

// A frame whose reply got lost comes again and is not delivered again.
func TestRepeated(t *testing.T) {
	r := newRig(t, link)
	r.write(0, descriptor(64, 1, 160, 0, true)...)
	r.write(64, 0x1234)
	dropped := 0
	r.drop = func() bool { dropped++; return dropped <= 2 }
	r.Set(r.p.Start, 1)
	r.cycle()
	r.Set(r.p.Start, 0)
	for dropped == 0 {
		r.cycle()
	}
	require.Equal(t, 0x1234, r.access(0, 160, 0))
	r.write(160, 0x5678) // before the frame comes again
	for r.Peek("sender.state") != 0 {
		r.cycle()
	}
	require.Equal(t, 3, dropped)
	require.Len(t, frames(t, r.wire.bytes), 3)
	r.expect(t, nil)
}

// A packet that cannot be sent is given up after so many tries; the next one
// arrives, whether the lost one did or not.
func TestLost(t *testing.T) {
	for _, cut := range []struct {
		name          string
		line, replies bool
	}{{name: "line", line: true}, {name: "replies", replies: true}} {
		t.Run(cut.name, func(t *testing.T) {
			r := newRig(t, link)
			delivered, sent := r.chain([]int{2, 3})
			r.flip = func() bool { return cut.line && r.lost == 0 && !r.High(r.p.LineOut) } // always high
			r.drop = func() bool { return cut.replies && r.lost == 0 }
			r.run(t, 0, 100_000)
			require.Equal(t, 1, r.lost)
			if cut.line {
				delete(delivered, 160)
				delete(delivered, 161)
			}
			r.expect(t, delivered)
			all := frames(t, r.wire.bytes)
			require.Len(t, all, link.Tries+1)
			for i, f := range all {
				require.Equal(t, sent[i/link.Tries], f)
			}
		})
	}
}

// The largest packet is in memory before the sender loses patience, even while
// the host keeps the bus busy.
func TestTimeoutIsLongEnough(t *testing.T) {
	r := newRig(t, link)
	delivered, sent := r.chain([]int{15, 15})
	r.Set(r.p.Start, 1)
	r.cycle()
	r.Set(r.p.Start, 0)
	for r.High(r.p.Busy) || r.Peek("sender.state") != 0 {
		r.access(0, 5, 0)
	}
	r.expect(t, delivered)
	require.Equal(t, sent, frames(t, r.wire.bytes))
}
