package view

import (
	"os"
	"path/filepath"
	"testing"

	"etch/designs/examples/counter"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/replay/runfile"
	"etch/testbench/randcircuit"

	"github.com/stretchr/testify/require"
)

// recordedPage is the page of the run that a test makes of a design.
func recordedPage(t *testing.T, d *ir.Design, test func(s *sim.Sim, set func(string, uint64)), opts ...sim.Option) page {
	t.Helper()
	s, err := sim.New(d, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	s.Record(1 << 20)
	s.Reset()
	test(s, func(name string, value uint64) {
		sig, err := s.Signal(name)
		require.NoError(t, err)
		require.NoError(t, s.Set(sig, value))
	})
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	return page{t, Recorded(run)}
}

// built is the design of a component.
func built[P any](t *testing.T, c hw.Component[P]) *ir.Design {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	return d
}

// all is the values of the top at a cycle.
func (p page) all(cycle uint64) map[string]string {
	p.t.Helper()
	return ask[map[string]string](p, "GET", "values", "cycle", itoa(cycle))
}

// A fork that sets nothing goes on as the recording does where that sets nothing either. In the
// fork all signals have the recorded values, before and behind its begin.
func TestForkGoesOn(t *testing.T) {
	for _, from := range []uint64{0, 1, 30, 64, 100} {
		p := recordedPage(t, built(t, uart.Tx{ClocksPerBit: 4}), func(s *sim.Sim, set func(string, uint64)) {
			set("bytes_data", 0x55)
			set("bytes_valid", 1)
			s.Step(99)
		})
		var want []map[string]string
		for cycle := range uint64(101) {
			want = append(want, p.all(cycle))
		}
		require.Equal(t, span{0, from, from}, ask[span](p, "POST", "fork", "cycle", itoa(from)))

		// The fork of cycle 0 has a reset that never ends, which the recording has not.
		end := uint64(100)
		if from == 0 {
			end = 0
		}
		ask[span](p, "POST", "run", "to", itoa(max(end, from)))
		for _, cycle := range []uint64{0, 100, 1, 65, 29, 99, 30, 31, 63, 64, 2} {
			if cycle <= end {
				require.Equal(t, want[cycle], p.all(cycle), "fork of %d, cycle %d", from, cycle)
			}
		}
		require.NotEmpty(t, ask[[]reason](p, "GET", "why", "name", "line", "cycle", itoa(end)))
	}
}

// A fork takes inputs and registers from its cycle on, and begins anew where one is set before it.
func TestForkSet(t *testing.T) {
	p := recordedPage(t, built(t, counter.Counter{Width: 8}), func(s *sim.Sim, set func(string, uint64)) {
		for k := range uint64(300) {
			set("en", k&1)
			s.Step(1)
		}
	})
	recorded := p.all(4)["count"]
	p.fails("POST", "set", []string{"name", "en", "value", "1"}, "a recorded run has its inputs: fork it")
	p.fails("POST", "run", []string{"to", "302"}, "ends at cycle 301: fork it")
	ask[span](p, "POST", "fork", "cycle", "201")
	p.fails("POST", "fork", nil, "only a recorded run is forked")
	require.Equal(t, "100", p.all(201)["count"])
	ask[span](p, "POST", "set", "name", "en", "value", "1", "cycle", "201")
	require.Equal(t, span{0, 2000, 2000}, ask[span](p, "POST", "run", "to", "2000"))
	require.Equal(t, "110", p.all(211)["count"])
	require.Equal(t, recorded, p.all(4)["count"])
	require.Equal(t, itoa((100+1799)%256), p.all(2000)["count"])
	require.Equal(t, "100", p.all(201)["count"])
	ask[span](p, "POST", "set", "name", "count", "value", "7", "cycle", "300")
	ask[span](p, "POST", "run", "to", "310")
	require.Equal(t, "17", p.all(310)["count"])
	about := ask[struct {
		Live   bool
		Forked uint64
	}](p, "GET", "design")
	require.True(t, about.Live)
	require.Equal(t, uint64(201), about.Forked)

	// Waves, coverage and a search lead over the place, and files for GTKWave are written.
	w := ask[struct{ Waves []wave }](p, "GET", "waves", "signals", "count", "from", "198", "to", "204").Waves
	require.Equal(t, []change{{198, "98"}, {199, "99"}, {201, "100"}, {202, "101"}, {203, "102"}, {204, "103"}}, w[0].Changes)
	require.Equal(t, uint64(200), ask[span](p, "POST", "until", "condition", "count == 99", "cycle", "310", "back", "1").Cycle)
	require.NotEmpty(t, ask[struct{ Modules []any }](p, "GET", "coverage").Modules)
	p.v.dir = t.TempDir()
	ask[saved](p, "POST", "gtkwave", "signals", "count", "from", "150")
	_, err := os.Stat(filepath.Join(p.v.dir, "counter.fst"))
	require.NoError(t, err)

	// Before the fork: recorded up to cycle 3, and never enabled from there on.
	require.Equal(t, span{0, 3, 3}, ask[span](p, "POST", "set", "name", "en", "value", "0", "cycle", "3"))
	ask[span](p, "POST", "run", "to", "50")
	require.Equal(t, p.all(3)["count"], p.all(50)["count"])
	require.Equal(t, "0", p.all(50)["en"])
}

// A run in a file, whose design has been read from text, is forked too.
func TestForkFile(t *testing.T) {
	d := built(t, counter.Counter{Width: 8})
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	s.Record(1 << 20)
	s.Reset()
	en, err := s.Signal("en")
	require.NoError(t, err)
	require.NoError(t, s.Set(en, 1))
	s.Step(20)
	path := filepath.Join(t.TempDir(), "counter.run")
	require.NoError(t, replay.Create(path, d, s.Recorded()))

	run, err := runfile.Open(path)
	require.NoError(t, err)
	p := page{t, Recorded(run)}
	ask[span](p, "POST", "fork", "cycle", "11")
	ask[span](p, "POST", "set", "name", "count", "value", "100", "cycle", "11")
	ask[span](p, "POST", "run", "to", "31")
	require.Equal(t, "120", p.all(31)["count"])
	require.Equal(t, "9", p.all(10)["count"])
}

// silent is a Model whose outputs are 0.
type silent struct{ m *ir.Module }

func (x silent) Eval(_, out []bits.Value) {
	i := 0
	for _, p := range x.m.Ports {
		if p.Dir != ir.In {
			out[i] = bits.Zero(p.Width)
			i++
		}
	}
}

func (silent) Tick(int, []bits.Value) {}
func (silent) Depends(int, int) bool  { return false }

// A run with black boxes is not forked, and stays as it was.
func TestForkBoxes(t *testing.T) {
	for seed := range uint64(100) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: 3, State: true, Extern: true})
		opts := []sim.Option{sim.WithOutput(nil)}
		for _, m := range d.Modules {
			if m.Extern != nil {
				opts = append(opts, sim.WithModel(m.Name, func() sim.Model { return silent{m} }))
			}
		}

		// A Model without an instance is an error.
		if s, err := sim.New(d, opts...); err != nil || len(opts) == 1 {
			continue
		} else if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		p := recordedPage(t, d, func(s *sim.Sim, _ func(string, uint64)) { s.Step(9) }, opts...)
		p.fails("POST", "fork", []string{"cycle", "5"}, "this run has black boxes, of which it knows the recorded outputs only")
		require.Equal(t, span{0, 10, 5}, ask[struct{ Span span }](p, "GET", "design").Span)
		p.fails("POST", "run", []string{"to", "20"}, "the recorded run ends at cycle 10")
		return
	}
	require.Fail(t, "no circuit has an instance of a black box")
}

