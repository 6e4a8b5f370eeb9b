package passes_test

import (
	"fmt"
	"os"
	"strings"

	"etch/ir/text"
	"etch/passes"
)

// Of two thermometer bits the higher implies the lower, so the table needs only
// one of them, and the sum of extended numbers needs nine bits.
func ExampleOptimize() {
	d, err := text.Parse(strings.NewReader(`etch 1
top t
module t {
  input x: 8 sint = %x
  output both: 1 = %and
  output sum: 16 = %sum
  %x x: 8 sint = input x
  %three: 8 = const 8'h3
  %nine: 8 = const 8'h9
  %t0: 1 = lts %three %x
  %t1: 1 = lts %nine %x
  %and: 1 = lut 4'h8 %t0 %t1
  %wide: 16 = sext %x
  %sum: 16 = add %wide %wide
}`), "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	var count passes.Count
	small := passes.Optimize(d, passes.Options{Count: &count})
	fmt.Println(count)
	text.Print(os.Stdout, small)
	// Output:
	// narrowed 1, narrowed bits 7, LUT pins 1, LUT pins implied 1, LUTs removed 1, shared 1, dead nodes 2
	// etch 1
	// top t
	//
	// module t {
	//   input x: 8 sint = %1
	//   output both: 1 = %3
	//   output sum: 16 = %6
	//   %1 x: 8 sint = input x
	//   %2: 8 = const 8'h9
	//   %3: 1 = lts %2 %1
	//   %4: 9 = sext %1
	//   %5: 9 = add %4 %4
	//   %6: 16 = sext %5
	// }
}
