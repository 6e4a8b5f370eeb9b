package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
)

// ram is a memory of six words with two write ports, on clk and on other, and
// read ports of each behaviour, on clk.
func ram(width, lanes int) *ir.Design {
	b := simtest.NewBuild("ram")
	other := b.AddInput("other", 1, ir.TypeID(ir.Clock), 0)
	in := func(name string, w int) ir.ID { return b.AddInput(name, w, 0, 0) }
	ra, re := in("ra", 3), in("re", 1)
	mem := ir.Memory{Name: "words", Depth: 6, Width: width, Init: []bits.Value{bits.New(width, 10), bits.New(width, 11)}}
	for k, under := range []ir.Under{ir.Old, ir.New, ir.Undefined} {
		id := b.Add(ir.Node{Op: ir.MemOut, Width: int32(width), Aux2: int32(k)})
		b.SetName(id, under.String())
		mem.Reads = append(mem.Reads, ir.ReadPort{Name: under.String(), Node: id, Clk: b.Clk, Addr: ra, En: re, Under: under})
	}
	for _, p := range []struct {
		name string
		clk  ir.ID
	}{{"w", b.Clk}, {"v", b.Clk}, {"x", other}} {
		w := ir.WritePort{Name: p.name, Clk: p.clk, Addr: in(p.name+"a", 3), Data: in(p.name+"d", width), En: in(p.name+"e", 1)}
		if lanes > 0 {
			w.Mask = in(p.name+"m", lanes)
		}
		mem.Writes = append(mem.Writes, w)
	}
	b.Mems = []ir.Memory{mem}
	b.AddOutput("now", width, 0, b.Put(ir.MemRead, width, ra), 0)
	return simtest.Design(b)
}

type access map[string]uint64

func setAll(t *testing.T, s *sim.Sim, a access) {
	t.Helper()
	for _, sig := range s.Top() {
		if v, ok := a[sig.Base()]; ok {
			require.NoError(t, s.Set(sig, v))
		} else if sig.IsInput() {
			require.NoError(t, s.SetBits(sig, bits.Zero(sig.Width())))
		}
	}
}

func TestReadUnderWrite(t *testing.T) {
	for _, width := range []int{8, 100} {
		s := start(t, ram(width, 0))
		want := func(old, fresh, undefined, now uint64) {
			t.Helper()
			require.EqualValues(t, []uint64{old, fresh, undefined, now},
				[]uint64{get(t, s, "old"), get(t, s, "new"), get(t, s, "undefined"), get(t, s, "now")})
		}
		setAll(t, s, access{"ra": 1, "re": 1})
		want(0, 0, 0, 11)
		s.Step(1)
		want(11, 11, 11, 11)
		setAll(t, s, access{"ra": 1, "re": 1, "wa": 1, "wd": 20, "we": 1})
		s.Step(1)
		want(11, 20, 11, 20)
		setAll(t, s, access{"ra": 1, "re": 1, "wa": 1, "wd": 21, "we": 1, "va": 1, "vd": 22, "ve": 1}) // the later port wins
		s.Step(1)
		want(20, 22, 20, 22)
		setAll(t, s, access{"ra": 1, "wa": 1, "wd": 23, "we": 1}) // read not enabled
		s.Step(1)
		want(20, 22, 20, 23)
		setAll(t, s, access{"ra": 2, "re": 1, "wa": 1, "wd": 24, "we": 1}) // another word; it starts as 0
		s.Step(1)
		want(0, 0, 0, 0)
		setAll(t, s, access{"ra": 1, "re": 1, "xa": 1, "xd": 30, "xe": 1, "wa": 1, "wd": 25, "we": 1}) // x has another clock
		s.Step(1)
		want(24, 25, 24, 30)
		setAll(t, s, access{"ra": 1, "re": 1, "xa": 1, "xd": 31, "xe": 1, "wa": 1, "wd": 26, "we": 1})
		s.Tick(simtest.Sig(t, s, "other"), 1)
		want(24, 25, 24, 31)
		setAll(t, s, access{"ra": 6, "re": 1, "wa": 6, "wd": 99, "we": 1}) // past the end
		s.Step(1)
		want(0, 0, 0, 0)
		setAll(t, s, access{"ra": 7, "wa": 7, "wd": 99, "we": 1})
		s.Step(1)
		words, err := s.Mem("words")
		require.NoError(t, err)
		for addr, want := range []uint64{10, 31, 0, 0, 0, 0, 0, 0} {
			require.True(t, words.Read(addr).Equal(bits.New(width, want)), "word %d", addr)
		}
	}
}

