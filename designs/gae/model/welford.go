package model

import (
	"fmt"
	"math/big"
)

// Welford is the running mean and sum of squared differences as equations 6 to 9
// of the paper update them, number by number:
//
//	M' = M + (x − M)/n      S' = S + (x − M)·(x − M')
//
// The division goes towards zero and leaves Frac fraction bits. With 16 of them
// the mean stalls as n grows (a difference below n units is nothing); 32 suit
// millions of numbers. [Statistics] is exact, takes a number every cycle and is the one in the
// accelerator.
type Welford struct {
	Frac int // fraction bits of the mean: 16 to 40
	N    int64
	Mean int64   // Frac fraction bits
	Sum  big.Int // S, Frac fraction bits
}

func (w *Welford) Validate() error {
	if w.Frac < Input.Frac || w.Frac > 40 {
		return fmt.Errorf("Frac = %d, want %d to 40", w.Frac, Input.Frac)
	}
	return nil
}

// Add counts a raw number of [Input] in.
func (w *Welford) Add(x int64) {
	w.N++
	x <<= w.Frac - Input.Frac
	before := x - w.Mean
	w.Mean += before / w.N
	p := new(big.Int).Mul(big.NewInt(before), big.NewInt(x-w.Mean))
	w.Sum.Add(&w.Sum, p.Rsh(p, uint(w.Frac)))
}
