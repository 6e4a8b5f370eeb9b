package sim

import (
	"testing"

	"etch/designs/bench"
	"etch/hw"
	"etch/sim/internal/drive"
	"etch/sim/native"
	"etch/sim/native/cpu"
)

// TestFewerFeatures runs weightless networks in lock step with the interpreter on
// less of a processor than this one: their look-ups have code of their own for
// vectors, for BMI and without either. The larger one has more sources than
// vector code keeps in registers.
func TestFewerFeatures(t *testing.T) {
	host := cpu.Host()
	if !native.Supported(host) {
		t.Skip("no native engine on this machine")
	}
	defer func() { drive.Features = host }()
	for name, f := range map[string]cpu.Features{
		"host":   host,
		"AVX2":   {Popcnt: true, BMI: host.BMI, AVX2: host.AVX2},
		"BMI":    {Popcnt: true, BMI: host.BMI},
		"popcnt": {Popcnt: true},
	} {
		drive.Features = f
		for _, d := range []bench.DWC{{Layers: 2, Width: 256}, {Layers: 2, Width: 2048}} {
			m, _, err := hw.Build(d)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(m, WithEngine(Lockstep))
			if err != nil {
				t.Fatal(err)
			}
			s.Reset()
			s.Step(100)
			if s.Err() != nil {
				t.Errorf("%s, %+v: %v", name, d, s.Err())
			}
			s.Close()
		}
	}
}
