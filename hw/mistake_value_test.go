//hwvet:ignore -- these mistakes are deliberate

package hw_test

import (
	"math/big"

	"etch/hw"
	"etch/ir/bits"
)

// Widths, literals, ranges, patterns.
var valueMistakes = []mistake{
	{"add of two widths", func(m *hw.Module, p pins) {
		p.Y.Set(p.A.Add(p.B)) // want "Add: a has 8 bits, b has 4 [width]" note "a is 8 bits wide"@a note "b is 4 bits wide"@b
	}},
	{"set of two widths", func(m *hw.Module, p pins) {
		p.Y.Set(p.A.AddGrow(p.A)) // want "Set: y has 8 bits, add(zext(a), zext(a)) has 9 [width]" note "y is 8 bits wide"@y
	}},
	{"every operation checks", func(m *hw.Module, p pins) {
		p.A.Sub(p.B)                      // want "Sub: a has 8 bits, b has 4 [width]"
		p.A.And(p.B)                      // want "And: a has 8 bits, b has 4 [width]"
		p.A.Div(p.B)                      // want "Div: a has 8 bits, b has 4 [width]"
		p.A.Eq(p.B)                       // want "Eq: a has 8 bits, b has 4 [width]"
		p.A.Ne(p.B)                       // want "Ne: a has 8 bits, b has 4 [width]"
		p.A.Ge(p.B)                       // want "Ge: a has 8 bits, b has 4 [width]"
		p.A.SubGrow(p.B)                  // want "SubGrow: a has 8 bits, b has 4 [width]"
		p.S.Lt(p.S.Trunc(2))              // want "Lt: s has 8 bits, s[1:0] has 2 [width]"
		p.S.AddGrow(p.S.Trunc(2))         // want "AddGrow: s has 8 bits, s[1:0] has 2 [width]"
		hw.Mux(p.C, p.A, p.B)             // want "Mux: a has 8 bits, b has 4 [width]"
		hw.Vec[hw.UInt]{p.A, p.B}.At(p.B) // want "At: a has 8 bits, b has 4 [width]"
		p.Y.Set(p.A)
	}},
	{"unpack", func(m *hw.Module, p pins) {
		p.Y.Set(hw.Unpack(hw.Unsigned(8), p.B)) // want "Unpack: b has 4 bits, the shape 8 [width]" note "b is 4 bits wide"@b
	}},
	{"memory address", func(m *hw.Module, p pins) {
		ram := hw.Mem(m, "ram", 1024, hw.Unsigned(8)) // at ram
		p.Y.Set(ram.Read(p.A))                        // want "Read: ram holds 1024 elements and takes 10 bits of address, a has 8 [width]" note "a is"@a note "the memory ram"@ram
	}},
	{"memory data and mask", func(m *hw.Module, p pins) {
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(8))
		ram.Write(p.B, p.B)                   // want "Write: b has 4 bits, the element of ram has 8 [width]"
		ram.WriteMask(p.B, p.A, p.A.Trunc(3)) // want "WriteMask: a mask of 3 bits for an element of 8 [width]"
		port := ram.WritePort(m, "w")
		m.When(p.C, func() { port.WriteMask(p.B, p.A, p.A.Trunc(2)) }).
			Else(func() { port.WriteMask(p.B, p.A, p.A.Trunc(4)) }) // want "WriteMask: a mask of 4 bits, and port w of ram has masks of 2 [width]"
		p.Y.Set(p.A)
	}},
	{"contents", func(m *hw.Module, p pins) {
		hw.Mem(m, "narrow", 4, hw.Unsigned(4), hw.Contents(15, 16))            // want "Mem narrow: word 1 is 16 and does not fit 4 bits [literal]"
		hw.Mem(m, "few", 2, hw.Unsigned(4), hw.Contents(1, 2, 3))              // want "Mem few: 3 words of contents for 2 elements [range]"
		hw.Mem(m, "words", 2, hw.Unsigned(4), hw.ContentsBits(bits.New(5, 1))) // want "Mem words: word 0 has 5 bits, an element 4 [width]"
		hw.Mem(m, "style", 2, hw.Unsigned(4), hw.Style("bram"))                // want `Style: "bram" is none of block, ultra, logic [param]`
		p.Y.Set(p.A)
	}},

	{"literal too large", func(m *hw.Module, p pins) {
		p.Y.Set(p.A.Add(hw.U(256))) // want "Add: 256 does not fit unsigned of 8 bits [literal]"
	}},
	{"literals of all sorts", func(m *hw.Module, p pins) {
		p.A.Is(256)                                           // want "Is: 256 does not fit unsigned of 8 bits [literal]"
		p.A.Is(-1)                                            // want "Is: -1 is negative and the value is unsigned [literal]"
		p.S.Is(128)                                           // want "Is: 128 does not fit signed of 8 bits [literal]"
		p.S.Is(-129)                                          // want "Is: -129 does not fit signed of 8 bits [literal]"
		p.S.Add(hw.S(1 << 40))                                // want "Add: 1099511627776 does not fit signed of 8 bits [literal]"
		p.A.Add(p.A.Lit(300))                                 // want "Lit: 300 does not fit unsigned of 8 bits [literal]"
		p.A.Add(hw.UBig(new(big.Int).Lsh(big.NewInt(1), 80))) // want "Add: 1208925819614629174706176 does not fit unsigned of 8 bits [literal]"
		p.A.Add(hw.UVal(bits.New(4, 3)))                      // want "Add: a has 8 bits, 3 has 4 [width]"
		p.A.Mul(hw.U(1000))                                   // want "Mul: 1000 does not fit unsigned of 8 bits [literal]"
		p.A.Add(hw.U(1000).Extend(8))                         // want "Extend: 1000 does not fit unsigned of 8 bits [literal]"
		hw.Sized(hw.Unsigned(2), hw.U(4)).Add(p.A)            // want "Sized: 4 does not fit unsigned of 2 bits [literal]"
		hw.Sized(hw.Unsigned(8), p.B).Add(p.A)                // want "Sized: b is not a literal [literal]"
		hw.UBig(nil).Add(p.A)                                 // want "UBig: the number is nil or has more than 1048576 bits [literal]"
		hw.UVal(bits.Value{}).Add(p.A)                        // want "UVal: the value has no width"
		p.Y.Set(hw.U(-1))                                     // want "Set: -1 is negative and the value is unsigned [literal]"
	}},
	{"literals without a width", func(m *hw.Module, p pins) {
		hw.Cat(p.A, hw.U(1))          // want "Cat: the literal 1 has nothing to take its width from; say Lit or Extend [literal]"
		hw.Mux(p.C, hw.U(1), hw.U(2)) // want "Mux: the literal 1 has nothing to take its width from"
		p.A.Add(hw.U(1).Add(hw.U(2))) // want "Add: only literals, and none has a width; give one a width with Lit or Extend, or compute it in Go [literal]"
		p.A.Add(hw.U(1).Trunc(1))     // want "Trunc: only literals, and none has a width; give one a width with Lit or Extend, or compute it in Go [literal]"
		p.Y.Set(p.A)
	}},
	{"ranges", func(m *hw.Module, p pins) {
		p.A.Range(8, 1)                               // want "Range: bits 8..1 of a, which has bits 7..0 [range]" note "a is 8 bits wide"@a
		p.A.Range(2, 3)                               // want "Range: 0 bits of a, which has bits 7..0 [range]"
		p.A.Range(7, -1)                              // want "Range: bits 7..-1 of a"
		p.A.Bit(8)                                    // want "Bit: bit 8 of a, which has bits 7..0 [range]"
		p.A.Trunc(9)                                  // want "Trunc: bits 8..0 of a, which has bits 7..0 [range]"
		p.A.Trunc(0)                                  // want "Trunc: 0 bits of a"
		p.A.Extend(7)                                 // want "Extend: to 7 bits from 8; Trunc cuts [range]"
		p.A.Extend(1 << 21)                           // want "Extend: the result has 2097152 bits, more than the 1048576 that a value can have [range]"
		p.A.Shl(-1)                                   // want "Shl: a shift by -1 [range]"
		p.C.Rep(0)                                    // want "Rep: 0 copies [range]"
		p.C.Rep(1 << 40)                              // want "Rep: the result has 1099511627776 bits, more than"
		hw.Delay(m, "never", p.A, -1)                 // want "Delay never: -1 cycles; want 0 to 65536 [range]"
		hw.Vec[hw.Bit]{}.At(p.A)                      // want "At: an empty vector [range]"
		hw.Choose(p.B, p.A, map[int]hw.UInt{16: p.A}) // want "Choose: case 16 of b, which has 4 bits [range]" note "b is 4 bits wide"@b
		hw.Lut(bits.New(4, 6), p.C)                   // want "Lut: a table of 4 bits for 1 bit of address; at most 16 of address [range]"
		hw.Mem(m, "none", 0, hw.Unsigned(8))          // want "Mem none: 0 elements of 8 bits; want 1 to 8589934592 in all [range]"
		hw.Mem(m, "huge", 1<<40, hw.Unsigned(8))      // want "Mem huge: 1099511627776 elements of 8 bits"
		hw.Reg(m, "below", hw.UpTo(-1))               // want "UpTo: -1 is negative [range]"
		hw.Reg(m, "at", hw.AddressOf(0))              // want "AddressOf: 0 elements [range]"
		hw.Wire(m, "vast", hw.VecOf(1<<40, hw.Bit{})) // want "VecOf: 1099511627776 elements; want at most 1048576 [range]"
		hw.Cat().Add(p.A)                             // want "Cat: of nothing [range]"
		p.Y.Set(p.A)
	}},
	{"patterns", func(m *hw.Module, p pins) {
		p.Y.Set(hw.Decode(p.B, p.A.Lit(0), map[string]hw.UInt{"1---": hw.U(1), "--11": hw.U(2)})) // want `Decode: patterns "--11" and "1---" overlap [pattern]`
		hw.Decode(p.B, p.A.Lit(0), map[string]hw.UInt{"10": hw.U(1), "012-": hw.U(2)})            // want `"012-" is not a pattern of 4 bits; it has 0, 1 or - for each [pattern]` `"10" is not a pattern of 4 bits`
	}},
	{"formats", func(m *hw.Module, p pins) {
		m.Assert(p.C, "%d and %d", p.A) // want `Assert: the format "%d and %d" takes 2 arguments, not 1 [format]`
		m.Printf("%q", p.A)             // want `Printf: the format "%q" has a verb that is none of %d %x %b %c %s %% [format]`
		m.Printf("%s", p.A)             // want "Printf: %s prints the name of an enumeration's value or a floating-point number, and a is neither; %d prints a number [format]"
		m.Printf("%d", nil)             // want "Printf: an operand is unset"
		m.Stop(-1)                      // want "Stop: an exit code of -1; want at least 0 [range]"
		p.Y.Set(p.A)
	}},
}
