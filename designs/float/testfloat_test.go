package float_test

import (
	"bufio"
	"math/big"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/fixed"
	kind "etch/hw/float"
)

// testFloatModes are the options of Berkeley TestFloat for the roundings of static.
var testFloatModes = []string{"-rnear_even", "-rminMag", "-rmin", "-rmax", "-rnear_maxMag"}

// judged is a function of TestFloat, the circuit that has it, and the model.
type judged struct {
	function string
	circuit  func(t *testing.T, r float.Rounding) *circuit
	operands int
	more     []uint64 // of the circuit's inputs behind the operands
	model    func(x []uint64, r float.Rounding) result
}

// judgedFunctions are those of a format that TestFloat calls name.
func judgedFunctions(name string, f float.Format, other string, g float.Format) (list []judged) {
	for _, o := range basic {
		if o.name == "hypot" {
			continue
		}
		function := map[string]string{"fma": "mulAdd"}[o.name]
		if function == "" {
			function = o.name
		}
		list = append(list, judged{name + "_" + function, func(t *testing.T, r float.Rounding) *circuit { return o.circuit(t, op(f, r, 0)) },
			len(o.operands), nil, func(x []uint64, r float.Rounding) result { return o.model(f, x, r) }})
	}
	integer := fixed.Format{Width: 32}
	from := func(x int64, r float.Rounding) result { return pair(f.FromInt(big.NewInt(x), 0, r)) }
	to := func(x uint64, unsigned bool, r float.Rounding) result {
		v, flags := f.ToFixed(x, integer, unsigned, r)
		return result{uint64(v.Int64()) & (1<<32 - 1), flags}
	}
	return append(list,
		judged{name + "_sub", func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.Adder{Op: op(f, r, 0)}), 0, "a", "b", "sub")
		}, 2, []uint64{1}, func(x []uint64, r float.Rounding) result { return pair(f.Sub(x[0], x[1], r)) }},
		judged{name + "_roundToInt", func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.RoundToInt{Op: op(f, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return pair(f.RoundToInt(x[0], r)) }},
		judged{name + "_to_" + other, func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.Converter{From: f, Op: op(g, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return pair(f.Convert(x[0], g, r)) }},
		judged{"i32_to_" + name, func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.FromFixed{Fixed: integer, Op: op(f, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return from(int64(int32(x[0])), r) }},
		judged{"ui32_to_" + name, func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.FromFixed{Fixed: integer, Unsigned: true, Op: op(f, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return from(int64(x[0]), r) }},
		judged{name + "_to_i32", func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.ToFixed{Fixed: integer, Op: op(f, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return to(x[0], false, r) }},
		judged{name + "_to_ui32", func(t *testing.T, r float.Rounding) *circuit {
			return newCircuit(t, build(t, float.ToFixed{Fixed: integer, Unsigned: true, Op: op(f, r, 0)}), 0, "a")
		}, 1, nil, func(x []uint64, r float.Rounding) result { return to(x[0], true, r) }},
	)
}

// Berkeley TestFloat judges model and circuit, values and flags, of fp16 and fp32 in all
// five roundings. It is in no registry: from sources of SoftFloat 3 built for RISC-V
// (make SPECIALIZE_TYPE=RISCV), whose NaNs and integers of numbers out of range are ours,
// with testfloat_gen on the path:
//
//	PATH=$PATH:…/berkeley-testfloat-3/build/Linux-x86_64-GCC go test ./designs/float -run TestFloat -v
//
// Of 6.1 million multiply-adds in each mode every 40th is taken, or all of them with
// ETCH_TESTFLOAT=all.
func TestFloat(t *testing.T) {
	gen, err := exec.LookPath("testfloat_gen")
	if err != nil {
		t.Skip("testfloat_gen not found: Berkeley TestFloat is built by hand")
	}
	list := judgedFunctions("f16", float.F16, "f32", float.F32)
	list = append(list, judgedFunctions("f32", float.F32, "f16", float.F16)...)
	for _, j := range list {
		for i, mode := range testFloatModes {
			t.Run(j.function+mode, func(t *testing.T) {
				every := 1
				if strings.HasSuffix(j.function, "mulAdd") && os.Getenv("ETCH_TESTFLOAT") != "all" {
					every = 40
				}
				n := j.judge(t, static[i], exec.Command(gen, mode, "-tininessafter", "-exact", j.function), every)
				t.Log(n, "vectors, all equal")
			})
		}
	}
}

// judge compares every so many vectors of the command's with the model and the circuit.
func (j judged) judge(t *testing.T, r float.Rounding, from *exec.Cmd, every int) (n int) {
	out, err := from.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, from.Start())
	c := j.circuit(t, r)
	columns := make([][]uint64, j.operands+len(j.more))

	// The circuit is compared with the model, which has been compared with the vectors.
	flush := func() {
		if len(columns[0]) > 0 {
			c.check(func(x []uint64) result { return j.model(x[:j.operands], r) }, columns...)
		}
		for i := range columns {
			columns[i] = columns[i][:0]
		}
	}
	lines := bufio.NewScanner(out)
	for at := 0; lines.Scan(); at++ {
		if at%every != 0 {
			continue
		}
		words := strings.Fields(lines.Text())
		require.Len(t, words, j.operands+2, "%s: %q", j.function, lines.Text())
		x := make([]uint64, len(words))
		for i, w := range words {
			x[i], err = strconv.ParseUint(w, 16, 64)
			require.NoError(t, err)
		}
		given := result{x[j.operands], kind.Flags(x[j.operands+1])}
		if got := j.model(x[:j.operands], r); got != given {
			t.Fatalf("%s %v %x: model %x %v, TestFloat %x %v", j.function, r, x[:j.operands], got.y, got.flags, given.y, given.flags)
		}
		for i := range columns {
			if i < j.operands {
				columns[i] = append(columns[i], x[i])
			} else {
				columns[i] = append(columns[i], j.more[i-j.operands])
			}
		}
		if n++; n%(64*width) == 0 {
			flush()
		}
	}
	require.NoError(t, lines.Err())
	flush()
	require.NoError(t, from.Wait())
	require.NotZero(t, n)
	return n
}

// Comparisons by TestFloat: values of the model and the circuit, and whether a NaN raises
// Invalid.
func TestFloatCompares(t *testing.T) {
	gen, err := exec.LookPath("testfloat_gen")
	if err != nil {
		t.Skip("testfloat_gen not found: Berkeley TestFloat is built by hand")
	}
	for name, f := range map[string]float.Format{"f16": float.F16, "f32": float.F32} {
		for function, want := range map[string]struct {
			signaling uint64
			is        []kind.Relation
		}{
			"eq": {0, []kind.Relation{kind.Equal}}, "eq_signaling": {1, []kind.Relation{kind.Equal}},
			"le": {1, []kind.Relation{kind.Less, kind.Equal}}, "le_quiet": {0, []kind.Relation{kind.Less, kind.Equal}},
			"lt": {1, []kind.Relation{kind.Less}}, "lt_quiet": {0, []kind.Relation{kind.Less}},
		} {
			t.Run(name+"_"+function, func(t *testing.T) {
				j := judged{function: name + "_" + function, operands: 2, more: []uint64{want.signaling}}
				j.model = func(x []uint64, _ float.Rounding) result {
					got, flags := f.Compare(x[0], x[1], want.signaling == 1)
					for _, r := range want.is {
						if got == r {
							return result{1, flags}
						}
					}
					return result{0, flags}
				}
				j.circuit = func(t *testing.T, _ float.Rounding) *circuit {
					return newCircuit(t, build(t, comparison(f, want.is)), 0, "a", "b", "signaling")
				}
				t.Log(j.judge(t, float.NearestEven, exec.Command(gen, name+"_"+function), 1), "vectors, all equal")
			})
		}
	}
}

// comparisonPorts are those of a comparer with one output.
type comparisonPorts struct {
	En        hw.Bit    `dir:"in"`
	A, B      float.Num `dir:"in"`
	Signaling hw.Bit    `dir:"in"`
	Y         hw.Bit    `dir:"out"`
	Flags     hw.UInt   `dir:"out"`
}

// comparison tells whether the relation is one of these.
func comparison(f float.Format, is []kind.Relation) hw.Component[comparisonPorts] {
	n := float.Of(f)
	return hw.Func("comparison", comparisonPorts{A: n, B: n, Flags: hw.Unsigned(5)}, func(m *hw.Module, p comparisonPorts) {
		c := hw.Inst(m, "compare", float.Comparer{Op: op(f, 0, 0)},
			float.ComparerPorts{Control: float.Control{En: p.En}, A: p.A, B: p.B, Signaling: p.Signaling})
		all := map[kind.Relation]hw.Bit{kind.Less: c.Less, kind.Equal: c.Equal}
		y := hw.Low
		for _, r := range is {
			y = y.Or(all[r])
			delete(all, r)
		}
		for _, other := range all {
			hw.Unused(m, other)
		}
		hw.Unused(m, c.Greater, c.Unordered)
		p.Y.Set(y)
		p.Flags.Set(c.Flags)
	})
}
