package native

import "etch/sim/native/amd64"

// With AVX2, 32 look-ups are done at a time, one to a byte. The staged bytes lie
// in up to 8 windows of 16 in vector registers, each in both halves of its
// register, for VPSHUFB to pick from. For every input a constant vector has the
// place of its byte: the low 4 bits in the window, bit 7 and below the number of
// the window, such that bit 7 makes VPSHUFB give 0 and shifts bring the other bits
// to where VPBLENDVB looks. A mask then tests the bit, which gives a byte of ones
// or zeros. Inputs 3 to 5 choose among 8 bytes of the table; the others address
// the bit in it.

const (
	maxWindows = 8
	bankLanes  = 32 // look-ups at a time
)

// Vector registers of the loop.
const (
	vA, vB, vT, vU, vV = amd64.V0, amd64.V1, amd64.V2, amd64.V3, amd64.V4
	vHigh              = amd64.V5 // to V7: inputs 3 to 5, ones or zeros
	vAddress           = amd64.V5 // later: minus the address of the bit
	vTable             = amd64.V7
	vWindow            = amd64.V8
)

// Constants at the head, in bytes.
const (
	headFlip = 0  // bit 7 of every byte
	headPow  = 32 // 1 << i in byte i%8
	headSize = 64
)

func (b *bankCode) avx2() {
	data := make([]byte, headSize)
	for i := range bankLanes {
		data[headFlip+i] = 0x80
		data[headPow+i] = 1 << (i & 7)
	}
	windows := int(b.staged+windowBytes-1) / windowBytes
	for w := range b.bank.Words {
		for half := range 2 {
			data = b.avx2Data(data, w, half*bankLanes, windows)
		}
	}
	step := (len(data) - headSize) / (2 * len(b.bank.Words))
	b.save()
	for w := range windows {
		b.V2M(amd64.VBROADCASTI128, amd64.V256, vWindow+amd64.Vec(w), b.stagedAt(stateR).Plus(int32(windowBytes*w)))
	}
	b.LeaLabel(amd64.RDI, b.behind(data))
	b.Lea(amd64.S64, tmpC, amd64.At(amd64.RDI, headSize))
	b.Lea(amd64.S64, amd64.RDX, b.out)
	b.MovRI(amd64.RSI, uint64(2*len(b.bank.Words)))
	b.Align(32)
	top := b.NewLabel()
	b.Bind(top)
	b.avx2Body(windows)
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(step))
	b.RI(amd64.ADD, amd64.S64, amd64.RDX, bankLanes/8)
	b.Dec(amd64.S32, amd64.RSI)
	b.Jcc(amd64.NE, top)
	b.Vzeroupper()
	b.restore()
}

// avx2Data appends the constants of 32 look-ups: of every input, from the last
// down, places and masks; the table's bytes.
func (b *bankCode) avx2Data(data []byte, w, first, windows int) []byte {
	for i := b.inputs - 1; i >= 0; i-- {
		var places, masks [bankLanes]byte
		for k := range bankLanes {
			l := b.lookup(w, first+k)
			if i < int(l.K) {
				at, bit := b.place(l, i)
				places[k] = windowByte(at, windows)
				masks[k] = 1 << bit
			}
		}
		data = append(append(data, places[:]...), masks[:]...)
	}
	for j := range 1 << max(0, b.inputs-3) {
		for k := range bankLanes {
			data = append(data, byte(full(b.lookup(w, first+k))>>(8*j)))
		}
	}
	return data
}

// windowByte is the place of staged byte at for VPSHUFB and blends.
func windowByte(at int32, windows int) byte {
	w, low := byte(at>>4), byte(at&15)
	switch {
	case windows > 4: // w's bits 2, 1, 0 become bits 7, 6, 5
		return low | w<<5
	case windows > 2:
		return low | w<<6
	}
	return low | w<<7
}

