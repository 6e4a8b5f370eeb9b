package native

import "etch/sim/native/amd64"

// With AVX-512 VBMI, 64 look-ups are done at a time: a whole word. VPERMI2B picks
// every input's byte out of 128 staged ones, a pair of registers; under masks it
// picks out of further pairs. VPTESTMB makes a mask register of the tested bits.

// maxPairs is how many pairs of 64 staged bytes fit into registers, V16 upwards.
const maxPairs = 8

const wordLanes = 64

// Vector registers of the loop; the constants are 1 << i in byte i%8, and 1, 2
// and 4 in every byte.
const (
	zTemp  = amd64.V0 // to V3
	zPow   = amd64.V8
	zOnes  = amd64.V9 // to V11: 1, 2, 4
	zPairs = amd64.V16
)

func (b *bankCode) vbmi() {
	data := make([]byte, 0, 4*wordLanes)
	for k := range 4 {
		for i := range wordLanes {
			v := byte(1) << (i & 7)
			if k > 0 {
				v = 1 << (k - 1)
			}
			data = append(data, v)
		}
	}
	head := len(data)
	pairs := int(b.staged+127) / 128
	for w := range b.bank.Words {
		data = b.vbmiData(data, w, pairs)
	}
	step := (len(data) - head) / len(b.bank.Words)
	b.save()
	for w := range (int(b.staged) + wordLanes - 1) / wordLanes {
		b.V2M(amd64.VMOVDQU8, amd64.V512, zPairs+amd64.Vec(w), b.stagedAt(stateR).Plus(int32(wordLanes*w)))
	}
	b.LeaLabel(tmpC, b.behind(data))
	for k := range 4 {
		b.V2M(amd64.VMOVDQU8, amd64.V512, zPow+amd64.Vec(k), amd64.At(tmpC, int32(wordLanes*k)))
	}
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(head))
	b.Lea(amd64.S64, amd64.RDX, b.out)
	b.MovRI(amd64.RSI, uint64(len(b.bank.Words)))
	b.Align(32)
	top := b.NewLabel()
	b.Bind(top)
	b.vbmiBody(pairs)
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(step))
	b.RI(amd64.ADD, amd64.S64, amd64.RDX, 8)
	b.Dec(amd64.S32, amd64.RSI)
	b.Jcc(amd64.NE, top)
	b.Vzeroupper()
	b.restore()
}

// vbmiData appends the constants of a word: of every input places, masks, and for
// every further pair the look-ups that it is for; the table's bytes.
func (b *bankCode) vbmiData(data []byte, w, pairs int) []byte {
	for i := range b.inputs {
		var places, masks [wordLanes]byte
		of := make([]uint64, pairs)
		for k := range wordLanes {
			l := b.lookup(w, k)
			if i < int(l.K) {
				at, bit := b.place(l, i)
				places[k] = byte(at % 128)
				masks[k] = 1 << bit
				of[at/128] |= 1 << k
			}
		}
		data = append(append(data, places[:]...), masks[:]...)
		for _, m := range of[1:] {
			for s := range 8 {
				data = append(data, byte(m>>(8*s)))
			}
		}
	}
	for j := range 1 << max(0, b.inputs-3) {
		for k := range wordLanes {
			data = append(data, byte(full(b.lookup(w, k))>>(8*j)))
		}
	}
	return data
}

// vbmiBody makes a word: input i in mask register K1+i, then the table.
func (b *bankCode) vbmiBody(pairs int) {
	at := int32(0)
	next := func(n int32) amd64.Mem {
		at += n
		return amd64.At(tmpC, at-n)
	}
	for i := range b.inputs {
		places := next(wordLanes)
		b.V2M(amd64.VMOVDQU8, amd64.V512, zTemp, places)
		b.V3(amd64.VPERMI2B, amd64.V512, zTemp, zPairs, zPairs+1)
		mask := next(wordLanes)
		for p := 1; p < pairs; p++ {
			b.KMovRM(amd64.S64, amd64.K7, next(8))
			b.V2M(amd64.VMOVDQU8, amd64.V512, zTemp+1, places)
			b.V3(amd64.VPERMI2B, amd64.V512, zTemp+1, zPairs+amd64.Vec(2*p), zPairs+amd64.Vec(2*p+1))
			b.V2X(amd64.VMOVDQU8, amd64.V512, amd64.Evex{Mask: amd64.K7}, zTemp, zTemp+1)
		}
		b.VCmpM(amd64.VPTESTMB, amd64.V512, amd64.Evex{}, amd64.K1+amd64.KReg(i), zTemp, mask)
	}
	b.V2X(amd64.VMOVDQU8, amd64.V512, amd64.Evex{Mask: amd64.K1, Zero: true}, zTemp, zOnes)
	for i := 1; i < min(3, b.inputs); i++ {
		b.V3X(amd64.VPADDB, amd64.V512, amd64.Evex{Mask: amd64.K1 + amd64.KReg(i)}, zTemp, zTemp, zOnes+amd64.Vec(i))
	}
	b.V3(amd64.VPSHUFB, amd64.V512, zTemp, zPow, zTemp)
	b.vbmiByte(zTemp+1, at, max(0, b.inputs-3))
	b.VCmp(amd64.VPTESTMB, amd64.V512, amd64.K1, amd64.K0, zTemp, zTemp+1)
	b.KMovMR(amd64.S64, amd64.At(amd64.RDX, 0), amd64.K1)
}

// vbmiByte puts the table's byte that the upper high inputs choose into dst, by
// way of the registers above it.
func (b *bankCode) vbmiByte(dst amd64.Vec, at int32, high int) {
	if high == 0 {
		b.V2M(amd64.VMOVDQU8, amd64.V512, dst, amd64.At(tmpC, at))
		return
	}
	under := amd64.Evex{Mask: amd64.K4 + amd64.KReg(high-1)}
	upper := at + wordLanes<<(high-1)
	b.vbmiByte(dst, at, high-1)
	if high == 1 {
		b.V2MX(amd64.VMOVDQU8, amd64.V512, under, dst, amd64.At(tmpC, upper))
		return
	}
	b.vbmiByte(dst+1, upper, high-1)
	b.V2X(amd64.VMOVDQU8, amd64.V512, under, dst, dst+1)
}
