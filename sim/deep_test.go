package sim_test

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
)

// TestDeep: the stack does not grow with the number of operations on a path. The limit ends the
// process otherwise.
func TestDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const levels = 30_000
	b := simtest.NewBuild("deep")
	en := b.AddInput("en", 1, 0, 0)
	q := b.AddReg("q", 16, 0, b.Clk, 0)
	x := q
	for i := range levels {
		if x = b.Put([]ir.Op{ir.Add, ir.Xor, ir.Sub}[i%3], 16, x, b.Number(16, uint64(i*7+1))); i%1000 == 999 {
			x = b.Put(ir.Mux, 16, en, x, q)
		}
	}
	b.Regs[0].Next = x

	// A statement, and an asynchronous reset by a deep value.
	bad := b.Put(ir.Eq, 1, x, b.Number(16, 0))
	late := b.AddReg("late", 16, 0, b.Clk, 0)
	b.Regs[1].Next, b.Regs[1].Rst, b.Regs[1].Reset, b.Regs[1].Async = x, bad, b.Number(16, 5), true
	b.AddOutput("out", 16, 0, late, 0)
	d := simtest.Alone(b.Module)

	want := []uint64{}
	for _, kind := range []sim.Engine{sim.Interpreter, sim.Native} {
		s, err := sim.New(d, sim.WithEngine(kind))
		if err != nil {
			t.Skip(err)
		}
		set(t, s, "en", 1)
		s.Step(40)
		want = append(want, get(t, s, "q"), get(t, s, "out"))
		require.NoError(t, s.Close())
	}
	require.Equal(t, want[:2], want[2:])
}

// TestDeepResets: asynchronous resets that follow from one another, many more than machine code
// takes.
func TestDeepResets(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 19))
	const levels = 4000
	b := simtest.NewBuild("resets")
	held := b.AddInput("rst", 1, ir.TypeID(ir.AsyncReset), 0)
	one, zero := b.Number(1, 1), b.Number(1, 0)
	for i := range levels {
		q := b.Register(fmt.Sprint("q", i), 1, 1)
		b.Regs[i].Next, b.Regs[i].Rst, b.Regs[i].Reset, b.Regs[i].Async = one, held, zero, true
		held = b.Put(ir.Not, 1, q)
	}
	b.AddOutput("out", 1, 0, held, 0)
	s, err := sim.New(simtest.Alone(b.Module))
	require.NoError(t, err)
	require.Zero(t, get(t, s, "out"))
	set(t, s, "rst", 1)
	require.EqualValues(t, 1, get(t, s, "out"))

	// Each register is let go one cycle after the one before. Enough cycles for machine code.
	set(t, s, "rst", 0)
	s.Step(400)
	require.EqualValues(t, 1, get(t, s, "q399"))
	require.Zero(t, get(t, s, "q400"))
	require.NoError(t, s.Close())
}
