package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
)

// With AVX-512, 64 look-ups are made at a time: one result word. The staged bytes lie in vector
// registers in sets. The byte of each input is selected from one set after the other, under
// masks of the look-ups whose byte is in that set. With VBMI a set is 128 bytes in two
// registers, for VPERMI2B; without, 16 bytes repeated four times, for VPSHUFB. VPTESTMB turns
// the tested bits into a mask register.

// The largest operands, in bytes, that fit in the registers from V16 on.
const (
	maxPermuted = 8 * pairBytes
	maxShuffled = 16 * windowBytes
)

const (
	pairBytes   = 128
	windowBytes = 16
	wordLookups = 64
)

// Vector registers of the loop. The constants are 1 << i in byte i%8, and 1, 2 and 4 in every
// byte.
const (
	zTemp = amd64.V0 // to V3
	zPow  = amd64.V8
	zOnes = amd64.V9 // to V11: 1, 2, 4
	zSets = amd64.V16
)

// setBytes is the size of a set, in bytes.
func (b *bankCode) setBytes() int32 {
	if b.f.VBMI {
		return pairBytes
	}
	return windowBytes
}

// avx512 writes a bank's code for AVX-512.
func (b *bankCode) avx512() {
	// Constants common to all words: zPow and the three zOnes.
	data := make([]byte, 0, 4*wordLookups)
	for k := range 4 {
		for i := range wordLookups {
			v := byte(1) << (i & 7)
			if k > 0 {
				v = 1 << (k - 1)
			}
			data = append(data, v)
		}
	}

	// Behind the head, each word has a block of constants of one size: the loop steps through them.
	head := len(data)
	sets := (b.Staged + b.setBytes() - 1) / b.setBytes()
	for w := range b.Of.Words {
		data = b.wordData(data, w, sets)
	}
	step := (len(data) - head) / len(b.Of.Words)

	// Registers are borrowed from the values; sets and head stay in vectors for the whole loop.
	b.save()
	b.loadSets(sets)
	b.LeaLabel(tmpC, b.behind(data))
	for k := range 4 {
		b.V2M(amd64.VMOVDQU8, amd64.V512, zPow+amd64.Vec(k), amd64.At(tmpC, int32(wordLookups*k)))
	}

	// Loop registers: constants, output, words left.
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(head))
	b.Lea(amd64.S64, amd64.RDX, b.out)
	b.MovRI(amd64.RSI, uint64(len(b.Of.Words)))

	b.Align(32)
	top := b.NewLabel()
	b.Bind(top)
	b.wordBody(sets)
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(step))
	b.RI(amd64.ADD, amd64.S64, amd64.RDX, wordLookups/8)
	b.Dec(amd64.S32, amd64.RSI)
	b.Jcc(amd64.NE, top)
	b.Vzeroupper()
	b.restore()
}

// loadSets loads the staged bytes.
func (b *bankCode) loadSets(sets int32) {
	op, step := amd64.VMOVDQU8, int32(wordLookups)

	// Without VBMI, VPSHUFB looks up within 16 bytes: repeat them in all four quarters.
	if !b.f.VBMI {
		op, step = amd64.VBROADCASTI32X4, windowBytes
	}
	for at := int32(0); at < b.Staged; at += step {
		b.V2M(op, amd64.V512, zSets+amd64.Vec(at/step), b.stagedAt(loads).Plus(at))
	}
}

// wordData appends the constants of a word: for every input the places, the bit masks, and for
// each set but the first the mask of its look-ups; then the bytes of the tables.
func (b *bankCode) wordData(data []byte, w int, sets int32) []byte {
	for i := range b.Inputs {
		// Inputs that a look-up does not have keep place 0 and mask 0, which gives 0.
		var places, masks [wordLookups]byte
		of := make([]uint64, sets)
		for k := range wordLookups {
			l := b.Lookup(w, k)
			if i < int(l.K) {
				at, bit := b.Place(l, i)
				places[k] = byte(at % b.setBytes())
				masks[k] = 1 << bit
				of[at/b.setBytes()] |= 1 << k
			}
		}

		// The first set is read without mask, so it needs none.
		data = append(append(data, places[:]...), masks[:]...)
		for _, m := range of[1:] {
			for s := range 8 {
				data = append(data, byte(m>>(8*s)))
			}
		}
	}

	// Byte j of each table: the high inputs select among these bytes.
	for j := range 1 << max(0, b.Inputs-3) {
		for k := range wordLookups {
			data = append(data, byte(schedule.Full(b.Lookup(w, k))>>(8*j)))
		}
	}
	return data
}

