package i2c

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench"
)

// board is a board under test, with what a host does.
type board struct {
	*testbench.Bench
	p BoardPorts
}

func newBoard(t *testing.T, opts ...testbench.Option) board {
	s, p := testbench.New(t, Board{Quarter: 5, Words: 8}, opts...)
	return board{s, p}
}

// ask has master i want a transfer.
func (b board) ask(i, address, read, write int) {
	h := b.p.Host[i]
	b.Set(h.Go, 1)
	b.Set(h.Address, address)
	b.Set(h.Read, read)
	b.Set(h.Write, write)
}

// wait steps until master i is done and returns how often it lost the bus, and what
// it says.
func (b board) wait(i int) (lost int, found bool, data int) {
	h := b.p.Host[i]
	b.StepUntil(func() bool {
		lost += b.Get(h.Lost)
		return b.High(h.Done)
	}, 4000)
	found, data = b.High(h.Found), b.Get(h.Data)
	b.Set(h.Go, 0)
	b.Step(1)
	return lost, found, data
}

func (b board) write(i, address, data int) (found bool) {
	b.ask(i, address, 0, data)
	_, found, _ = b.wait(i)
	return found
}

func (b board) read(i, address int) (found bool, data int) {
	b.ask(i, address, 1, 0)
	_, found, data = b.wait(i)
	return found, data
}

// TestTransfer: what one master writes the other reads; where nobody is, nobody
// answers.
func TestTransfer(t *testing.T) {
	b := newBoard(t, testbench.CoSim())
	require.True(t, b.write(0, Device+3, 0xa5))
	require.True(t, b.write(0, Device+4, 0x0f))
	found, data := b.read(1, Device+3)
	require.True(t, found)
	require.Equal(t, 0xa5, data)
	_, data = b.read(1, Device+4)
	require.Equal(t, 0x0f, data)
	require.False(t, b.write(1, Device+8, 1))
	b.Expect(b.p.SDA, 1)
	b.Expect(b.p.SCL, 1)
}

// TestArbitration: both masters begin in the same cycle. The one with the lower
// address wins without noticing, the other waits and comes next.
func TestArbitration(t *testing.T) {
	b := newBoard(t, testbench.CoSim())
	b.ask(0, Device+5, 0, 0x55)
	b.ask(1, Device+1, 0, 0x11)
	lost, found, _ := b.wait(1)
	require.Equal(t, 0, lost)
	require.True(t, found)
	_, found, _ = b.wait(0)
	require.True(t, found)
	for address, want := range map[int]int{Device + 5: 0x55, Device + 1: 0x11} {
		_, data := b.read(0, address)
		require.Equal(t, want, data)
	}

	// Between equal addresses the data decides: the 0 wins.
	b.ask(0, Device+2, 0, 0x80)
	b.ask(1, Device+2, 0, 0x7f)
	losses := 0
	b.StepUntil(func() bool { losses += b.Get(b.p.Host[0].Lost); return b.High(b.p.Host[1].Done) }, 4000)
	require.Equal(t, 1, losses)
	b.Set(b.p.Host[1].Go, 0)
	_, found, _ = b.wait(0)
	require.True(t, found)
	_, data := b.read(1, Device+2)
	require.Equal(t, 0x80, data, "the last one to write")
}

// TestStretching: somebody outside holds the clock low; the masters wait.
func TestStretching(t *testing.T) {
	b := newBoard(t, testbench.CoSim())
	b.ask(0, Device, 0, 0x3c)
	b.Step(60)
	b.Drive(b.p.SCL, 0)
	b.Step(500)
	require.False(t, b.High(b.p.Host[0].Done))
	b.Release(b.p.SCL)
	_, found, _ := b.wait(0)
	require.True(t, found)
	_, data := b.read(1, Device)
	require.Equal(t, 0x3c, data)
}
