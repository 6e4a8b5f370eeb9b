package emit

import (
	"encoding/binary"

	"etch/sim/native/arm64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// 16 look-ups are made at a time, one per byte of a vector. The staged bytes lie in vector
// registers in sets of four: TBL selects bytes of the first set by number, TBX bytes of later
// sets. Each input has two constant vectors, one with byte numbers and one with bit masks. CMTST
// turns the selected bits into bytes of ones or zeros, and SRI shifts them into an address per
// look-up. The upper address bits select a byte of the look-up's table, again by TBL; the lower
// three select the bit.

const (
	maxTabled = 256 // staged bytes that fit in registers
	tabled    = 16  // look-ups per round
	setVecs   = 4   // registers per TBL
)

// Vector registers of the loop over rounds.
const (
	tPlaces  = arm64.Vec(0)
	tMasks   = arm64.Vec(1)
	tByte    = arm64.Vec(2)
	tAddress = arm64.Vec(3)
	tLow     = arm64.Vec(4) // ones in the bits of the address of a bit
	tTable   = arm64.Vec(5) // by look-up: the number of the first byte of its table
	tPow     = arm64.Vec(6) // 1 << i in byte i%8
	tSet     = arm64.Vec(7) // bytes per set, to renumber for the next set
	tTables  = arm64.Vec(8)
	tStaged  = arm64.Vec(16)
)

// writeConstants appends the constant pool to the code.
func (e *a64) writeConstants() {
	for _, p := range e.pool {
		e.Define(p.label)
		for at := 0; at < len(p.data); at += 4 {
			e.Word(binary.LittleEndian.Uint32(p.data[at:]))
		}
	}
	e.pool = nil
}

// a64Bank writes the code of one bank.
type a64Bank struct {
	*a64
	schedule.BankShape
	out a64At // address of the first result word
}

// bank computes all result words of Tables node x.
func (e *a64) bank(x net.ID) {
	b := &a64Bank{a64: e, BankShape: schedule.ShapeOf(e.n, x), out: e.scratch(e.c.Loc[x].At)}
	b.stage(e.n.Operands(x))
	if b.Staged <= maxTabled {
		b.Vectors()
	} else {
		b.bits()
	}
}

// stage copies the operands side by side and leaves the address of the first byte in the third
// temporary. It stores whole words at ascending addresses: each store overwrites the zero bytes
// that the previous one left behind its operand.
func (b *a64Bank) stage(operands []net.ID) {
	p := b.scratch(b.c.Work + b.c.WorkSize - 1)
	b.add(a64C, p.base, p.off+8*schedule.SavedWords)
	b.Mov(arm64.X, a64D, a64C)

	for i, x := range operands {
		next := b.Staged
		if i+1 < len(operands) {
			next = b.Begins[i+1]
		}
		b.MemPost(arm64.STR, b.register(x, a64A), a64D, int64(next-b.Begins[i]))
	}
}

// bits makes the look-ups one at a time, for banks with more operand bytes than vector registers
// hold.
func (b *a64Bank) bits() {
	for w, word := range b.Of.Words {
		b.MovRI(a64D, 0)
		for k := range word {
			// One bit of the result per look-up: gather the address, shift the table by it,
			// insert.
			l := &word[k]
			for i := range int(l.K) {
				at, bit := b.Place(l, i)
				b.access(arm64.LDRB, a64B, a64At{a64C, int64(at)})
				b.gather(a64B, bit, i)
			}
			if l.K > 0 {
				b.lookUp(l.Table)
				b.Bfi(arm64.X, a64D, a64A, uint8(k), 1)
			}
		}
		b.access(arm64.STR, a64D, a64At{b.out.base, b.out.off + int64(8*w)})
	}
	b.known = a64Known{} // the gather moved the bases to the staged bytes
}

func (b *a64Bank) Vectors() {
	const count, out = a64C, a64B

	// Load all staged bytes, then the constants that every round uses.
	for v := int32(0); 16*v < b.Staged; v++ {
		b.VMem(arm64.LDRVQ, tStaged+arm64.Vec(v), a64C, int64(16*v))
	}
	b.Adr(a64A, arm64.Label(b.pool.label(b, b.data())))
	b.VLdpPost(tPow, tTable, a64A, 32)
	b.VMovI8(tSet, 16*setVecs)
	b.VMovI8(tLow, 7)

	b.add(out, b.out.base, b.out.off)
	b.MovRI(count, uint64(len(b.Of.Words)*64/tabled))

	// One round makes 16 look-ups and stores 16 bits. The constants of a round follow the
	// previous round's in memory.
	top := b.NewLabel()
	b.Bind(top)
	b.address()
	b.chosen()
	b.VMemPost(arm64.STRVH, tByte, out, tabled/8)
	b.RRI(arm64.SUBS, arm64.X, count, count, 1)
	b.BCond(arm64.NE, top)
}

// high is the number of inputs that select a byte of the table.
func (b *a64Bank) high() int { return max(0, b.Inputs-3) }

// data lays out the constants in the order in which the loop reads them: tPow and tTable, then
// per round the byte numbers and masks of each input, last input first, and the tables.
func (b *a64Bank) data() []byte {
	var data []byte
	for i := range tabled {
		data = append(data, 1<<(i&7))
	}
	for i := range tabled {
		data = append(data, byte(i<<b.high()))
	}
	for w := range b.Of.Words {
		for first := 0; first < 64; first += tabled {
			data = b.tabledData(data, w, first)
		}
	}
	return data
}

func (b *a64Bank) tabledData(data []byte, w, first int) []byte {
	// Inputs, last first: address puts each new bit below those before it.
	for i := b.Inputs - 1; i >= 0; i-- {
		var places, masks [tabled]byte
		for k := range tabled {
			if l := b.Lookup(w, first+k); i < int(l.K) {
				at, bit := b.Place(l, i)
				places[k], masks[k] = byte(at), 1<<bit
			}
		}
		data = append(append(data, places[:]...), masks[:]...)
	}

	// Tables, 1<<high bytes each.
	for k := range tabled {
		t := schedule.Full(b.Lookup(w, first+k))
		for j := range 1 << b.high() {
			data = append(data, byte(t>>(8*j)))
		}
	}
	return data
}

// address shifts the input bits into addresses, from bit 7 of tAddress down.
func (b *a64Bank) address() {
	for i := range b.Inputs {
		// Select the byte of each input; numbers beyond a set select nothing, so each set is
		// tried with the numbers moved down.
		b.VLdpPost(tPlaces, tMasks, a64A, 32)
		vecs := uint8((b.Staged + 15) / 16)
		b.VTbl(tByte, tStaged, min(setVecs, vecs), tPlaces)
		for v := uint8(setVecs); v < vecs; v += setVecs {
			b.VRRR(arm64.VSUB, arm64.E8, tPlaces, tPlaces, tSet)
			b.VTbx(tByte, tStaged+arm64.Vec(v), min(setVecs, vecs-v), tPlaces)
		}

		// Turn the bit into a mask and shift it in.
		if i == 0 {
			b.VRRR(arm64.VCMTST, arm64.E8, tAddress, tByte, tMasks)
		} else {
			b.VRRR(arm64.VCMTST, arm64.E8, tByte, tByte, tMasks)
			b.VShiftI(arm64.VSRI, arm64.E8, tAddress, tByte, uint8(i))
		}
	}
}

// chosen looks the addresses up in the tables and packs the 16 result bits into the low bits of
// tByte.
func (b *a64Bank) chosen() {
	// Load the tables of this round.
	high := b.high()
	vecs := uint8(1) << high
	if high == 0 {
		b.VMemPost(arm64.LDRVQ, tTables, a64A, 16)
	}
	for v := uint8(0); v+1 < vecs; v += 2 {
		b.VLdpPost(tTables+arm64.Vec(v), tTables+arm64.Vec(v+1), a64A, 32)
	}

	// Select the byte of the table by the upper address bits.
	table := tTables
	if high > 0 {
		table = tByte
		b.VShiftI(arm64.VUSHR, arm64.E8, tPlaces, tAddress, uint8(8-high))
		b.VBits(arm64.VORR, tPlaces, tPlaces, tTable)
		b.VTbl(tByte, tTables, min(setVecs, vecs), tPlaces)
		if vecs > setVecs {
			b.VRRR(arm64.VSUB, arm64.E8, tPlaces, tPlaces, tSet)
			b.VTbx(tByte, tTables+setVecs, vecs-setVecs, tPlaces)
		}
	}

	// Select the bit: 1 << low address bits, tested against the byte.
	b.VShiftI(arm64.VUSHR, arm64.E8, tAddress, tAddress, uint8(8-b.Inputs))
	if high > 0 {
		b.VBits(arm64.VAND, tAddress, tAddress, tLow)
	}
	b.VTbl(tAddress, tPow, 1, tAddress)
	b.VRRR(arm64.VCMTST, arm64.E8, tByte, table, tAddress)

	// Weigh the bytes by 1 << i and add neighbours three times: eight bytes become one byte of
	// result bits.
	b.VBits(arm64.VAND, tByte, tByte, tPow)
	for range 3 {
		b.VRRR(arm64.VADDP, arm64.E8, tByte, tByte, tByte)
	}
}
