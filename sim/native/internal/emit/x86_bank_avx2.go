package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
)

// With AVX2, 32 look-ups are made at a time, one per byte of a vector. The staged bytes are
// divided into windows of 16 bytes, repeated in both halves of a register for VPSHUFB; 8 windows
// are a set. Each input has a constant vector of places. The low 4 bits of a place are the byte
// in the window, the upper bits the window in its set: bit 7 makes VPSHUFB give 0, and shifts
// bring the other bits to the top, where VPBLENDVB reads them. A single set stays in registers;
// several sets are selected from one after the other, and constant masks merge the results. A
// mask then tests the bit, giving a byte of ones or zeros. Inputs 3 to 5 select among 8 bytes of
// the table; the others address the bit in it.

const (
	setWindows  = 8
	maxWindows  = 4 * setWindows // beyond this, scalar code is as fast
	bankLookups = 32             // look-ups per round
)

// Vector registers of the loop over rounds.
const (
	vA, vB, vT, vU, vV = amd64.V0, amd64.V1, amd64.V2, amd64.V3, amd64.V4
	vHigh              = amd64.V5 // to V7: inputs 3 to 5 as masks
	vAddress           = amd64.V5 // later: minus the bit's address
	vTable             = amd64.V7
	vWindow            = amd64.V8 // to V15: the windows, if there is a single set
	vPicked            = amd64.V8 // else: the bytes selected so far
)

// Constants common to all rounds, offsets in bytes.
const (
	headFlip = 0  // bit 7 of every byte
	headPow  = 32 // 1 << i in byte i%8
	headSize = 64
)

// avx2 writes a bank's code for AVX2.
func (b *bankCode) avx2() {
	// Constants common to all rounds, then a block per round.
	data := make([]byte, headSize)
	for i := range bankLookups {
		data[headFlip+i] = 0x80
		data[headPow+i] = 1 << (i & 7)
	}

	windows := int(b.Staged+windowBytes-1) / windowBytes
	for w := range b.Of.Words {
		for half := range 2 {
			data = b.avx2Data(data, w, half*bankLookups, windows)
		}
	}

	step := (len(data) - headSize) / (2 * len(b.Of.Words))

	// Windows of a single set are loaded once.
	b.save()
	for w := range windows {
		if windows <= setWindows {
			b.loadWindow(vWindow+amd64.Vec(w), w)
		}
	}

	// Loop registers: constants, output, rounds left.
	b.LeaLabel(amd64.RDI, b.behind(data))
	b.Lea(amd64.S64, tmpC, amd64.At(amd64.RDI, headSize))
	b.Lea(amd64.S64, amd64.RDX, b.out)
	b.MovRI(amd64.RSI, uint64(2*len(b.Of.Words)))

	// Each round reads the next step bytes of constants and writes 32 result bits.
	b.Align(32)
	top := b.NewLabel()
	b.Bind(top)
	b.avx2Body(windows)
	b.RI(amd64.ADD, amd64.S64, tmpC, int32(step))
	b.RI(amd64.ADD, amd64.S64, amd64.RDX, bankLookups/8)
	b.Dec(amd64.S32, amd64.RSI)
	b.Jcc(amd64.NE, top)
	b.Vzeroupper()
	b.restore()
}

// loadWindow loads window w into both halves of a register.
func (b *bankCode) loadWindow(dst amd64.Vec, w int) {
	b.V2M(amd64.VBROADCASTI128, amd64.V256, dst, b.stagedAt(loads).Plus(int32(windowBytes*w)))
}

// avx2Data appends the constants of 32 look-ups: for every input, last first, the places, a
// merge mask for each set but the first, and the bit masks; then the bytes of the tables.
func (b *bankCode) avx2Data(data []byte, w, first, windows int) []byte {
	for i := b.Inputs - 1; i >= 0; i-- {
		// Inputs that a look-up does not have keep place 0 and mask 0. A mask of 0 matches always,
		// which is harmless, because the table ignores them.
		var places, masks [bankLookups]byte

		choices := make([]byte, (windows-1)/setWindows*bankLookups)
		for k := range bankLookups {
			l := b.Lookup(w, first+k)
			if i < int(l.K) {
				at, bit := b.Place(l, i)
				set := int(at) / (setWindows * windowBytes)
				places[k] = windowByte(at, windows-set*setWindows)
				masks[k] = 1 << bit
				if set > 0 {
					choices[(set-1)*bankLookups+k] = 0x80
				}
			}
		}
		data = append(append(append(data, places[:]...), choices...), masks[:]...)
	}

	// Byte j of each table: the high inputs select among these bytes.
	for j := range 1 << max(0, b.Inputs-3) {
		for k := range bankLookups {
			data = append(data, byte(schedule.Full(b.Lookup(w, first+k))>>(8*j)))
		}
	}
	return data
}

// windowByte is the place of staged byte at, for VPSHUFB and blends. windows is the number of
// windows from its set on.
func windowByte(at int32, windows int) byte {
	w, low := byte(at>>4)%setWindows, byte(at&15)

	// The window's bits go to the top, as many as there are.
	switch {
	case windows > 4: // w's bits 2, 1, 0 become bits 7, 6, 5
		return low | w<<5
	case windows > 2:
		return low | w<<6
	}
	return low | w<<7
}

