// Package fixed is what the tests of hwvet use of hw/fixed.
package fixed

import "etch/hw"

type Num struct {
	Raw hw.SInt `hw:",inline"`
}

func Q(integer, frac int) Num { panic(0) }

func (x Num) Lit(v float64) Num { panic(0) }
func (x Num) Set(v Num)         { panic(0) }
func (x Num) Add(y Num) Num     { panic(0) }
