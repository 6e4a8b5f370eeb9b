package bench

import (
	"fmt"
	"math/rand/v2"

	"etch/hw"
	"etch/ir/bits"
)

// DWC is a weightless network of the shape of designs/dwc at random: thermometers
// of 100 small observations, layers of look-up tables of six inputs with random
// wiring and contents, four votes.
type DWC struct {
	Layers int
	Width  int // tables in a layer, a multiple of 4
}

// Observations of the network, and thresholds of each.
const (
	observations = 100
	obsBits      = 3
	thresholds   = 1<<obsBits - 1
	votes        = 4
)

func (d DWC) Validate() error {
	if d.Layers < 1 || d.Layers > 16 || d.Width < votes || d.Width > 1<<16 || d.Width%votes != 0 {
		return fmt.Errorf("Layers = %d, Width = %d: want 1 to 16 and a multiple of %d to %d", d.Layers, d.Width, votes, 1<<16)
	}
	return nil
}

func (d DWC) Ports() Ports { return ports() }

func (d DWC) Build(m *hw.Module, p Ports) {
	obs := noise(m, observations*obsBits)
	x := hw.Inst(m, "encoder", encoder{}, encoderPorts{Obs: obs}).Bits
	for i := range d.Layers {
		layer := tables{Inputs: x.Width(), Width: d.Width, Seed: i + 1}
		x = hw.Inst(m, hw.Name("layer", i+1), layer, tablesPorts{In: x}).Out
	}

	var counts []hw.Signal
	for i := range votes {
		group := d.Width / votes
		// Cat takes the highest part first.
		counts = append([]hw.Signal{x.Range(group*(i+1)-1, group*i).PopCount()}, counts...)
	}

	fold(m, p, hw.Delay(m, "votes", hw.Cat(counts...), 1))
}

// encoder compares every observation with every threshold.
type encoder struct{}

type encoderPorts struct {
	Obs  hw.UInt `dir:"in"` // all side by side
	Bits hw.UInt `dir:"out"`
}

func (encoder) Ports() encoderPorts {
	return encoderPorts{
		Obs:  hw.Unsigned(observations * obsBits),
		Bits: hw.Unsigned(observations * thresholds),
	}
}

func (encoder) Build(_ *hw.Module, p encoderPorts) {
	var out []hw.Bit
	for i := range observations {
		x := p.Obs.Range(obsBits*(i+1)-1, obsBits*i)
		for level := range thresholds {
			out = append(out, x.IsGt(level))
		}
	}
	p.Bits.Set(hw.FromBits(out...))
}

// tables is a layer of random look-up tables behind a register.
type tables struct {
	Inputs, Width int
	Seed          int
}

type tablesPorts struct {
	In  hw.UInt `dir:"in"`
	Out hw.UInt `dir:"out"`
}

func (t tables) Ports() tablesPorts {
	return tablesPorts{In: hw.Unsigned(t.Inputs), Out: hw.Unsigned(t.Width)}
}

func (t tables) Build(m *hw.Module, p tablesPorts) {
	// The seed is a parameter, so each layer is a module of its own.
	r := rand.New(rand.NewPCG(uint64(t.Seed), 6))
	in, out := p.In.BitVec(), []hw.Bit{}
	for range t.Width {
		var pins [6]hw.Bit
		for k := range pins {
			pins[k] = in[r.IntN(len(in))]
		}
		out = append(out, hw.Lut(bits.New(64, r.Uint64()), pins[:]...))
	}
	p.Out.Set(hw.Delay(m, "q", hw.FromBits(out...), 1))
}