// avx2Body writes one round.
func (b *bankCode) avx2Body(windows int) {
	at := int32(0)
	input := func(dst amd64.Vec) { // the next input, last first
		at = b.pickSets(windows, at)
		b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(tmpC, at))
		b.V3(amd64.VPAND, amd64.V256, vT, vT, vA)
		b.V3(amd64.VPCMPEQB, amd64.V256, dst, vT, vA)
		at += bankLookups
	}

	// The high inputs select a byte of each table.
	inputBytes := int32(2+(windows-1)/setWindows) * bankLookups
	high := max(0, b.Inputs-3)
	for i := high - 1; i >= 0; i-- {
		input(vHigh + amd64.Vec(i))
	}
	b.chooseByte(high, inputBytes*int32(b.Inputs))

	// The low inputs become minus the address of the bit: masks are -1, so adding doubles and
	// accumulates.
	for i := min(3, b.Inputs) - 1; i >= 0; i-- {
		if i == min(3, b.Inputs)-1 {
			input(vAddress)
			continue
		}
		input(vT)
		b.V3(amd64.VPADDB, amd64.V256, vAddress, vAddress, vAddress)
		b.V3(amd64.VPADDB, amd64.V256, vAddress, vAddress, vT)
	}

	// Test the bit and collect the sign bits of all bytes.
	b.V2(amd64.VPABSB, amd64.V256, vAddress, vAddress)
	b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(amd64.RDI, headPow))
	b.V3(amd64.VPSHUFB, amd64.V256, vA, vA, vAddress)
	b.V3(amd64.VPAND, amd64.V256, vTable, vTable, vA)
	b.V3(amd64.VPCMPEQB, amd64.V256, vTable, vTable, vA)
	b.VToG(amd64.VPMOVMSKB, amd64.V256, tmpA, vTable)
	b.MovMR(amd64.S32, amd64.At(amd64.RDX, 0), tmpA)
}

// pickSets selects an input's bytes into vT; its constants begin at at. It returns the offset of
// the bit masks.
func (b *bankCode) pickSets(windows int, at int32) int32 {
	places := amd64.At(tmpC, at)
	at += bankLookups

	// The bytes of the first set go to vT.
	b.V2M(amd64.VMOVDQU, amd64.V256, vA, places)
	b.pick(0, windows)

	for first := setWindows; first < windows; first += setWindows {
		if first == setWindows {
			b.V2(amd64.VMOVDQA, amd64.V256, vPicked, vT)
		}
		b.V2M(amd64.VMOVDQU, amd64.V256, vA, places)
		b.pick(first, windows)

		// Merge where this set has the byte.
		b.V2M(amd64.VMOVDQU, amd64.V256, vA, amd64.At(tmpC, at))
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vPicked, vPicked, vT, vA)
		at += bankLookups
	}

	if windows > setWindows {
		b.V2(amd64.VMOVDQA, amd64.V256, vT, vPicked)
	}
	return at
}

// pick selects the bytes at places vA from the set that begins with window first, into vT.
func (b *bankCode) pick(first, windows int) {
	resident := windows <= setWindows
	windows = min(windows-first, setWindows)

	// Windows of a single set are in registers. Others are loaded here, next to the places if dst
	// is taken.
	shuffle := func(dst amd64.Vec, w int, places amd64.Vec) {
		if resident {
			b.V3(amd64.VPSHUFB, amd64.V256, dst, vWindow+amd64.Vec(w), places)
			return
		}
		from := dst
		if dst == places {
			from = vPicked + 1
		}
		b.loadWindow(from, first+w)
		b.V3(amd64.VPSHUFB, amd64.V256, dst, from, places)
	}

	// VPSHUFB gives 0 where bit 7 is set, so flipping that bit makes it serve two windows.
	half := 1 // windows for which bit 7 is clear
	for 2*half < windows {
		half *= 2
	}
	if windows > 1 {
		b.V3M(amd64.VPXOR, amd64.V256, vB, vA, amd64.At(amd64.RDI, headFlip))
	}
	both := func(dst amd64.Vec, w int, tmp amd64.Vec) { // window w, or w+half where bit 7 is set
		shuffle(dst, w, vA)
		if w+half < windows {
			shuffle(tmp, w+half, vB)
			b.V3(amd64.VPOR, amd64.V256, dst, dst, tmp)
		}
	}
	double := func(dst, src amd64.Vec) { b.V3(amd64.VPADDB, amd64.V256, dst, src, src) }

	// A tree of blends, by the window number's bits from the top down.
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
		both(vV, 3, vB) // the last use of vB
		double(vA, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vU, vU, vV, vA)
		double(vA, vA)
		b.VBlendV(amd64.VPBLENDVB, amd64.V256, vT, vT, vU, vA)
	}
}

// chooseByte loads the table bytes, whose constants begin at at, and selects by the high inputs
// into vTable.
func (b *bankCode) chooseByte(high int, at int32) {
	// Table bytes are read from memory, blended in pairs by the first high input.
	load := func(dst amd64.Vec, j int) {
		b.V2M(amd64.VMOVDQU, amd64.V256, dst, amd64.At(tmpC, at+int32(bankLookups*j)))
	}
	pair := func(dst amd64.Vec, j int) { // byte j or j+1
		load(dst, j)
		b.VBlendVM(amd64.VPBLENDVB, amd64.V256, dst, dst, amd64.At(tmpC, at+int32(bankLookups*(j+1))), vHigh)
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
