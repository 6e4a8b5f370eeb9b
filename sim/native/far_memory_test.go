package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
	"etch/testbench/tools"
)

// farMemories moves the memories of a net and its state out of the state, into slots of
// the least width, and returns what brings them back in.
func farMemories(n *net.Net, state []uint64) (far *net.Net, back func()) {
	copied := *n
	far = &copied
	far.Mems = append([]net.Mem{}, n.Mems...)
	var all [][]byte
	for i := range far.Mems {
		m := &far.Mems[i]
		for m.Far = 1; 8*m.Far < m.W; m.Far *= 2 {
		}
		bytes := make([]byte, m.Words*int(m.Far))
		for k := range m.Words {
			for j := range int(m.Far) {
				bytes[k*int(m.Far)+j] = byte(state[int(m.At)+k] >> (8 * j))
			}
		}
		all = append(all, bytes)
		state[m.At] = uint64(uintptr(unsafe.Pointer(&bytes[0])))
	}
	return far, func() {
		for i := range far.Mems {
			m := &far.Mems[i]
			for k := range m.Words {
				state[int(m.At)+k] = 0
				for j := range int(m.Far) {
					state[int(m.At)+k] |= uint64(all[i][k*int(m.Far)+j]) << (8 * j)
				}
			}
		}
	}
}

// TestFarMemories runs nets whose memories are far, by one body and by special ones,
// against the semantics of the same nets with memories in the state.
func TestFarMemories(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	widths := []uint8{3, 5, 8, 11, 16, 17, 32, 40, 64}
	special, checked := 0, 0
	seeds := 1200
	if testing.Short() {
		seeds = 300
	}
	for seed := range uint64(tools.Trials(seeds, 81)) {
		r := rand.New(rand.NewPCG(seed, 17))
		n := randomNetOf(r, 5+r.IntN(150), widths[r.IntN(len(widths))], widths[r.IntN(len(widths))])
		cycles := 20
		if seed%40 == 0 {
			n, cycles = stateMachine(r, n), 6000
		}
		want := make([]uint64, spreadState(r, n, 600))
		for _, g := range n.Regs {
			want[g.Slot] = r.Uint64() & net.Mask(g.W)
		}
		for _, m := range n.Mems {
			for k := range m.Words {
				want[int(m.At)+k] = r.Uint64() & net.Mask(m.W)
			}
		}
		state := append([]uint64{}, want...)
		far, back := farMemories(n, state)
		var code Runner
		var err error
		if cycles > 20 {
			code, err = New(far, Options{Features: host, Policy: choose.Eager()})
		} else {
			code, err = Compile(far, host)
		}
		if err != nil {
			t.Fatal(err)
		}
		block := make([]uint64, code.Scratch()+len(state))
		got := block[code.Scratch():]
		copy(got, state)
		for range cycles {
			step(n, want)
			if left := code.Run(unsafe.Pointer(&got[0]), 1); left != 0 {
				t.Fatalf("seed %d: %d cycles are left", seed, left)
			}
		}
		if e, ok := code.(*Engine); ok {
			special += e.Bodies()
			for _, b := range e.machines[0].bodies {
				checked += len(b.checks)
			}
		}
		copy(state, got)
		back()
		for i := range want {
			if state[i] != want[i] {
				t.Fatalf("seed %d, word %d: %#x, want %#x\n%s", seed, i, state[i], want[i], n)
			}
		}
		code.Close()
	}
	if special == 0 || checked == 0 {
		t.Errorf("%d special bodies with %d checks of words", special, checked)
	}
}
