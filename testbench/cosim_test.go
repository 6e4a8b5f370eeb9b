package testbench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// judged sets the environment so that every bench of the test is judged by these
// tools, and skips the test where one is missing. Verilator is left out of
// short runs.
func judged(t *testing.T, names ...string) {
	t.Helper()
	var kept []string
	for _, name := range names {
		if name == "verilator" && testing.Short() {
			continue
		}
		tools.Need(t, name)
		kept = append(kept, name)
	}
	t.Setenv("ETCH_COSIM", strings.Join(kept, ","))
}

// agrees runs a body that must pass, and be judged.
func agrees(t *testing.T, body func(t testing.TB)) {
	t.Helper()
	f := passes(t, body)
	for _, tool := range strings.Split(os.Getenv("ETCH_COSIM"), ",") {
		answers, err := filepath.Glob(filepath.Join(f.dir, "*", tool, "response.hex"))
		require.NoError(t, err)
		require.NotEmpty(t, answers, "%s was not asked", tool)
		for _, a := range answers {
			st, err := os.Stat(a)
			require.NoError(t, err)
			require.NotZero(t, st.Size())
		}
	}
}

func TestCoSim(t *testing.T) {
	judged(t, "iverilog", "verilator")
	agrees(t, func(t testing.TB) {
		s, p := New(t, pipe(3))
		in, out := NewSource(s, p.In, Pauses(0.3, 1)), NewSink(s, p.Out, Pauses(0.3, 2))
		in.Send(words(50)...)
		s.StepUntil(func() bool { return len(out.Got()) == 25 }, 1000)
		s.Reset()
		s.Step(100)
	})
	agrees(t, func(t testing.TB) { // several clocks, together and apart
		s, p := New(t, two)
		r := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			s.Set(p.InA, r.IntN(256))
			switch r.IntN(3) {
			case 0:
				s.Tick(p.A.Clk)
			case 1:
				s.Tick(p.B.Clk)
			case 2:
				s.Tick(p.B.Clk, p.A.Clk)
			}
		}
	})
	agrees(t, func(t testing.TB) { // ports of 1, 64, 100 and 129 bits
		s, p := New(t, through)
		for _, v := range []bits.Value{bits.Zero(129), bits.Ones(129), bits.Ones(129).Shl(128), bits.FromWords(129, []uint64{0x0123456789abcdef, 0xfedcba9876543210, 1})} {
			s.SetBits(p.Deep, v)
			s.SetBits(p.Wide, v.Trunc(100))
			s.SetBits(p.Long, v.Trunc(64))
			s.SetBits(p.Bit, v.Slice(128, 1))
			s.Step(1)
		}
	})
}

// What a test sees between edges is compared too, and a design needs no clock.
func TestCoSimLooks(t *testing.T) {
	judged(t, "iverilog", "verilator")
	type ports struct{ A, B, Y hw.UInt }
	u := func() hw.UInt { return hw.Unsigned(70) }
	xor := hw.Func("xor70", ports{hw.In(u()), hw.In(u()), hw.Out(u())}, func(m *hw.Module, p ports) { p.Y.Set(p.A.Xor(p.B)) })
	agrees(t, func(t testing.TB) {
		s, p := New(t, xor)
		for i := range 20 {
			s.Set(p.A, i*0x123456789)
			s.GetBits(p.Y)
			s.SetBits(p.B, bits.Ones(70).Shr(uint64(i)))
			s.High(p.Y)
		}
	})
}

func TestCoSimMemoriesAndResets(t *testing.T) {
	judged(t, "iverilog", "verilator")
	type ports struct {
		Clk                     hw.Clock
		Rst                     hw.Reset
		En                      hw.Bit
		Addr, Data              hw.UInt
		Now, Old, Fresh, Filled hw.UInt
		Count                   hw.UInt
	}
	word := func() hw.UInt { return hw.Out(hw.Unsigned(72)) }
	shape := ports{hw.In(hw.Clock{}), hw.In(hw.AsyncReset()), hw.In(hw.Bit{}), hw.In(hw.Unsigned(4)), hw.In(hw.Unsigned(72)),
		word(), word(), word(), word(), hw.Out(hw.Unsigned(8))}
	c := hw.Func("stateful", shape, func(m *hw.Module, p ports) {
		m = m.On(hw.Domain{Clk: p.Clk, Rst: p.Rst})
		plain := hw.Mem(m, "plain", 11, hw.Unsigned(72))
		filled := hw.Mem(m, "filled", 11, hw.Unsigned(72), hw.Contents(0, 1, 4, 9, 16, 25))
		p.Now.Set(plain.Read(p.Addr))
		p.Old.Set(plain.SyncRead("old", p.Addr, ir.Old))
		p.Fresh.Set(plain.SyncRead("fresh", p.Addr, ir.New))
		p.Filled.Set(filled.SyncRead("q", p.Addr, ir.Undefined))
		m.When(p.En, func() {
			plain.Write(p.Addr, p.Data)
			filled.Write(p.Addr, p.Data)
		})
		count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(200))
		m.When(p.En, func() { count.Set(count.Inc()) })
		p.Count.Set(count)
	})
	agrees(t, func(t testing.TB) {
		s, p := New(t, c)
		r := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			s.Set(p.En, r.IntN(2))
			s.Set(p.Addr, r.IntN(16)) // 11 words: beyond the end too
			s.Set(p.Data, r.IntN(1<<60))
			s.Step(1)
			if r.IntN(20) == 0 { // takes effect without an edge, and without a look
				s.Set(p.Rst, 1)
				s.Set(p.Rst, 0)
				s.Expect(p.Count, 200)
			}
		}
	})
}