func TestWriteMask(t *testing.T) {
	s := start(t, ram(8, 4)) // lanes of two bits
	setAll(t, s, access{"wa": 3, "wd": 0b11_10_01_11, "wm": 0b0110, "we": 1, "ra": 3, "re": 1})
	s.Step(1)
	require.EqualValues(t, 0b00_10_01_00, get(t, s, "now"))
	require.EqualValues(t, 0b00_10_01_00, get(t, s, "new"))
	require.EqualValues(t, 0, get(t, s, "old"))
	setAll(t, s, access{"wa": 3, "wd": 0xff, "wm": 0b1000, "we": 1, "va": 3, "vd": 0, "vm": 0b1100, "ve": 1, "ra": 3, "re": 1})
	s.Step(1)
	require.EqualValues(t, 0b00_00_01_00, get(t, s, "new"))
	setAll(t, s, access{"wa": 3, "wd": 0xff, "wm": 0, "we": 1, "ra": 3})
	s.Step(1)
	require.EqualValues(t, 0b00_00_01_00, get(t, s, "now"), "an empty mask")

	wide := start(t, ram(129, 3)) // lanes of 43 bits, over word boundaries
	setAll(t, wide, access{"wa": 3, "wm": 0b101, "we": 1, "ra": 3, "re": 1})
	require.NoError(t, wide.SetBits(simtest.Sig(t, wide, "wd"), bits.Ones(129)))
	wide.Step(1)
	word := bits.Concat(bits.Ones(43), bits.Zero(43), bits.Ones(43))
	require.True(t, wide.GetBits(simtest.Sig(t, wide, "now")).Equal(word))
	require.True(t, wide.GetBits(simtest.Sig(t, wide, "new")).Equal(word))
}

// TestConstantMask: a mask that is the constant 0 is not the same as no mask.
func TestConstantMask(t *testing.T) {
	d := ram(8, 4)
	m := d.Top
	m.Mems[0].Writes[0].Mask = m.Const(bits.Zero(4), 0)
	s := start(t, d)
	setAll(t, s, access{"wa": 3, "wd": 0xff, "we": 1, "ra": 3})
	s.Step(1)
	require.EqualValues(t, 0, get(t, s, "now"))
}

func TestMemHandle(t *testing.T) {
	s := start(t, ram(70, 0))
	m, err := s.Mem("words")
	require.NoError(t, err)
	require.Equal(t, []any{"words", 6, 70, ir.UInt}, []any{m.Name(), m.Depth(), m.Width(), m.Type().Kind})
	setAll(t, s, access{"ra": 4})
	require.Zero(t, get(t, s, "now"))
	require.NoError(t, m.Write(4, bits.Ones(70)))
	require.True(t, s.GetBits(simtest.Sig(t, s, "now")).IsOnes(), "an asynchronous read sees it at once")
	require.True(t, m.Read(6).Equal(bits.Zero(70)))
	require.True(t, m.Read(-1).Equal(bits.Zero(70)))
	require.EqualError(t, m.Write(6, bits.Ones(70)), "sim: memory words has no word 6: its depth is 6")
	require.ErrorContains(t, m.Write(0, bits.Ones(8)), "not of 70 bits")
	require.NoError(t, s.Poke(simtest.Sig(t, s, "old"), bits.Ones(70)))
	require.True(t, s.GetBits(simtest.Sig(t, s, "old")).IsOnes())
	s.Restart()
	require.True(t, m.Read(4).IsZero(), "as at power-up")
	require.EqualValues(t, 11, m.Read(1).Uint64())
	_, err = s.Mem("wrods")
	require.EqualError(t, err, `sim: no memory "wrods" in ram; nearest: words`)
	_, err = s.Signal("words")
	require.EqualError(t, err, `sim: words is a memory: Mem("words") gives its words`)
}
