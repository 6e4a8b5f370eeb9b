package amd64

// vdef is a row of the table of vector instructions.
type vdef struct {
	name   string
	opcode uint8
	second uint8 // the opcode of the reverse direction, or the extension of a shift
	shape  vshape
	f      vflag
}

// vshape is the forms that an instruction has, and so its methods.
type vshape uint32

const (
	sh3        vshape = 1 << iota // dst, src1, src2 or memory
	sh3I                          // and an immediate
	sh2                           // dst, src or memory
	sh2I                          // and an immediate
	shLoad                        // dst, memory
	shStored                      // memory, src
	shShiftI                      // dst in v, src or memory in rm, an extension in reg
	shNarrow                      // dst or memory in rm, src in reg
	shExtract                     // and an immediate
	shMaskMove                    // dst, mask, memory and the reverse
	shBlend                       // dst, src1, src2 or memory, mask in the immediate
	shFromG                       // dst, a general register
	shToG                         // a general register, src, with the second opcode
	shSigns                       // a general register in reg, a vector in rm
	shInsertG                     // dst, src1, a general register or memory, an immediate
	shToGI                        // a general register or memory in rm, src in reg, an immediate
	shCmp                         // a mask register, src1, src2 or memory
	shCmpI                        // and an immediate
	shFromK                       // dst, a mask register
	shToK                         // a mask register, src
	shGather
	shScatter
)

// vflag is an instruction's encoding: once init has put the opcode in, all of it.
type vflag uint32

const (
	m0F vflag = 1 // the opcode map, in two bits
	m38 vflag = 2
	m3A vflag = 3

	ppBy1 vflag = 1 << 2 // the prefix, in two bits
	p66         = 1 * ppBy1
	pF3         = 2 * ppBy1
	pF2         = 3 * ppBy1

	hasVEX   vflag = 1 << 8
	hasEVEX  vflag = 1 << 5
	vexW     vflag = 1 << 6 // W under VEX
	evexW    vflag = 1 << 7 // W under EVEX
	needVEX3 vflag = 1 << 4 // map or W have no place in VEX of two bytes; set by init
	commutes vflag = 1 << 9 // src1 and src2 may change places
	bcast    vflag = 1 << 10
	twoWay   vflag = 1 << 18 // the opcode with bit 4 set has reg and rm exchanged
	noMask   vflag = 1 << 19 // under EVEX too

	unitBy1 vflag = 1 << 11 // log2 of the unit of EVEX displacements, in three bits,
	unitLen vflag = 1 << 14 // and whether that is times the vector's length over 128

	len128 vflag = 1 << 15 // the lengths that exist
	len256 vflag = 1 << 16
	len512 vflag = 1 << 17

	opcodeBy1 vflag = 1 << 24 // the opcode, in eight bits; set by init

	vex    = hasVEX
	evex   = hasEVEX
	both   = hasVEX | hasEVEX
	lenVEX = len128 | len256
	lenAll = len128 | len256 | len512

	// The memory operands, named as the tuples of Intel's manual: a whole vector,
	// with broadcasts of 32 or 64 bits or none, parts of one, a fixed size.
	fullMem = 4*unitBy1 | unitLen
	full32  = fullMem | bcast
	full64  = fullMem | bcast
	half    = 3*unitBy1 | unitLen
	quarter = 2*unitBy1 | unitLen
	eighth  = 1*unitBy1 | unitLen
	one8    = 0 * unitBy1
	one16   = 1 * unitBy1
	one32   = 2 * unitBy1
	one64   = 3 * unitBy1
	mem128  = 4 * unitBy1
	mem256  = 5 * unitBy1
)

// withOpcode is f with another opcode.
func (f vflag) withOpcode(o uint8) vflag { return f&(opcodeBy1-1) | vflag(o)*opcodeBy1 }

func init() {
	// VEX of two bytes implies the map 0F and W = 0.
	for i := range vdefs {
		d := &vdefs[i]
		d.f |= vflag(d.opcode) * opcodeBy1
		if d.f&3 != m0F || d.f&vexW != 0 {
			d.f |= needVEX3
		}
	}
}