// Random circuits: every op, odd widths, memories of all kinds, hierarchy.
func TestCoSimRandom(t *testing.T) {
	judged(t, "iverilog", "verilator")
	tried := 0
	for seed := uint64(0); tried < 4; seed++ {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 30, Modules: int(seed % 3), State: true, Falls: seed%2 == 0, Widths: []int{1, 7, 8, 31, 32, 33, 64, 65, 129}})
		if passesAnotherClock(d) {
			continue
		}
		tried++
		agrees(t, func(t testing.TB) {
			s := Run(t, d, WithoutReset())
			drive(s, d, seed)
		})
	}
}

// passesAnotherClock reports whether a design has a memory that passes what is
// being written on to a reader, and a writer whose clock goes by another name:
// the simulator knows when the two are one clock, a module of Verilog does not.
func passesAnotherClock(d *ir.Design) bool {
	for _, m := range d.Modules {
		for i := range m.Mems {
			for _, r := range m.Mems[i].Reads {
				for _, w := range m.Mems[i].Writes {
					if r.Under == ir.New && r.Clk != w.Clk {
						return true
					}
				}
			}
		}
	}
	return false
}

// drive gives a design random inputs, and edges of one clock at a time: Verilog
// leaves open who wins when two clocks write to one word at the same moment.
func drive(s *Bench, d *ir.Design, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	var clocks []sim.Signal
	for _, sig := range s.Sim.Top() {
		if sig.IsClock() {
			clocks = append(clocks, sig)
		}
	}
	for range 50 {
		for i, sig := range s.Sim.Top() {
			if !sig.IsInput() || r.IntN(2) == 0 || isReset(d.Top.TypeOf(d.Top.Ports[i].Type).Kind) && r.IntN(8) > 0 {
				continue
			}
			words := make([]uint64, bits.WordCount(sig.Width()))
			for k := range words {
				words[k] = r.Uint64()
			}
			bits.MaskWords(words, sig.Width())
			if err := s.Sim.SetBits(sig, bits.FromWords(sig.Width(), words)); err != nil {
				panic(err)
			}
		}
		s.Sim.Tick(clocks[r.IntN(len(clocks))], 1)
	}
}

// adder is a black box: Verilog that a test has written, and a model of it.
type adder struct{ file string }

type adderPorts struct {
	Clk  hw.Clock
	A, Y hw.UInt
}

func (a adder) Ports() adderPorts {
	return adderPorts{hw.In(hw.Clock{}), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))}
}

func (a adder) Build(m *hw.Module, p adderPorts) {
	m = m.On(hw.Domain{Clk: p.Clk})
	y := hw.Reg(m, "y", hw.Unsigned(8))
	y.Set(p.A.Inc())
	p.Y.Set(y)
}

func (a adder) Verilog() hw.Verilog {
	v := hw.Verilog{Module: "adder"}
	if a.file != "" {
		v.Files = []string{a.file}
	}
	return v
}

// around has an adder inside.
func around(file string) hw.Component[adderPorts] {
	return hw.Func("around", adder{}.Ports(), func(m *hw.Module, p adderPorts) {
		p.Y.Set(hw.Inst(m, "inner", adder{file}, adderPorts{Clk: p.Clk, A: p.A}).Y)
	})
}

const adderVerilog = `module adder(input clk, input [7:0] a, output reg [7:0] y);
  %s
  always @(posedge clk) y <= a + 8'd1 %s;
endmodule
`

// use makes a test of a design with a black box of that Verilog.
func use(t *testing.T, initial, more string) func(t testing.TB) {
	file := filepath.Join(t.TempDir(), "adder.v")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, adderVerilog, initial, more), 0o666))
	return func(t testing.TB) {
		s, p := New(t, around(file))
		for i := range 20 {
			s.Set(p.A, i)
			s.Step(1)
			s.Expect(p.Y, i+1)
		}
	}
}

