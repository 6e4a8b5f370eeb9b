package testbench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir"
	"etch/testbench/tools"
)

// scaler is a black box without a model: its Verilog multiplies and remembers.
type scaler struct {
	file  string
	width int
}

type scalerPorts struct {
	Clk  hw.Clock
	A, Y hw.UInt
}

func (s scaler) Ports() scalerPorts {
	return scalerPorts{hw.In(hw.Clock{}), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(s.width))}
}

func (s scaler) Build(*hw.Module, scalerPorts) {}

func (s scaler) Verilog() hw.Verilog {
	return hw.Verilog{Module: "scaler", Files: []string{s.file}, Params: []ir.Param{{Name: "FACTOR", Value: "3"}}}
}

const scalerVerilog = `module scaler #(parameter FACTOR = 1) (input clk, input [7:0] a, output [9:0] y);
  wire [9:0] product;
  times #(.K(FACTOR)) t(a, product);
  reg [9:0] held = 10'd5;
  always @(posedge clk) held <= product;
  assign y = held;
endmodule
module times #(parameter K = 1) (input [7:0] a, output [9:0] y);
  assign y = a * K;
endmodule
`

// A black box without a model runs its Verilog, and is emitted as before.
func TestBlackBoxBody(t *testing.T) {
	tools.Need(t, "yosys")
	file := filepath.Join(t.TempDir(), "scaler.v")
	require.NoError(t, os.WriteFile(file, []byte(scalerVerilog), 0o666))
	around := func(s scaler) hw.Component[scalerPorts] {
		return hw.Func("scaled", s.Ports(), func(m *hw.Module, p scalerPorts) {
			p.Y.Set(hw.Inst(m, "inner", s, scalerPorts{Clk: p.Clk, A: p.A}).Y)
		})
	}
	body := func(t testing.TB) {
		s, p := New(t, around(scaler{file, 10}), WithoutReset())
		s.Expect(p.Y, 5)
		for i := range 200 {
			s.Set(p.A, i)
			s.Step(1)
			s.Expect(p.Y, 3*i)
		}
		text, err := verilog.Text(s.Design, verilog.Options{})
		require.NoError(t, err)
		require.NotContains(t, string(text), "module times")
		require.Contains(t, string(text), "scaler #(")
	}
	passes(t, body)
	if _, err := tools.Find("iverilog"); err == nil && !testing.Short() {
		judged(t, "iverilog")
		agrees(t, body)
	}
	fails(t, func(t testing.TB) { New(t, around(scaler{file, 9})) }, "black box", "port y has 9 bits, in module scaler 10")
	fails(t, func(t testing.TB) { New(t, around(scaler{"gone.v", 10})) }, "gone.v")
	broken := filepath.Join(t.TempDir(), "broken.v")
	require.NoError(t, os.WriteFile(broken, []byte("module scaler(input clk);\nwire\nendmodule\n"), 0o666))
	fails(t, func(t testing.TB) { New(t, around(scaler{broken, 10})) }, fmt.Sprintf("%s:3: syntax error", broken))
	t.Setenv("PATH", t.TempDir())
	fails(t, func(t testing.TB) { New(t, around(scaler{file, 10})) }, "can only be simulated with yosys", "yosys not found")
}
