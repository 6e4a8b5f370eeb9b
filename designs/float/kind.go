package float

import "etch/hw/float"

// The kind and its formats are those of hw/float, under one import.
type (
	Format   = float.Format
	Num      = float.Num
	Rounding = float.Rounding
	Flags    = float.Flags
)

// The roundings of hw/float.
const (
	NearestEven = float.NearestEven
	TowardZero  = float.TowardZero
	Down        = float.Down
	Up          = float.Up
	NearestAway = float.NearestAway
	Dynamic     = float.Dynamic
)

// The named formats of hw/float.
var (
	F16    = float.F16
	BF16   = float.BF16
	TF32   = float.TF32
	F32    = float.F32
	F64    = float.F64
	E5M2   = float.E5M2
	E4M3   = float.E4M3
	E4M3FN = float.E4M3FN
	E3M2   = float.E3M2
	E2M3   = float.E2M3
	E2M1   = float.E2M1
)

// Of is the shape of a format's numbers.
func Of(f Format) Num { return float.Of(f) }

// Stochastic is a rounding by random bits; see hw/float.
func Stochastic(bits int) Rounding { return float.Stochastic(bits) }
