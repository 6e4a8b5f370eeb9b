package rv32i

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i/asm"
	"etch/hw"
	"etch/sim"
	"etch/sim/fst"
	"etch/sim/vcd"
)

// counter counts the bytes written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// busyProgram makes random numbers, keeps some and puts them out, for ever.
const busyProgram = `
        li   a0, 0x80000000     # out
        li   a1, 1
        li   a2, data
again:  slli t0, a1, 13
        xor  a1, a1, t0
        srli t0, a1, 17
        xor  a1, a1, t0
        slli t0, a1, 5
        xor  a1, a1, t0
        andi t1, a1, 60
        add  t1, t1, a2
        lw   t2, 0(t1)
        add  t2, t2, a1
        bltz t2, again
        sw   t2, 0(t1)
        sw   t2, 0(a0)
        j    again
data:   .word 0
`

// BenchmarkTrace gives cycles per second of a busy processor with all its signals
// traced, or with the last 1000 events kept for a trigger that does not come, and
// the bytes that a cycle takes in the file. A traced simulator runs one body for
// all states, as none/plain does: a trace is to be compared with that.
func BenchmarkTrace(b *testing.B) {
	prog, err := asm.Assemble(busyProgram)
	require.NoError(b, err)
	d, _, err := hw.Build(Core{Words: 1024, Program: prog})
	require.NoError(b, err)
	for _, f := range []struct {
		name string
		make func(io.Writer) sim.Tracer
	}{
		{"none", nil},
		{"none/plain", nil},
		{"none/interpreter", nil},
		{"vcd", func(w io.Writer) sim.Tracer { return vcd.New(w) }},
		{"fst", func(w io.Writer) sim.Tracer { return fst.New(w) }},
		{"history", func(w io.Writer) sim.Tracer {
			never := func(*sim.Sim) bool { return false }
			return &sim.Window{Tracer: fst.New(w), Trigger: never, Before: 1000}
		}},
	} {
		b.Run("format="+f.name, func(b *testing.B) {
			var opts []sim.Option
			switch f.name {
			case "none/plain":
				opts = append(opts, sim.WithoutSpecialisation())
			case "none/interpreter":
				opts = append(opts, sim.WithEngine(sim.Interpreter))
			}
			s, err := sim.New(d, opts...)
			require.NoError(b, err)
			ready, err := s.Signal("out_ready")
			require.NoError(b, err)
			require.NoError(b, s.Set(ready, 1))
			s.Reset()
			var file counter
			var w sim.Tracer
			if f.make != nil {
				w = f.make(&file)
				require.NoError(b, s.Trace(w))
			}
			const chunk = 100
			for b.Loop() {
				s.Step(chunk)
			}
			if c, ok := w.(io.Closer); ok {
				require.NoError(b, c.Close())
			}
			require.NoError(b, s.Err())
			b.ReportMetric(float64(s.Cycles())/b.Elapsed().Seconds(), "cycles/s")
			b.ReportMetric(float64(file.n)/float64(s.Cycles()), "bytes/cycle")
		})
	}
}