// wordBody writes one round: input i goes to mask register K1+i, then the table is looked up.
func (b *bankCode) wordBody(sets int32) {
	at := int32(0)

	// Each input: take its byte from the first set, and merge those of the other sets under their
	// masks.
	for i := range b.Inputs {
		places, masks := at, at+wordLookups
		at += 2 * wordLookups
		b.pickSet(zTemp, 0, places, amd64.Evex{})
		for s := int32(1); s < sets; s++ {
			b.KMovRM(amd64.S64, amd64.K7, amd64.At(tmpC, at))
			at += wordLookups / 8
			b.pickSet(zTemp, s, places, amd64.Evex{Mask: amd64.K7})
		}
		b.VCmpM(amd64.VPTESTMB, amd64.V512, amd64.Evex{}, amd64.K1+amd64.KReg(i), zTemp, amd64.At(tmpC, masks))
	}

	// The three low inputs address a bit: sum 1, 2 and 4 under their masks, then 1 << address.
	b.V2X(amd64.VMOVDQU8, amd64.V512, amd64.Evex{Mask: amd64.K1, Zero: true}, zTemp, zOnes)
	for i := 1; i < min(3, b.Inputs); i++ {
		b.V3X(amd64.VPADDB, amd64.V512, amd64.Evex{Mask: amd64.K1 + amd64.KReg(i)}, zTemp, zTemp, zOnes+amd64.Vec(i))
	}
	b.V3(amd64.VPSHUFB, amd64.V512, zTemp, zPow, zTemp)

	// The high inputs select the byte that the bit is tested in.
	b.tableByte(zTemp+1, at, max(0, b.Inputs-3))
	b.VCmp(amd64.VPTESTMB, amd64.V512, amd64.K1, amd64.K0, zTemp, zTemp+1)
	b.KMovMR(amd64.S64, amd64.At(amd64.RDX, 0), amd64.K1)
}

// pickSet selects bytes of set s into dst under a mask; places is the offset of the byte
// numbers.
func (b *bankCode) pickSet(dst amd64.Vec, s, places int32, under amd64.Evex) {
	from, index := amd64.At(tmpC, places), dst+1

	// The first set may overwrite the places, and needs no merge.
	if s == 0 && b.f.VBMI {
		index = dst
	}
	if s == 0 || b.f.VBMI {
		b.V2M(amd64.VMOVDQU8, amd64.V512, index, from)
	}

	if !b.f.VBMI {
		b.V3X(amd64.VPSHUFB, amd64.V512, under, dst, zSets+amd64.Vec(s), index)
		return
	}

	// VPERMI2B replaces its index by the result, so merging takes another move.
	b.V3(amd64.VPERMI2B, amd64.V512, index, zSets+amd64.Vec(2*s), zSets+amd64.Vec(2*s+1))
	if s > 0 {
		b.V2X(amd64.VMOVDQU8, amd64.V512, under, dst, index)
	}
}

// tableByte selects the table byte by the high inputs, into dst, using the registers above it.
// The table's constants begin at at. It merges halves recursively, one input per level.
func (b *bankCode) tableByte(dst amd64.Vec, at int32, high int) {
	if high == 0 {
		b.V2M(amd64.VMOVDQU8, amd64.V512, dst, amd64.At(tmpC, at))
		return
	}

	// Inputs of both halves: the lower half in dst, the upper one merged under this input's mask.
	under := amd64.Evex{Mask: amd64.K4 + amd64.KReg(high-1)}
	upper := at + wordLookups<<(high-1)
	b.tableByte(dst, at, high-1)
	if high == 1 {
		b.V2MX(amd64.VMOVDQU8, amd64.V512, under, dst, amd64.At(tmpC, upper))
		return
	}
	b.tableByte(dst+1, upper, high-1)
	b.V2X(amd64.VMOVDQU8, amd64.V512, under, dst, dst+1)
}
