package native

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

var zz = os.Getenv("ZZ_OUT")

func TestZZ(t *testing.T) {
	if zz == "" {
		t.Skip()
	}
	host := cpu.Host()
	var out bytes.Buffer
	text := func(c *Code) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(c.mem.Addr())), c.size)
	}
	h := sha256.New()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := randomNet(r, 5+r.IntN(400))
		if seed%3 == 0 && n.Regs[0].Q >= 0 {
			n.Stop = n.Slice(n.Regs[0].Q, 0, 1)
		}
		c, err := Compile(n, host)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(text(c))
		c.Close()
	}
	fmt.Fprintf(&out, "plain %x\n", h.Sum(nil))
	h.Reset()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := restingNet(r)
		changed := make([]uint64, len(n.Regs))
		for i := range changed {
			changed[i] = r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		}
		d := n.Divide(changed, 1, 64)
		if d.Count == 0 {
			continue
		}
		g := &Gated{n: n, f: host, room: 1 << 16, flags: int32(d.Count), on: true}
		code, err := g.compile(d)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(text(code))
		fmt.Fprintf(&out, "gates %d\n", code.size)
		code.Close()
	}
	fmt.Fprintf(&out, "gated %x\n", h.Sum(nil))
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := stateMachine(r, layeredNet(r, 6, 20))
		k, err := New(n, Options{Features: host})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := k.(*Engine)
		if !ok {
			fmt.Fprintf(&out, "no engine\n")
			continue
		}
		state := make([]uint64, e.Scratch()+len(n.Regs)+64)
		for i, g := range n.Regs[:len(n.Regs)-1] {
			state[e.Scratch()+i] = r.Uint64() & net.Mask(g.W)
		}
		show := func() {
			if e.code == nil {
				fmt.Fprintf(&out, "plain\n")
				return
			}
			b := bytes.Clone(text(e.code))
			for _, k := range []int{missesAt, 0} {
				at := binary.LittleEndian.AppendUint64(nil, uint64(uintptr(unsafe.Pointer(&e.seenWords[k]))))
				b = bytes.ReplaceAll(b, at, []byte("12345678"))
			}
			fmt.Fprintf(&out, "engine %d bodies %d %x\n", len(e.bodies), len(b), sha256.Sum256(b))
		}
		show()
		for e.sampling {
			e.Run(unsafe.Pointer(&state[e.Scratch()]), 1)
		}
		show()
		e.Close()
	}
	os.WriteFile(zz, out.Bytes(), 0o644)
}
