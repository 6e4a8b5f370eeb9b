package runfile

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"etch/designs/examples/counter"
	"etch/designs/examples/rv32i"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"

	"github.com/stretchr/testify/require"
)

// before is the number of bytes before the design.
const before = len("etch run 5\n") + 8 + 8 + 4

// counted returns a simulator of a counter that has recorded 20 cycles.
func counted(t testing.TB) *sim.Sim {
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	s, err := sim.New(d, sim.WithSeed(3))
	require.NoError(t, err)
	s.Record(1 << 20)
	s.Reset()
	en, err := s.Signal("en")
	require.NoError(t, err)
	for i := range 19 {
		require.NoError(t, s.Set(en, uint64(i)&1))
		s.Step(1)
	}
	return s
}

// file is the run of a simulator as a file.
func file(t testing.TB, s *sim.Sim) []byte {
	var b bytes.Buffer
	require.NoError(t, replay.Write(&b, s.Design(), s.Recorded()))
	return b.Bytes()
}

// A file is written and opened, and refused with one error when it is anything else.
func TestFile(t *testing.T) {
	s := counted(t)
	path := filepath.Join(t.TempDir(), "counter.run")
	require.NoError(t, replay.Create(path, s.Design(), s.Recorded()))
	r, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, r.Go(20))
	count, err := r.Sim().Signal("count")
	require.NoError(t, err)
	require.EqualValues(t, 9, r.Sim().Get(count))
	require.ErrorContains(t, r.Go(21), "cycle 20 to 21: the recording has cycles 0 to 20")
	require.NoError(t, r.Go(2), "an error leaves the run where it was")

	whole := file(t, s)
	bad := func(b []byte, part string) {
		t.Helper()
		_, err := Read(b, "x.run")
		require.ErrorContains(t, err, part)
		require.ErrorContains(t, err, "x.run")
		require.NotContains(t, err.Error(), "\n")
	}
	bad(nil, "is no run")
	bad([]byte("etch run 7\nabc"), `of another version: it begins with "etch run 7"`)
	bad(whole[:len("etch run 5\n")+3], "cut short")
	for _, n := range []int{before, before + 100, len(whole) - 1} {
		bad(whole[:n], "cut short")
	}
	bad(append(whole[:len(whole):len(whole)], 0), "1 bytes behind its end")
	changed := bytes.Clone(whole)
	changed[len(changed)-4] ^= 1
	bad(changed, "its checksum is wrong")
	_, err = Open(filepath.Join(t.TempDir(), "none.run"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A set that changes a value of up to 16 bits takes at most 4 bytes, with its edge; one that
// changes nothing none; a million edges together a few bytes.
func TestSize(t *testing.T) {
	s := counted(t)
	size := s.Recorded().Bytes()
	en, err := s.Signal("en")
	require.NoError(t, err)
	for i := range 1000 {
		require.NoError(t, s.Set(en, uint64(i+1)&1)) // en is 0
		s.Step(1)
	}
	require.LessOrEqual(t, s.Recorded().Bytes()-size, 4*1000)
	size = s.Recorded().Bytes()
	for range 1000 {
		require.NoError(t, s.Set(en, 0))
		s.Step(100)
	}
	require.LessOrEqual(t, s.Recorded().Bytes()-size, 8)
}

// TestSizeOfWords: a set that changes a value of 16 bits takes at most 4 bytes with its edge, whatever
// the values are.
func TestSizeOfWords(t *testing.T) {
	type ports struct{ In, Out hw.UInt }
	d, _, err := hw.Build(hw.Func("word", ports{In: hw.In(hw.Unsigned(16)), Out: hw.Out(hw.Unsigned(16))}, func(m *hw.Module, p ports) {
		held := hw.Reg(m, "held", hw.Unsigned(16), hw.U(0))
		held.Set(p.In)
		p.Out.Set(held)
	}))
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Record(1 << 20)
	s.Reset()
	in, err := s.Signal("in")
	require.NoError(t, err)
	size := s.Recorded().Bytes()
	const sets = 5000
	r := rand.New(rand.NewPCG(1, 1))
	for range sets {
		require.NoError(t, s.Set(in, r.Uint64N(1<<16)))
		s.Step(1)
	}
	took := s.Recorded().Bytes() - size
	require.LessOrEqual(t, took, 4*sets+8) // 8: the recording has entries of its own
	t.Logf("%.3f bytes a set", float64(took)/sets)
}

// FuzzRead reads damaged recordings of a counter: a reader that is past the checksum gives an
// error or a run, of which every cycle can be reached or gives an error.
func FuzzRead(f *testing.F) {
	s := counted(f)
	whole := file(f, s)
	recording, err := s.Recorded().Encode()
	require.NoError(f, err)
	design := whole[before : len(whole)-len(recording)]
	f.Add(recording)
	f.Add([]byte{})
	s.Record(10) // its begin is dropped
	en, err := s.Signal("en")
	require.NoError(f, err)
	for i := range 20 {
		require.NoError(f, s.Set(en, uint64(i+1)&1))
		s.Step(1)
	}
	late, err := s.Recorded().Encode()
	require.NoError(f, err)
	f.Add(late)
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := Read(b, "fuzz.run"); err == nil {
			_ = r.Go(0)
		}
		r, err := read(design, b, "fuzz.run")
		if err != nil {
			return
		}
		first, last := r.Cycles()
		_ = r.Go(min(last, first+100))
		_ = r.Go(first)
	})
}

// BenchmarkAccess goes to random cycles of a run of a million cycles of a processor and reads
// its named signals for 1,000 cycles.
func BenchmarkAccess(b *testing.B) {
	d, _, err := hw.Build(rv32i.Core{Words: 1024, Program: []uint32{0x00100093, 0x00108093, 0xffdff06f}})
	require.NoError(b, err)
	s, err := sim.New(d)
	require.NoError(b, err)
	s.Record(64 << 20)
	s.Reset()
	s.Step(1_000_000)
	r, err := replay.Of(s.Recorded())
	require.NoError(b, err)
	require.NoError(b, r.Go(1_000_000))
	var sigs []sim.Signal
	for sig := range r.Sim().Signals() {
		sigs = append(sigs, sig)
	}
	sigs = sigs[:min(35, len(sigs))]
	cycle := uint64(0)
	for b.Loop() {
		cycle = (cycle + 618_034_001) % 999_000
		for i := range uint64(1000) {
			require.NoError(b, r.Go(cycle+i))
			for _, sig := range sigs {
				r.Sim().Get(sig)
			}
		}
	}
}
