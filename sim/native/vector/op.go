package vector

// Op is the operation of an instruction. Vectors are elements of 16, 32 or 64 bits where the
// name says so; blocks are 128 bits.
type Op uint8

// The operations, of operands a, b and c.
const (
	Load      Op = iota // slot
	Store               // slot = a
	Move                // a
	Row                 // vector Slot of the memories
	StoreRow            // vector Slot of the memories = a
	Bits                // 16-bit elements: all ones where slice Slot has a one
	StoreBits           // slice Slot = one bit per 16-bit element of mask a
	Load64              // the first 64 bits at Slot; the others undefined
	Load128             // the first 128
	Store64             // the first 64 bits at Slot = those of a
	Store128            // the first 128
	Widen8              // 32-bit elements: the bytes at Slot, zero-extended
	Widen16             // the 16-bit elements at Slot
	Spread32            // in all 32-bit elements the first one at Slot
	Gather              // vector Imm of the result of read Slot; undefined if a has no ones
	Stop                // leave before the cycle if a has a one; scratch slot 0 keeps a

	And
	Or
	Xor
	Andn    // ^a & b
	Ternary // bit a·4 + b·2 + c of Imm, bit by bit

	Add16
	Add32
	Add64
	Sub16
	Sub32
	Sub64
	Mul16     // low half of the product
	MulHi16   // high half of the unsigned product
	MulHiS16  // high half of the signed product
	Mul32     // low half
	MulAdd16  // 32-bit elements: the sum of the signed products of the halves
	MulEven32 // 64-bit elements: the product of the low 32 bits of a and b
	Min32     // the lesser, unsigned
	Eq16      // all ones where equal
	Eq32
	Eq64
	Gt16 // all ones where a > b, signed
	Gt32
	Gt64
	Shl16 // by Imm, as below
	Shl32
	Shl64
	Shr16
	Shr32
	Shr64
	Sar16
	Sar32
	ShlBy32 // a by b; 0 if b exceeds the width
	ShlBy64
	ShrBy32
	ShrBy64
	SarBy32  // the sign if b exceeds the width
	Low16    // per block, the low four of a and b alternately: a0 b0 a1 b1 …
	High16   // the high four
	Low32    // the low two
	High32   // the high two
	Pack32   // per block, 16-bit elements: the 32-bit elements of a, then of b, which must fit
	PackS32  // the same for signed numbers: masks always fit
	Even32   // per block, the even 32-bit elements of a, then of b
	Choose8  // b where the top bit of c's byte is 1, else a
	Choose32 // b where the top bit of c's 32-bit element is 1, else a; Imm 1: c is a mask, all ones or 0
	Shuffle8 // per block, byte b of a; 0 if b's top bit is 1
	Sum8     // 64-bit elements: the sum of the eight byte differences |a - b|

	// Of vectors of 256 bits. Elements that become narrower must fit.

	Blend32  // b in the 32-bit elements that have a one in Imm, else a
	Mul16S   // 32-bit elements: the signed product of the low halves; the high halves must be 0
	Narrow64 // the 64-bit elements of a, then of b, in 32 bits each
	Narrow32 // the 32-bit elements of a in 16 bits each: the first half of the result
	Narrow16 // the 16-bit elements of a's first half in 8 bits each: the first quarter
	Widen32  // the 32-bit elements of a's first (Imm 0) or second half (1) in 64 bits each

	Expect // leave the body of a chain by way Slot if a has ones
	Skip   // go to the next EndSkip if a has no ones
	EndSkip
	Branch // go to the next Label if a has ones, or if fewer than Imm cycles are left
	Again  // end Imm cycles
	Label
	Macro // macro Slot
	NumOps
)

var opNames = [NumOps]string{"load", "store", "move", "row", "storerow", "bits", "storebits", "load64", "load128", "store64", "store128", "widen8", "widen16", "spread32", "gather", "stop", "and", "or", "xor", "andn", "ternary",
	"add16", "add32", "add64", "sub16", "sub32", "sub64", "mul16", "mulhi16", "mulhis16", "mul32", "muladd16", "muleven32", "min32",
	"eq16", "eq32", "eq64", "gt16", "gt32", "gt64", "shl16", "shl32", "shl64", "shr16", "shr32", "shr64", "sar16", "sar32",
	"shlby32", "shlby64", "shrby32", "shrby64", "sarby32", "low16", "high16", "low32", "high32", "pack32", "packs32", "even32",
	"choose8", "choose32", "shuffle8", "sum8", "blend32", "mul16s", "narrow64", "narrow32", "narrow16", "widen32", "expect", "skip", "endskip", "branch", "again", "label", "macro"}

// String is the op's name.
func (o Op) String() string { return opNames[o] }

// fetches reports whether the op makes a value of memory at its slot, which has no home.
func (o Op) fetches() bool {
	switch o {
	case Row, Bits, Load64, Load128, Widen8, Widen16, Spread32:
		return true
	}
	return false
}

// stores reports whether the op stores a at its slot and does nothing else.
func (o Op) stores() bool { return o == StoreRow || o == Store64 || o == Store128 }

// shift reports whether the op shifts by Imm.
func (o Op) shift() bool { return o >= Shl16 && o <= Sar32 }

// commutes reports whether a and b may be exchanged.
func (o Op) commutes() bool {
	switch o {
	case And, Or, Xor, Add16, Add32, Add64, Mul16, MulHi16, MulHiS16, Mul32, MulAdd16, MulEven32, Min32, Eq16, Eq32, Eq64, Sum8, Mul16S:
		return true
	}
	return false
}