// Forks stand beside each other and beside the recording, in their own simulators, and a request names
// the one that it is about.
func TestForks(t *testing.T) {
	p := recordedPage(t, built(t, counter.Counter{Width: 8}), func(s *sim.Sim, set func(string, uint64)) {
		set("en", 1)
		s.Step(40)
	})
	count := func(fork, cycle string) string {
		t.Helper()
		return ask[map[string]string](p, "GET", "values", "cycle", cycle, "fork", fork)["count"]
	}
	for i, from := range []string{"11", "21", "31"} {
		made := ask[struct{ Fork, Last uint64 }](p, "POST", "fork", "cycle", from, "fork", "0")
		require.Equal(t, uint64(i+1), made.Fork)
		require.Equal(t, from, itoa(made.Last))
		ask[span](p, "POST", "set", "name", "count", "value", itoa(uint64(100*i)), "cycle", from)
		ask[span](p, "POST", "run", "to", "50")
	}
	for range 2 {
		require.Equal(t, "39", count("1", "50"))
		require.Equal(t, "40", count("0", "41"))
		require.Equal(t, itoa(200+19), count("3", "50"))
		require.Equal(t, itoa(100+29), count("2", "50"))
		require.Equal(t, "5", count("2", "6"))
		require.Equal(t, "30", count("0", "31"))
	}
	p.fails("GET", "values", []string{"cycle", "1", "fork", "4"}, "the address names fork 4 of the run, which this server does not have: it has 3")
	p.fails("GET", "values", []string{"cycle", "1", "fork", "x"}, "is not a number")
	for range mostForks - 3 {
		ask[span](p, "POST", "fork", "cycle", "3", "fork", "0")
	}
	p.fails("POST", "fork", []string{"cycle", "3", "fork", "0"}, "this run has 32 forks already")
}
