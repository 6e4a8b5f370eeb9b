package verilog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir/bits"
	"etch/testbench/tools"
)

type lutPorts struct {
	In  hw.UInt
	Out hw.Vec[hw.Bit]
}

// The body of a look-up function for simulation and that for synthesis are the
// same function: yosys proves it for tables of every size.
func TestLutBodiesAgree(t *testing.T) {
	yosys := tools.Need(t, "yosys")[0]
	const most = 8
	d, _, err := hw.Build(hw.Func("luts", lutPorts{In: hw.In(hw.Unsigned(most)), Out: hw.Out(hw.VecOf(most-1, hw.Bit{}))},
		func(m *hw.Module, p lutPorts) {
			in := p.In.BitVec()
			for n := 2; n <= most; n++ {
				words := []uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0x2545f4914f6cdd1d}
				p.Out[n-2].Set(hw.Lut(bits.FromWords(1<<n, words), in[:n]...))
			}
		}))
	require.NoError(t, err)
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "luts.v")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	script := fmt.Sprintf(`read_verilog -nosynthesis %[1]s; rename luts index; read_verilog %[1]s; rename luts halves; proc; opt;
		miter -equiv -flatten -make_assert index halves both; sat -verify -prove-asserts both`, file)
	out, err := yosys.Command(t.Context(), "-p", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
	require.Contains(t, string(out), "SUCCESS")
}
