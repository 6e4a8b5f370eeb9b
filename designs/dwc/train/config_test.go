package train

import (
	"math"
	"strings"
	"testing"
)

func TestValidateNamesTheField(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*Config){
		"steps: 0 is not in":             func(c *Config) { c.Steps = 0 },
		"n: 7 is not in 2..6":            func(c *Config) { c.N = 7 },
		"n: 1 is not in 2..6":            func(c *Config) { c.N = 1 },
		"bits: 30 is not an odd number":  func(c *Config) { c.Bits = 30 },
		"bits: 1 is not an odd number":   func(c *Config) { c.Bits = 1 },
		"mapping: \"random\" is neither": func(c *Config) { c.Mapping = "random" },
		"sensor_bits: 17":                func(c *Config) { c.SensorBits = 17 },
		"dac_bits: 1 ":                   func(c *Config) { c.DACBits = 1 },
		"batch: 65 is not a multiple":    func(c *Config) { c.Batch = 65 },
		"batch: 0 ":                      func(c *Config) { c.Batch = 0 },
		"warmup: 0":                      func(c *Config) { c.Warmup = 0 },
		"hidden: -1":                     func(c *Config) { c.Hidden = -1 },
		"noise_hidden: 0":                func(c *Config) { c.NoiseHidden = 0 },
		"discount: 1.5":                  func(c *Config) { c.Discount = 1.5 },
		"polyak: NaN":                    func(c *Config) { c.Polyak = math.NaN() },
		"reward_scale: -1":               func(c *Config) { c.RewardScale = -1 },
		"actor_rate: +Inf":               func(c *Config) { c.ActorRate = math.Inf(1) },
		"critic_rate: 2":                 func(c *Config) { c.CriticRate = 2 },
		"temperature: 0":                 func(c *Config) { c.Temperature = 0 },
		"decay_from: -0.1":               func(c *Config) { c.DecayFrom = -0.1 },
		"validate_every: -1":             func(c *Config) { c.ValidateEvery = -1 },
		"validate_starts: 0":             func(c *Config) { c.ValidateStarts = 0 },
		"widths: 0 layers":               func(c *Config) { c.Widths = nil },
		"widths: 17 layers":              func(c *Config) { c.Widths = make([]int, 17) },
		"widths: layer 1 has 0 LUTs":     func(c *Config) { c.Widths = []int{8, 0} },
		"widths: 40000 LUTs in all":      func(c *Config) { c.Widths = []int{20000, 20000}; c.Mapping = Fixed },
		"mapping scores, at most":        func(c *Config) { c.Widths = []int{8192, 8192} },
	}
	for want, change := range cases {
		c := Default()
		change(&c)
		_, err := New(c)
		if err == nil || !strings.HasPrefix(err.Error(), "train: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Every sensor code's level and normalised value, from the folded thresholds.
func TestEncoderTables(t *testing.T) {
	c := small()
	c.SensorBits = 7
	trainer := mustNew(t, c)
	m := mustModel(t, trainer)
	folded, err := m.Fold()
	if err != nil {
		t.Fatal(err)
	}
	b := trainer.actBlock
	for d, row := range folded.Bits {
		for code := -63; code <= 63; code++ {
			codes := make([]int16, swingDims)
			codes[d] = int16(code)
			trainer.encoder.load(b, 0, codes)
			for k, bit := range row {
				if got := int(b.levels[d][0]) > k; got != bit.Value(code) {
					t.Fatalf("dimension %d code %d: bit %d is %v", d, code, k, got)
				}
			}
			z := make([]float32, swingDims)
			trainer.encoder.normalise(z, codes)
			near(t, "normalised", z[d], float64(code)*m.Obs[d].Scale/tasks[Pendulum].dims[d].deviation, 1e-5)
		}
	}
	codes := make([]int16, swingDims)
	trainer.encoder.observe(codes, []float64{1, -0.5, 100})
	for d, x := range []float64{1, -0.5, 100} {
		if int(codes[d]) != m.Quantise(d, x) {
			t.Errorf("dimension %d: code %d of %v", d, codes[d], x)
		}
	}
}
