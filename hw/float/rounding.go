package float

import (
	"fmt"
	"strconv"
	"strings"
)

// Rounding says how a number that the format lacks becomes one that it has. The
// first five have the codes of RISC-V, in which a circuit with [Dynamic] rounding
// takes them.
type Rounding uint64

// The rounding modes.
const (
	NearestEven Rounding = iota // to the nearest, ties to even
	TowardZero                  // towards zero
	Down                        // towards minus infinity
	Up                          // towards plus infinity
	NearestAway                 // to the nearest, ties away from zero
	// Dynamic is any of these, for circuits: the mode is a port of 3 bits.
	Dynamic Rounding = 7

	stochastic Rounding = 8
)

// MaxRandom is the greatest number of random bits.
const MaxRandom = 24

// Stochastic rounds up with a probability that is the part that goes, in units of
// 2^-bits of the last place: so many random bits are added below the last place, and
// everything below them is cut off. Models take the bits by [Rounding.With], circuits
// by a port.
func Stochastic(bits int) Rounding { return stochastic | Rounding(bits)<<8 }

// With is a stochastic rounding with its random bits.
func (r Rounding) With(random uint64) Rounding {
	return r&0xffff | Rounding(random&(1<<r.Random()-1))<<16
}

// Random is the number of random bits of a stochastic rounding, else 0.
func (r Rounding) Random() int {
	if r&0xff != stochastic {
		return 0
	}
	return int(r >> 8 & 0xff)
}

// random is the random bits.
func (r Rounding) random() uint64 { return uint64(r >> 16) }

var roundingNames = [...]string{"rne", "rtz", "rdn", "rup", "rna"}

// String is rne, rtz, rdn, rup, rna, dynamic, or sr8 for Stochastic(8).
func (r Rounding) String() string {
	switch {
	case r < Rounding(len(roundingNames)):
		return roundingNames[r]
	case r == Dynamic:
		return "dynamic"
	case r&0xff == stochastic:
		return fmt.Sprintf("sr%d", r.Random())
	}
	return strconv.FormatUint(uint64(r), 10)
}

// MarshalText is String.
func (r Rounding) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the text of String.
func (r *Rounding) UnmarshalText(text []byte) error {
	// Static modes by name, then the port, then sr and a number.
	for i, name := range roundingNames {
		if name == string(text) {
			*r = Rounding(i)
			return nil
		}
	}

	if string(text) == "dynamic" {
		*r = Dynamic
		return nil
	}

	if n, ok := strings.CutPrefix(string(text), "sr"); ok {
		if k, err := strconv.Atoi(n); err == nil && 1 <= k && k <= MaxRandom {
			*r = Stochastic(k)
			return nil
		}
	}
	return fmt.Errorf("rounding %q is none of %s, dynamic, and sr1 to sr%d", text, strings.Join(roundingNames[:], ", "), MaxRandom)
}

func (r Rounding) Validate() error {
	switch k := r.Random(); {
	case r <= NearestAway, r == Dynamic, 1 <= k && k <= MaxRandom:
		return nil
	}
	return fmt.Errorf("rounding %v is no mode", r)
}

// Flags are the exceptions of IEEE 754 that an operation raised.
type Flags uint8

// The flags, with the codes of RISC-V.
const (
	Inexact      Flags = 1 << iota // NX: the result is rounded
	Underflow                      // UF: tiny and inexact
	Overflow                       // OF: past the range
	DivideByZero                   // DZ: an infinity from numbers
	Invalid                        // NV: no result
)

// String is the names of the flags that are raised: "NX UF", "-" for none.
func (f Flags) String() string {
	var names []string
	for i, name := range [...]string{"NX", "UF", "OF", "DZ", "NV"} {
		if f>>i&1 == 1 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "-"
	}
	return strings.Join(names, " ")
}