// A co-simulation that cannot fail is a defect: here the Verilog is wrong.
func TestCoSimFails(t *testing.T) {
	for _, tool := range []string{"iverilog", "verilator"} {
		if tool == "verilator" && testing.Short() {
			continue
		}
		judged(t, tool)
		agrees(t, use(t, "initial y = 0;", ""))
		wrong := use(t, "initial y = 0;", "+ (a == 8'd7)")
		fails(t, wrong, "the emitted Verilog of around differs under "+tool,
			"cycle 7, after the edge: y = 8'h09, want 8'h08", "cycle 8, before the edge: y = 8'h09, want 8'h08")
		f := attempt(t, wrong)
		for _, name := range []string{"stimulus.hex", "expected.hex", tool + "/design.v", tool + "/shell.v", tool + "/response.hex"} {
			kept, err := filepath.Glob(filepath.Join(f.dir, "artifacts", "cosim-*", name))
			require.NoError(t, err)
			require.Len(t, kept, 1, name)
		}
	}
	judged(t, "iverilog")
	fails(t, use(t, "", ""), "cycle 0, before the edge: y = 8'hxx, want 8'h00") // unknown at power-up
	fails(t, use(t, "initial y = 0;", "+"), "building the model", "syntax error")
	fails(t, use(t, "initial #25 $finish;", ""), "the simulation ended early")
	body := use(t, "initial begin y = 0; #40 while (1) y = 0; end", "")
	fails(t, func(t testing.TB) {
		t.(*fake).deadline = time.Now().Add(3 * time.Second) // of which two are left for the rest
		body(t)
	}, "running the model: it does not end")
}

func TestCoSimWithoutVerilog(t *testing.T) {
	tools.Need(t, "iverilog")
	body := func(opts ...Option) func(t testing.TB) {
		return func(t testing.TB) { s, _ := New(t, around(""), opts...); s.Step(1) }
	}
	t.Setenv("ETCH_COSIM", "iverilog")
	require.Contains(t, passes(t, body()).logs[0], "co-simulation skipped: black box adder: no Verilog file")
	t.Setenv("ETCH_COSIM", "")
	if testing.Short() {
		return // the option does nothing
	}
	fails(t, body(CoSim("iverilog")), "black box adder: no Verilog file")
	fails(t, func(t testing.TB) { s, _ := New(t, around("gone.v"), CoSim("iverilog")); s.Step(1) }, "gone.v: no such file")
	fails(t, func(t testing.TB) { New(t, two, CoSim("vcs")) }, `no tool "vcs"; there are iverilog, verilator`)
	t.Setenv("ETCH_COSIM", "off")
	require.Empty(t, passes(t, body(CoSim("iverilog"))).logs)
}

func TestCoSimSkips(t *testing.T) {
	t.Setenv("ETCH_WHY", "0")
	judged(t, "iverilog")
	f := attempt(t, func(t testing.TB) { s, p := New(t, two); s.Expect(p.OutA, 1) })
	require.Contains(t, f.logs[0], "co-simulation skipped: the test has failed")
	require.Len(t, f.errors, 1)
	f = passes(t, func(t testing.TB) { s, _ := New(t, two); s.Step(3); s.Sim.Restart(); s.Step(3) })
	require.Contains(t, f.logs[0], "co-simulation by iverilog: nothing is compared after cycle 4, when the simulator was restored or restarted")

	t.Setenv("ETCH_CACHE", "nowhere") // not absolute: there is no cache, and models are built where they run
	agrees(t, func(t testing.TB) { s, _ := New(t, two); s.Step(3) })

	t.Setenv("PATH", t.TempDir())
	t.Setenv("ETCH_STRICT", "")
	f = passes(t, func(t testing.TB) { s, _ := New(t, two); s.Step(1) })
	require.Contains(t, f.logs[0], "co-simulation skipped: iverilog not found")
	t.Setenv("ETCH_STRICT", "1")
	fails(t, func(t testing.TB) { New(t, two) }, "iverilog not found", "ETCH_STRICT=1")
}

// CoSim may be asked at any time; what comes later is not compared.
func TestCoSimEarly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "adder.v")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, adderVerilog, "initial y = 0;", "+ (a == 8'd7)"), 0o666))
	body := func(at int) func(t testing.TB) {
		return func(t testing.TB) {
			s, p := New(t, around(file))
			for i := range 20 {
				if i == at {
					s.CoSim()
				}
				s.Set(p.A, i)
				s.Step(1)
			}
			s.CoSim()
		}
	}
	judged(t, "iverilog")
	passes(t, body(7))
	fails(t, body(8), "cycle 7, after the edge")
	fails(t, body(-1), "cycle 7, after the edge")
}
