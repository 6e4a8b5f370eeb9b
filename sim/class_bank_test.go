package sim_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/native/cpu"
)

// mixers are machines that pass a word through a layer of look-ups in some of their states.
type mixers struct{ Count int }

type mixersPorts struct{ Sum hw.UInt }

func (mixers) Ports() mixersPorts { return mixersPorts{Sum: hw.Out(hw.Unsigned(64))} }

func (d mixers) Build(m *hw.Module, p mixersPorts) {
	var sum hw.UInt
	for i := range d.Count {
		u := hw.Inst(m, hw.Name("u", i), mixer{}, mixerPorts{Salt: hw.U(uint64(i+1) * 0x9e3779b9 & 0xffffffff)})
		if i == 0 {
			sum = u.Word
		} else {
			sum = sum.Xor(u.Word)
		}
	}
	p.Sum.Set(sum)
}

type mixer struct{}

type mixerPorts struct{ Salt, Word hw.UInt }

func (mixer) Ports() mixerPorts {
	return mixerPorts{Salt: hw.In(hw.Unsigned(32)), Word: hw.Out(hw.Unsigned(64))}
}

func (mixer) Build(m *hw.Module, p mixerPorts) {
	word := hw.Reg(m, "word", hw.Unsigned(64), hw.U(1))
	step := hw.Reg(m, "step", hw.Unsigned(3), hw.U(0))
	m.When(word.Bit(40), func() { step.Set(step.Inc()) })

	// 64 look-ups of four bits each: enough for a bank.
	r, in := rand.New(rand.NewPCG(1, 2)), word.BitVec()
	var out []hw.Bit
	for range 64 {
		out = append(out, hw.Lut(bits.New(16, 1+r.Uint64()%0xfffe), in[r.IntN(64)], in[r.IntN(64)], in[r.IntN(64)], in[r.IntN(64)]))
	}
	m.When(step.Is(5), func() { word.Set(hw.FromBits(out...)) }).
		ElseWhen(step.Is(6), func() { word.Set(word.Xor(p.Salt.Extend(64))) }).
		Else(func() {
			word.Set(word.Mul(hw.Sized(hw.Unsigned(64), hw.U(0x5851f42d4c957f2d))).Trunc(64).Xor(p.Salt.Extend(64)))
		})

	// Choices make it a module for bodies instead of vectors.
	seen := word
	for i := range 40 {
		n := hw.Reg(m, hw.Name("n", i), hw.Unsigned(64), hw.U(0))
		m.When(step.Is(i%8), func() { n.Set(n.Add(word)) })
		seen = seen.Xor(n)
	}
	p.Word.Set(seen)
}

// TestBanksOfClasses: the words that a bank works in lie below the whole state, not below that of an
// instance, with vectors of each size and without.
func TestBanksOfClasses(t *testing.T) {
	for name, mask := range map[string]func(f *cpu.Features){
		"all":    func(*cpu.Features) {},
		"avx2":   func(f *cpu.Features) { f.AVX512, f.VBMI = false, false },
		"scalar": func(f *cpu.Features) { f.AVX512, f.VBMI, f.AVX2, f.BMI = false, false, false, false },
	} {
		t.Run(name, func(t *testing.T) {
			defer sim.Mask(mask)()
			d, _, err := hw.Build(mixers{Count: 5})
			require.NoError(t, err)
			s, err := sim.New(d, sim.WithEngine(sim.Lockstep))
			require.NoError(t, err)
			defer s.Close()
			s.Reset()
			s.Step(5000)
			require.NoError(t, s.Err())

			code := s.Report().Codes[0]
			require.Equal(t, "class", code.Kind)
			require.Positive(t, code.Banks)
			require.Greater(t, code.Bodies, 1)
		})
	}
}
