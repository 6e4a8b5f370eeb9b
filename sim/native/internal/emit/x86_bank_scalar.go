package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Without vectors, look-ups are made one at a time. The inputs are gathered into an address; BT
// copies the table's bit at that address into the carry, and ADC shifts it into the result word.
// A layer reads every bit several times, so its operands are spread first: row r has one byte
// per bit, holding the bit times 2^r. Then three inputs are merged by OR, one from each row.

// spreads reports whether spreading the operands pays.
func (b *bankCode) spreads() bool {
	return 8*b.Staged <= schedule.MaxSpread && int(8*b.Staged) <= 4*b.Of.Lookups()
}

// scalar writes a bank's code without vectors.
func (b *bankCode) scalar() {
	spread := b.spreads()
	b.save()
	if spread {
		b.spread()
	}

	// From the last look-up to the first, since each bit is shifted in at the bottom.
	for w, word := range b.Of.Words {
		b.RR(amd64.XOR, amd64.S32, amd64.RDX, amd64.RDX)
		for k := len(word) - 1; k >= 0; k-- {
			l := &word[k]
			switch {
			case l.K == 0:
				b.RR(amd64.ADD, amd64.S64, amd64.RDX, amd64.RDX)
				continue
			case spread:
				b.spreadAddress(l)
			default:
				b.bitAddress(l)
			}

			b.MovRI(tmpC, l.Table)
			b.BtRR(amd64.S64, tmpC, tmpA)
			b.RR(amd64.ADC, amd64.S64, amd64.RDX, amd64.RDX)
		}
		b.MovMR(amd64.S64, b.out.Plus(int32(8*w)), amd64.RDX)
	}
	b.restore()
}

// bitAddress gathers the inputs of l into tmpA, bit by bit.
func (b *bankCode) bitAddress(l *net.Lookup) {
	b.RR(amd64.XOR, amd64.S32, tmpA, tmpA)
	for i := int(l.K) - 1; i >= 0; i-- {
		at, bit := b.Place(l, i)
		b.BtMI(amd64.S32, b.stagedAt(loads).Plus(at&^3), uint8(at&3*8)+bit)
		b.RR(amd64.ADC, amd64.S32, tmpA, tmpA)
	}
}

// spreadAddress gathers the inputs of l into tmpA from spread operands, three per row set.
func (b *bankCode) spreadAddress(l *net.Lookup) {
	first := true
	for i := int(l.K) - 1; i >= 0; i-- {
		at, bit := b.Place(l, i)
		m := b.row(loads, i%schedule.SpreadRows).Plus(8*at + int32(bit))

		if first {
			b.MovRM(amd64.S8, tmpA, m)
		} else {
			b.RM(amd64.OR, amd64.S8, tmpA, m)
		}
		first = false
		if i == schedule.SpreadRows {
			b.ShiftI(amd64.SHL, amd64.S32, tmpA, schedule.SpreadRows)
		}
	}
}

// row addresses the first byte of a row of spread operands.
func (b *bankCode) row(w way, r int) amd64.Mem {
	return b.workAt(w, schedule.SavedWords+(b.Staged+7)/8+schedule.StagedWords+int32(r)*b.Staged)
}

// spread writes the rows in a loop over the operand bytes.
func (b *bankCode) spread() {
	i, ones := amd64.RSI, amd64.RDI
	b.RR(amd64.XOR, amd64.S32, i, i)
	b.MovRI(ones, 0x0101010101010101)

	indexed := func(m amd64.Mem, scale uint8) amd64.Mem { return amd64.AtIndex(m.Base, i, scale, m.Disp) }
	b.Align(32)
	top := b.NewLabel()
	b.Bind(top)

	b.MovRM(amd64.S8, tmpA, indexed(b.stagedAt(loads), 1))
	if b.bmi {
		b.Pdep(amd64.S64, tmpA, tmpA, ones)
		b.spreadRows(indexed, amd64.S64, 0)
	} else { // four bits at a time
		b.MovRR(amd64.S32, amd64.RDX, tmpA)
		b.RI(amd64.AND, amd64.S32, tmpA, 15)
		b.spreadFour(ones)
		b.spreadRows(indexed, amd64.S32, 0)
		b.MovRR(amd64.S32, tmpA, amd64.RDX)
		b.ShiftI(amd64.SHR, amd64.S32, tmpA, 4)
		b.spreadFour(ones)
		b.spreadRows(indexed, amd64.S32, 4)
	}

	b.Inc(amd64.S32, i)
	b.RI(amd64.CMP, amd64.S32, i, b.Staged)
	b.Jcc(amd64.NE, top)
}

// spreadFour spreads the four bits of tmpA to bytes. The multiplication copies them 7 bits
// apart.
func (b *bankCode) spreadFour(ones amd64.Reg) {
	b.ImulRRI(amd64.S32, tmpA, tmpA, 0x204081)
	b.RR(amd64.AND, amd64.S32, tmpA, ones)
}

// spreadRows stores the bytes of tmpA in all rows, doubled from row to row.
func (b *bankCode) spreadRows(indexed func(amd64.Mem, uint8) amd64.Mem, s amd64.Size, plus int32) {
	for r := range schedule.SpreadRows {
		if r > 0 {
			b.RR(amd64.ADD, s, tmpA, tmpA)
		}
		b.MovMR(s, indexed(b.row(stores, r), 8).Plus(plus), tmpA)
	}
}
