package float_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/float"
	"etch/testbench/tools"
)

// answers has testdata/judge.py compute; a test without its modules is skipped. They come by
//
//	go run ./testbench/cmd/check -short -require float-judges
//
// or, for other versions of Python, by hand:
//
//	python3 -m venv judges && judges/bin/pip install gmpy2==2.3.2 numpy==2.4.6 ml_dtypes==0.6.0 gfloat==0.5.2
//	ETCH_FLOAT_PYTHON=$PWD/judges/bin/python go test ./hw/float -run Python
func answers(t *testing.T, lines []string, args ...string) []string {
	t.Helper()
	python := os.Getenv("ETCH_FLOAT_PYTHON")
	if python == "" {
		python = tools.Need(t, "float-judges")[0].Path
	}
	cmd := exec.CommandContext(t.Context(), python, append([]string{"testdata/judge.py"}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, said.String())
	if len(lines) == 0 {
		return nil
	}
	list := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, list, len(lines))
	return list
}

// codes are n tuples of codes: at random, near each other, subnormal, at the ends.
func codes(f float.Format, operands, n int) (list [][]uint64) {
	r := rand.New(rand.NewPCG(uint64(f.Width()), uint64(operands)))
	mask := uint64(1)<<f.Width() - 1
	for range n {
		x := make([]uint64, operands)
		for i := range x {
			x[i] = r.Uint64() & mask
			switch r.IntN(6) {
			case 0:
				x[i] &= 1<<f.Frac - 1 | 1<<(f.Width()-1)
			case 1:
				x[i] = (x[0] + uint64(r.IntN(9)<<f.Frac) - uint64(r.IntN(9))) & mask
			case 2:
				x[i] = []uint64{0, 1, f.One(), f.Greatest(true), f.Inf(false), f.NaN(), 1 << f.Frac, 1<<f.Frac - 1}[r.IntN(8)]
			}
		}
		if operands == 3 && r.IntN(2) == 0 {
			p, _ := f.Mul(x[0], x[1], float.NearestEven)
			x[2] = (f.Neg(p) + uint64(r.IntN(5)) - 2) & mask
		}
		list = append(list, x)
	}
	return list
}

// hex is tuples as lines.
func hex(list [][]uint64) (lines []string) {
	for _, x := range list {
		lines = append(lines, strings.Trim(fmt.Sprintf("%x", x), "[]"))
	}
	return lines
}

// MPFR computes with the precision and range of the format. It has no flag for tiny
// numbers, no rounding of ties away, and no signalling NaNs.
func TestPythonMPFR(t *testing.T) {
	answers(t, nil, "mpfr", "5", "10", "add", "rne")
	n := 20000
	if testing.Short() {
		n = 1500
	}
	operations := []struct {
		name     string
		operands int
		model    func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags)
	}{
		{"add", 2, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) { return f.Add(x[0], x[1], r) }},
		{"sub", 2, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) { return f.Sub(x[0], x[1], r) }},
		{"mul", 2, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) { return f.Mul(x[0], x[1], r) }},
		{"div", 2, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) { return f.Div(x[0], x[1], r) }},
		{"fma", 3, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) {
			return f.FMA(x[0], x[1], x[2], r)
		}},
		{"sqrt", 1, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) { return f.Sqrt(x[0], r) }},
		{"hypot", 2, func(f float.Format, x []uint64, r float.Rounding) (uint64, float.Flags) {
			return f.Hypot(x[0], x[1], r)
		}},
	}
	for _, f := range []float.Format{float.F16, float.BF16, float.F32, float.E5M2, float.E4M3, {Exp: 8, Frac: 13}} {
		for i, o := range operations {
			for j, r := range []float.Rounding{float.NearestEven, float.TowardZero, float.Down, float.Up} {
				if testing.Short() && (i+j+f.Exp)%12 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%v_%s_%v", f, o.name, r), func(t *testing.T) {
					list := codes(f, o.operands, n)
					for i, line := range answers(t, hex(list), "mpfr", fmt.Sprint(f.Exp), fmt.Sprint(f.Frac), o.name, r.String()) {
						y, flags := o.model(f, list[i], r)
						got := fmt.Sprintf("%x %x", y, uint8(flags&^float.Underflow))
						if o.name == "hypot" && (f.IsSignaling(list[i][0]) || f.IsSignaling(list[i][1])) {
							continue // of which MPFR has none; beside an infinity that is a difference
						}
						for _, x := range list[i] {
							if f.IsNaN(x) { // its flags are not MPFR's
								got, line = strings.Fields(got)[0], strings.Fields(line)[0]
							}
						}
						if f.IsNaN(y) {
							got = strings.Replace(got, fmt.Sprintf("%x", y), "nan", 1)
						}
						require.Equal(t, line, got, "%x", list[i])
					}
				})
			}
		}
	}
}