func (b *bankCode) avx2Body(windows int) {
	at := int32(0)
	input := func(dst amd64.Vec) { // the next input, from the last down
		b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(tmpC, at))
		b.pick(windows)
		b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(tmpC, at+bankLanes))
		b.V3(amd64.VPAND, amd64.V256, vT, vT, vA)
		b.V3(amd64.VPCMPEQB, amd64.V256, dst, vT, vA)
		at += 2 * bankLanes
	}
	high := max(0, b.inputs-3)
	for i := high - 1; i >= 0; i-- {
		input(vHigh + amd64.Vec(i))
	}
	b.chooseByte(high, 64*int32(b.inputs))
	for i := min(3, b.inputs) - 1; i >= 0; i-- {
		if i == min(3, b.inputs)-1 {
			input(vAddress)
			continue
		}
		input(vT)
		b.V3(amd64.VPADDB, amd64.V256, vAddress, vAddress, vAddress)
		b.V3(amd64.VPADDB, amd64.V256, vAddress, vAddress, vT)
	}
	b.V2(amd64.VPABSB, amd64.V256, vAddress, vAddress)
	b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(amd64.RDI, headPow))
	b.V3(amd64.VPSHUFB, amd64.V256, vA, vA, vAddress)
	b.V3(amd64.VPAND, amd64.V256, vTable, vTable, vA)
	b.V3(amd64.VPCMPEQB, amd64.V256, vTable, vTable, vA)
	b.VToG(amd64.VPMOVMSKB, amd64.V256, tmpA, vTable)
	b.MovMR(amd64.S32, amd64.At(amd64.RDX, 0), tmpA)
}

// pick puts the bytes at places vA into vT.
func (b *bankCode) pick(windows int) {
	shuffle := func(dst amd64.Vec, w int, places amd64.Vec) {
		b.V3(amd64.VPSHUFB, amd64.V256, dst, vWindow+amd64.Vec(w), places)
	}
	half := 1 // windows that bit 7 is clear for
	for 2*half < windows {
		half *= 2
	}
	if windows > 1 {
		b.V3M(amd64.VPXOR, amd64.V256, vB, vA, amd64.At(amd64.RDI, headFlip))
	}
	both := func(dst amd64.Vec, w int, tmp amd64.Vec) { // window w or, under bit 7, w+half
		shuffle(dst, w, vA)
		if w+half < windows {
			shuffle(tmp, w+half, vB)
			b.V3(amd64.VPOR, amd64.V256, dst, dst, tmp)
		}
	}
	double := func(dst, src amd64.Vec) { b.V3(amd64.VPADDB, amd64.V256, dst, src, src) }
	both(vT, 0, vU)
	switch half {
	case 2:
		both(vU, 1, vV)
		double(vA, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vT, vT, vU, vA)
	case 4:
		both(vU, 2, vV)
		double(vV, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vT, vT, vU, vV)
		both(vU, 1, vV)
		both(vV, 3, vB) // the last that needs vB
		double(vA, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vU, vU, vV, vA)
		double(vA, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vT, vT, vU, vA)
	}
}

// chooseByte loads the table's bytes, whose constants begin at at, and chooses by
// the high inputs into vTable.
func (b *bankCode) chooseByte(high int, at int32) {
	load := func(dst amd64.Vec, j int) {
		b.V2M(amd64.VMOVDQU, amd64.V256, dst, amd64.At(tmpC, at+int32(bankLanes*j)))
	}
	pair := func(dst amd64.Vec, j int) { // byte j or j+1
		load(dst, j)
		b.VBlendVM(amd64.VPBLENDVB, amd64.V256, dst, dst, amd64.At(tmpC, at+int32(bankLanes*(j+1))), vHigh)
	}
	blend := func(dst, other, mask amd64.Vec) { b.VBlendV(amd64.VPBLENDVB, amd64.V256, dst, dst, other, mask) }
	four := func(dst, tmp amd64.Vec, j int) {
		pair(dst, j)
		pair(tmp, j+2)
		blend(dst, tmp, vHigh+1)
	}
	switch high {
	case 0:
		load(vTable, 0)
	case 1:
		pair(vTable, 0)
	case 2:
		four(vTable, vT, 0)
	case 3:
		four(vT, vU, 0)
		four(vU, vV, 4)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vTable, vT, vU, vHigh+2)
	}
}
