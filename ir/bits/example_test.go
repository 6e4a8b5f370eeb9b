package bits_test

import (
	"fmt"

	"etch/ir/bits"
)

func Example() {
	a := bits.New(8, 200)
	sum := a.Add(bits.New(8, 100)) // the width is kept, mod 2^8
	full := a.Mul(a, 16)           // the result's width is asked for
	low := full.Slice(0, 8)
	fmt.Println(sum, full, bits.Concat(low, sum))
	fmt.Println(a.Int64(), a.DivS(bits.FromInt(8, -5)), a.Div(bits.Zero(8)))
	// Output:
	// 8'h2c 16'h9c40 16'h402c
	// -56 8'hb 8'hff
}