// everyPair is all pairs of codes of a format, or some of a wide one.
func everyPair(f float.Format) (list [][]uint64) {
	if f.Width() > 8 {
		return codes(f, 2, 20000)
	}
	for at := range uint64(1) << (2 * f.Width()) {
		list = append(list, []uint64{at >> f.Width(), at & (1<<f.Width() - 1)})
	}
	return list
}

// The formats of ml_dtypes to the nearest even: all pairs of the narrow ones.
func TestPythonMLDtypes(t *testing.T) {
	answers(t, nil, "ml_dtypes", "bfloat16", "cast")
	models := map[string]func(f float.Format, x, y uint64, r float.Rounding) (uint64, float.Flags){
		"add": float.Format.Add, "subtract": float.Format.Sub, "multiply": float.Format.Mul, "divide": float.Format.Div,
	}
	for name, f := range map[string]float.Format{
		"float16": float.F16, "bfloat16": float.BF16, "float8_e5m2": float.E5M2, "float8_e4m3": float.E4M3, "float8_e4m3fn": float.E4M3FN,
		"float8_e3m4": {Exp: 3, Frac: 4}, "float6_e3m2fn": float.E3M2, "float6_e2m3fn": float.E2M3, "float4_e2m1fn": float.E2M1,
	} {
		for op, model := range models {
			if testing.Short() && (len(op)+f.Exp)%4 != 0 {
				continue
			}
			t.Run(name+"_"+op, func(t *testing.T) {
				list := everyPair(f)
				for i, line := range answers(t, hex(list), "ml_dtypes", name, op) {
					y, flags := model(f, list[i][0], list[i][1], float.NearestEven)
					if f.Codes == float.Finite && flags&(float.Invalid|float.DivideByZero) != 0 {
						continue // a NaN or an infinity, of which such formats have none
					}
					require.Equal(t, line, coded(f, y), "%x", list[i])
				}
			})
		}
		t.Run(name+"_cast", func(t *testing.T) {
			list := codes(float.F32, 1, 20000)
			for i := range list { // most of them within the range
				if i%4 != 0 {
					list[i][0] = list[i][0]&^(255<<23) | uint64(127-f.Bias()-f.Frac-2+i%(2*f.Bias()+f.Frac+4))&255<<23
				}
			}
			for i, line := range answers(t, hex(list), "ml_dtypes", name, "cast") {
				if f.Codes == float.Finite && float.F32.IsNaN(list[i][0]) {
					continue
				}
				y, _ := float.F32.Convert(list[i][0], f, float.NearestEven)
				require.Equal(t, line, coded(f, y), "%x", list[i])
			}
		})
	}
}

// coded is a code, or nan.
func coded(f float.Format, y uint64) string {
	if f.IsNaN(y) {
		return "nan"
	}
	return strconv.FormatUint(y, 16)
}

// gfloat rounds float64 to the OCP formats in all five modes, saturating or not.
func TestPythonGfloat(t *testing.T) {
	answers(t, nil, "gfloat", "ocp_e5m2", "rne", "false")
	r := rand.New(rand.NewPCG(4, 5))
	for name, f := range map[string]float.Format{
		"ocp_e5m2": float.E5M2, "ocp_e4m3": float.E4M3FN, "ocp_e3m2": float.E3M2, "ocp_e2m3": float.E2M3, "ocp_e2m1": float.E2M1, "binary16": float.F16, "bfloat16": float.BF16,
	} {
		for _, mode := range []float.Rounding{float.NearestEven, float.TowardZero, float.Down, float.Up, float.NearestAway} {
			for _, saturate := range []bool{false, true} {
				if testing.Short() && int(mode)+f.Exp != 6 {
					continue
				}
				if f.Codes == float.Finite && !saturate {
					continue // there a number past the range is an error
				}
				t.Run(fmt.Sprintf("%s_%v_%v", name, mode, saturate), func(t *testing.T) {
					g := f
					g.Saturate = saturate
					var list [][]uint64
					for range 3000 {
						e := f.MinExp() - f.Frac - 2 + r.IntN(f.MaxExp()-f.MinExp()+f.Frac+5)
						v := math.Ldexp(1+float64(r.IntN(1<<(f.Frac+2)))/float64(int(1)<<(f.Frac+2)), e)
						if r.IntN(2) == 0 {
							v = -v
						}
						if r.IntN(3) == 0 { // near a tie, but no nearer: gfloat 0.5.2 takes 0.49999999999999994 for a tie
							v *= 1 + float64(r.IntN(3)-1)*0x1p-40
						}
						list = append(list, []uint64{math.Float64bits(v)})
					}
					for i, line := range answers(t, hex(list), "gfloat", name, mode.String(), fmt.Sprint(saturate)) {
						y, _ := g.FromFloat64(math.Float64frombits(list[i][0]), mode)
						require.Equal(t, line, coded(g, y), "%v", math.Float64frombits(list[i][0]))
					}
				})
			}
		}
	}
}
