package model

import (
	"math/bits"
)

// FormatVersion is the only value of the "format" field that this package
// reads and writes.
const FormatVersion = 1

// Model is a trained differentiable weightless controller: everything that a
// deployed circuit needs. A Model that came from Read, or that Validate
// accepts, satisfies every constraint stated on the fields below.
type Model struct {
	// Format is the version of the file format. Only FormatVersion is valid.
	Format int
	// Name is a short label; it may be empty.
	Name string
	// Obs describes the D ≥ 1 observation dimensions, in order.
	Obs []Dim
	// SensorBits is W, the width of a signed sensor code: 2..32.
	SensorBits int
	// Thresholds are τ of the thermometer encoder.
	Thresholds Thresholds
	// Layers are the LUT layers, L ≥ 1. Layer 0 reads the D·B encoder bits
	// (bit d·B+k is dimension d, threshold k), layer i reads layer i−1.
	Layers []Layer
	// Head maps the last layer's outputs to actions, counts or a class.
	Head Head
	// DACBits is the width of a signed action word: 2..32. It has a value for
	// every head, though only the ROM heads use it.
	DACBits int
	// Provenance says where the model comes from (trainer, seed, steps,
	// source, …). It is free text and never changes the circuit.
	Provenance map[string]string
}

// Dim is one observation dimension: its normalisation, frozen with the
// weights, and its sensor.
type Dim struct {
	// Name labels the dimension, as in a CSV header. It may be empty.
	Name string
	// Mean and Var are the running statistics in physical units: the network
	// sees clip((x−Mean)/Std(), ±10). Var ≥ 0.
	Mean, Var float64
	// Max is the largest |x| seen, in physical units; 0 where not recorded.
	Max float64
	// Scale is q of the paper's eq. 7: physical units per sensor code, > 0.
	Scale float64
}

// ThresholdKind says by which expression the thresholds were made. Folding
// treats all kinds alike: the numbers themselves decide.
type ThresholdKind string

// The kinds of thresholds.
const (
	// Own thresholds are exactly those of Thresholds(B): −10, 0 and +10 exact.
	Own ThresholdKind = "own"
	// Imported thresholds are exactly those of ImportedThresholds(B), the
	// authors' float32 expression.
	Imported ThresholdKind = "imported"
	// Custom thresholds are any others, one row or one per dimension, of any
	// length B ≥ 1.
	Custom ThresholdKind = "custom"
	// Physical thresholds are compared with the observation itself: there is no
	// normalisation and no clip, and Mean and Var do not matter. Classifiers
	// that others trained have these.
	Physical ThresholdKind = "physical"
)

// Thresholds are the thermometer's thresholds τ, in normalised units but for
// the kind Physical.
type Thresholds struct {
	Kind ThresholdKind
	// Rows holds one row that all dimensions share, or D rows. Every row has
	// the same length B and does not decrease. B is odd and at least 3 for the
	// kinds Own and Imported, at least 1 for the others.
	Rows [][]float64
}

// Row returns the thresholds of dimension d (B numbers, not a copy).
func (t Thresholds) Row(d int) []float64 {
	if len(t.Rows) == 1 {
		return t.Rows[0]
	}
	return t.Rows[d]
}

// Layer is one layer of lookup tables that share an arity.
type Layer struct {
	// N is the number of inputs of every LUT: 2..6.
	N int
	// Inputs is the number of bits the layer reads: D·B for layer 0, else the
	// width of the layer before.
	Inputs int
	// Pins[j][l] is the input bit on pin l of LUT j, 0 ≤ Pins[j][l] < Inputs.
	// Pin l is address bit l, so pin 0 is the least significant.
	Pins [][]int
	// Tables[j] is LUT j's truth table: bit a is the output at address a.
	// Bits from 2^N up are zero.
	Tables []uint64
}

// Width returns the number of LUTs, which is the number of output bits.
func (l *Layer) Width() int { return len(l.Tables) }

// HeadKind is the use made of the last layer's popcounts.
type HeadKind string

// The kinds of heads.
const (
	SAC    HeadKind = "sac"    // action ROM, tanh(y)·scale + bias
	DDPG   HeadKind = "ddpg"   // action ROM, tanh(y)·scale + bias
	PPO    HeadKind = "ppo"    // action ROM, clamp(y, low, high)
	Counts HeadKind = "counts" // the raw popcounts
	Argmax HeadKind = "argmax" // index of the largest popcount, lowest on ties
)

// ROM reports whether the head has an action ROM.
func (k HeadKind) ROM() bool { return k == SAC || k == DDPG || k == PPO }

// Head is the model's output stage. Group g owns outputs [g·G, (g+1)·G) of the
// last layer, where G is its width over the number of groups.
type Head struct {
	Kind HeadKind
	// Actions are the groups of a ROM head, else empty.
	Actions []Action
	// Classes names the groups of the heads Counts and Argmax, else empty.
	Classes []string
}

// Action is one action dimension of a ROM head. With c the popcount of its
// group, y = e^LogAlpha·(clamp(c/G, 1e-6, 1−1e-6) − ½) + Beta.
type Action struct {
	Name string
	// LogAlpha and Beta are the trained affine map.
	LogAlpha, Beta float64
	// Scale and Bias map tanh(y) to physical units for SAC and DDPG.
	Scale, Bias float64
	// Low and High bound the action in physical units, Low < High. PPO clamps
	// to them; the DAC's full scale is max(|Low|, |High|).
	Low, High float64
}

// B returns the number of thresholds a dimension has.
func (m *Model) B() int {
	if len(m.Thresholds.Rows) == 0 {
		return 0
	}
	return len(m.Thresholds.Rows[0])
}

// EncoderBits returns D·B, the number of bits that layer 0 reads.
func (m *Model) EncoderBits() int { return len(m.Obs) * m.B() }

// Groups returns the number of popcounts: actions or classes.
func (m *Model) Groups() int {
	if m.Head.Kind.ROM() {
		return len(m.Head.Actions)
	}
	return len(m.Head.Classes)
}

// GroupSize returns G, the number of last-layer outputs a group counts.
func (m *Model) GroupSize() int {
	if len(m.Layers) == 0 || m.Groups() == 0 {
		return 0
	}
	return m.Layers[len(m.Layers)-1].Width() / m.Groups()
}

// CountBits returns the width of a group's popcount, ⌈log2(G+1)⌉.
func (m *Model) CountBits() int { return CountBits(m.GroupSize()) }

// CountBits returns ⌈log2(g+1)⌉, the bits that hold a count of 0..g.
func CountBits(g int) int { return bits.Len(uint(g)) }

// PadWidth returns the smallest multiple of groups that is at least width: the
// width that a last layer is padded to with real, trained LUTs.
func PadWidth(width, groups int) int { return (width + groups - 1) / groups * groups }
