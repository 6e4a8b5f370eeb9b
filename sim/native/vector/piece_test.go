package vector_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/native/amd64"
	"etch/sim/native/arm64"
	codemem "etch/sim/native/exec"
	"etch/sim/native/vector"
)

// Bases of the pieces: two memories, where each value is read and written, constants, and spilled
// values.
const (
	readFrom = iota
	writeTo
	poolAt
	spillAt
	pieceBases
)

// origin is the byte that bases point to, so that places may be on both sides.
const origin = 1 << 12

// randomPiece is a piece of every op that pieces have.
func randomPiece(r *rand.Rand, pool *vector.Pool, n int) (c *vector.Code) {
	c = vector.NewPiece(pool)
	at := func(size int) int32 {
		return c.Place(vector.Place{Base: readFrom, At: int32(r.IntN(2*origin/size-32)*size - origin)})
	}
	all := []vector.Value{c.Const(r.Uint64(), 32), c.Const(7, 32)}
	pick := func() vector.Value { return all[r.IntN(len(all))] }
	low := func() vector.Value { return c.Do(vector.And, 0, pick(), c.Const(0xff, 32)) }
	for range n {
		switch r.IntN(10) {
		case 0:
			all = append(all, c.At(at(1)))
		case 1:
			k := r.IntN(3)
			all = append(all, c.Fetch([]vector.Op{vector.Widen8, vector.Widen16, vector.Spread32}[k], at(1<<k)))
		case 2:
			all = append(all, c.Do(vector.Blend32, uint8(r.Uint32()), pick(), pick()))
		case 3:
			all = append(all, c.Do(vector.Choose32, 0, pick(), pick(), pick()))
			mask := c.Do(vector.Gt32, 0, pick(), pick())
			all = append(all, c.Do(vector.Choose32, 1, pick(), pick(), mask), mask)
		case 4:
			half := c.Const(0xffff, 32)
			all = append(all, c.Do(vector.Mul16S, 0, c.Do(vector.And, 0, pick(), half), c.Do(vector.And, 0, pick(), half)))
			all = append(all, c.Do(vector.Narrow64, 0, pick(), pick()), c.Do(vector.Widen32, uint8(r.IntN(2)), pick()))
		case 5:
			all = append(all, c.Do(shifts[r.IntN(len(shifts))], uint8(r.IntN(16)), pick()))
		default:
			all = append(all, c.Do(binary[r.IntN(len(binary))], 0, pick(), pick()))
		}
	}
	for k := range 8 {
		to := c.Place(vector.Place{Base: writeTo, At: int32(32*k + r.IntN(2))})
		switch r.IntN(4) {
		case 0:
			c.Put(vector.Store128, c.Do(vector.Narrow32, 0, low()), to)
		case 1:
			c.Put(vector.Store64, c.Do(vector.Narrow16, 0, c.Do(vector.Narrow32, 0, low())), to)
		case 2:
			c.Put([]vector.Op{vector.Store64, vector.Store128}[k%2], c.Fetch([]vector.Op{vector.Load64, vector.Load128}[k%2], at(1)), to)
		default:
			c.Store(pick(), to)
		}
	}
	return c
}

// TestPieces runs random pieces on this processor and in Go.
func TestPieces(t *testing.T) {
	if !runs(vector.AVX2) && !runs(vector.NEON) {
		t.Skip("this processor runs no pieces")
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 77))
		pool := vector.NewPool()
		p := randomPiece(r, pool, 5+r.IntN(60)).Allocate(5 + int(seed%3)*5)
		mem := make(vector.Memories, pieceBases)
		for k := range mem {
			mem[k] = make([]byte, 2*origin+1<<14)
			for i := range mem[k] {
				mem[k][i] = byte(r.Uint32())
			}
		}
		copy(mem[poolAt][origin:], pool.Data())
		var at [pieceBases]uintptr
		for k := range mem {
			at[k] = uintptr(unsafe.Pointer(&mem[k][origin]))
		}
		spill := vector.Place{Base: spillAt, At: 48}
		text, err := pieceCode(p, vector.Place{Base: poolAt}, spill)
		require.NoError(t, err)
		goMem := make(vector.Memories, pieceBases)
		for k := range mem {
			goMem[k] = append([]byte(nil), mem[k]...)
		}
		code, err := codemem.New(len(text))
		require.NoError(t, err)
		copy(code.Bytes(), text)
		require.NoError(t, code.Seal())
		codemem.Call(code.Addr(), unsafe.Pointer(&at), 0, 0)
		code.Close()
		runtime.KeepAlive(mem)
		var m vector.Machine
		m.RunPiece(p, goMem, origin, vector.Place{Base: poolAt}, spill)
		require.Equal(t, goMem[writeTo], mem[writeTo], "seed %d\n%s", seed, p)
	}
}

// pieceCode is a function that loads the bases and runs p.
func pieceCode(p *vector.Program, pool, spill vector.Place) ([]byte, error) {
	if runtime.GOARCH == "arm64" {
		var asm arm64.Asm
		regs := []arm64.Reg{arm64.R5, arm64.R6, arm64.R7, arm64.R8}
		for k, reg := range regs {
			asm.Mem(arm64.LDR, reg, arm64.R0, int64(8*k))
		}
		vector.OnARM64(&asm, regs, pool, spill).Write(p)
		asm.Ret()
		err := asm.Resolve()
		return asm.Bytes(), err
	}
	var asm amd64.Asm
	regs := []amd64.Reg{amd64.RDX, amd64.RSI, amd64.R8, amd64.R9}
	for k, reg := range regs {
		asm.MovRM(amd64.S64, reg, amd64.At(amd64.RDI, int32(8*k)))
	}
	vector.OnAMD64(&asm, regs, pool, spill).Write(p)
	asm.Vzeroupper()
	asm.Ret()
	err := asm.Resolve()
	return asm.Code, err
}
