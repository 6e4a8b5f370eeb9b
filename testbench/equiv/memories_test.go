package equiv_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/equiv"
)

type storePorts struct {
	WA, RA, X, Y, Z hw.UInt
	WE              hw.Bit
	Mask            hw.UInt
}

// store is a memory of 65,536 words, larger than what is expanded, that adds to what
// is there, and is read at once and with the clock.
type store struct {
	words int
	form  string
}

func (s store) Ports() storePorts {
	a, w := hw.AddressOf(s.words), hw.Unsigned(8)
	return storePorts{
		WA: hw.In(a), RA: hw.In(a), X: hw.In(w), Y: hw.Out(w), Z: hw.Out(w),
		WE: hw.In(hw.Bit{}), Mask: hw.In(hw.Unsigned(2)),
	}
}

func (s store) Build(m *hw.Module, p storePorts) {
	name := "mem"
	if s.form == "renamed" {
		name = "ram"
	}
	mem := hw.Mem(m, name, s.words, hw.Unsigned(8))
	y := mem.SyncRead("y", p.RA, hw.Old)
	z := mem.Read(p.WA)
	data := z.Add(p.X)
	we, ra := p.WE, p.WA
	switch s.form {
	case "dropped": // at one address nothing is written
		we = we.And(p.WA.Is(0x1234 % s.words).Not())
	case "wrong data": // at one address, of one word
		data = hw.Mux(p.WA.Is(0xabc%s.words).And(z.Is(77)), data.Inc(), data)
	case "other address":
		ra = hw.Mux(p.WA.Is(9), p.WA.Lit(8), p.WA)
	}
	switch s.form {
	case "read and write": // the masked bits are what was there
		low := hw.Mux(p.Mask.Bit(0), data.Range(3, 0), z.Range(3, 0))
		high := hw.Mux(p.Mask.Bit(1), data.Range(7, 4), z.Range(7, 4))
		m.When(we, func() { mem.Write(ra, hw.Cat(high, low)) })
	case "two ports": // of which one does nothing that the other does not
		m.When(we, func() { mem.WriteMask(ra, data, p.Mask) })
		m.When(we.And(p.Mask.Is(3)), func() { mem.Write(ra, data) })
	default:
		m.When(we, func() { mem.WriteMask(ra, data, p.Mask) })
	}
	if s.form == "read late" {
		y = hw.Mux(p.RA.Is(s.words-1), y.Inc(), y)
	}
	p.Y.Set(y)
	p.Z.Set(z)
}

// TestLargeMemories: designs with memories that are not expanded are proved equal
// where these are used alike, and mistakes in single words are found.
func TestLargeMemories(t *testing.T) {
	d := made(t, store{65536, ""})
	for _, form := range []string{"", "renamed", "read and write", "two ports"} {
		options := []equiv.Option{equiv.FromPowerUp(), equiv.Reset(2), equiv.FromZero()}
		if testing.Short() {
			options = options[1:2]
		}
		for _, opt := range options {
			start := time.Now()
			r := equiv.CheckDesigns(t, d, made(t, store{65536, form}), opt, equiv.WithoutABC())
			t.Log(form, time.Since(start).Round(time.Millisecond), r)
		}
	}
	wrong := []string{"dropped", "wrong data", "other address", "read late"}
	if testing.Short() {
		wrong = wrong[:1]
	}
	for _, form := range wrong {
		start := time.Now()
		r, err := equiv.Compare(d, made(t, store{65536, form}), equiv.Reset(1), equiv.WithoutABC())
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, "%s: %v", form, r)
		t.Log(form, time.Since(start).Round(time.Millisecond), r)
	}
	// The same through other languages.
	for name, back := range map[string]*ir.Design{"firrtl": throughFIRRTL(t, d), "verilog": throughVerilog(t, d)} {
		start := time.Now()
		r := equiv.CheckDesigns(t, d, back, equiv.WithoutABC())
		t.Log(name, time.Since(start).Round(time.Millisecond), r)
	}
}

// TestMemoriesAgainstExpanded: small memories have the same answer without their
// words, and with some of them, as expanded.
func TestMemoriesAgainstExpanded(t *testing.T) {
	for _, form := range []string{"", "renamed", "two ports", "dropped", "wrong data", "other address", "read late"} {
		other := made(t, store{16, form})
		want, err := equiv.Compare(made(t, store{16, ""}), other, equiv.WithoutABC())
		require.NoError(t, err)
		got, err := equiv.Compare(made(t, store{16, ""}), other, equiv.MaxMemory(64), equiv.WithoutABC())
		require.NoError(t, err)
		require.Equal(t, want.Outcome, got.Outcome, "%s: %v\n%v", form, want, got)
	}
}

// TestLargeContents: what large memories hold at the start counts.
func TestLargeContents(t *testing.T) {
	type ports struct{ A, Y hw.UInt }
	table := func(words int, wrong int) hw.Component[ports] {
		return hw.Func("table", ports{hw.In(hw.AddressOf(words)), hw.Out(hw.Unsigned(8))}, func(m *hw.Module, p ports) {
			init := make([]uint64, words)
			for i := range init {
				v := uint64(i*i>>3) & 255
				if i == wrong {
					v ^= 1
				}
				init[i] = v
			}
			mem := hw.Mem(m, "mem", words, hw.Unsigned(8), hw.Contents(init...))
			y := mem.Read(p.A)
			m.When(y.Is(255), func() { mem.Write(p.A, y.Lit(0)) })
			p.Y.Set(y)
		})
	}
	d := made(t, table(4096, -1))
	t.Log(equiv.CheckDesigns(t, d, made(t, table(4096, -1)), equiv.WithoutABC()))
	start := time.Now()
	r, err := equiv.Compare(d, made(t, table(4096, 3210)), equiv.WithoutABC())
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome, "%v", r)
	t.Log(time.Since(start).Round(time.Millisecond), r)
}

// TestLargeAssertions: assertions beside large memories.
func TestLargeAssertions(t *testing.T) {
	queue := func(depth, limit int) hw.Component[delayPorts] {
		return hw.Func("queue", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
			mem := hw.Mem(m, "mem", depth, hw.Unsigned(4))
			at := hw.Reg(m, "at", hw.AddressOf(depth), hw.U(0))
			m.When(p.Go, func() {
				mem.Write(at, p.X)
				at.Set(hw.Mux(at.Is(limit), at.Lit(0), at.Inc()))
			})
			m.Assert(at.Gt(at.Lit(limit)).Not(), "at is %d", at)
			wrote := hw.Reg(m, "wrote", hw.Bit{}, hw.B(false))
			last, where := hw.Reg(m, "last", hw.Unsigned(4)), hw.Reg(m, "where", hw.AddressOf(depth))
			wrote.Set(p.Go)
			last.Set(p.X)
			where.Set(at)
			m.Assert(mem.Read(where).Eq(last).Or(wrote.Not()), "the word is lost")
			m.Assert(mem.Read(where).Eq(last.Lit(3)).Not().Or(wrote.Not()), "the word is 3")
			p.Y.Set(mem.Read(at))
		})
	}
	t.Log(equiv.Prove(t, queue(65536, 40000), "at is", equiv.WithoutABC()))
	t.Log(equiv.BoundedDesign(t, made(t, queue(65536, 40000)), 4, equiv.Hold("x", bits.New(4, 2)), equiv.WithoutABC()))
	r, err := equiv.VerifyBounded(made(t, queue(65536, 40000)), 4, equiv.WithoutABC())
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome)
	require.Contains(t, r.String(), "the word is 3")
	r, err = equiv.Verify(made(t, queue(65536, 40000)), "lost", equiv.WithoutABC(), equiv.Limit(2*time.Second))
	require.NoError(t, err)
	require.Equal(t, equiv.Unknown, r.Outcome)
	require.Contains(t, r.Why, "mem not expanded, of more than 16384 bits")
}
