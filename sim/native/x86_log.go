package native

import (
	"unsafe"

	"etch/sim/native/amd64"
)

// Registers of a comparison, when all values are where they belong.
const (
	logMask  = amd64.R8  // a bit for each lane of a group: it has changed
	logTos   = amd64.R9  // where changes go, by lane
	logNow   = amd64.R10 // number of the event
	logLast  = amd64.R11 // last values, by lane
	logLane  = amd64.R12 // the lane, or what is to be added for it
	logRowTo = amd64.RDI // the next row

	logEndOf  = amd64.RDX // the end of a column
	logNumber = amd64.RSI // the number of a change
)

func (e *x86) changes(l *Log, blocks int, last bool) {
	w := x86Log{e, l}
	w.MovRI(logLast, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.last)))))
	if l.to != nil {
		w.MovRI(logTos, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.to[0])))))
		w.MovRM(amd64.S32, logNow, w.scratch(loads, logTime))
		w.groups(blocks)
		w.RM(amd64.ADD, amd64.S32, logNow, w.scratch(loads, logStep))
		w.MovMR(amd64.S32, w.scratch(stores, logTime), logNow)
	} else {
		w.MovRM(amd64.S64, logRowTo, w.scratch(loads, logRow))
		w.groups(blocks)
		w.MovRI(tmpA, logEnd)
		w.MovMR(amd64.S64, amd64.At(logRowTo, 0), tmpA)
		w.RI(amd64.ADD, amd64.S64, logRowTo, 8*logEntry)
		w.MovMR(amd64.S64, w.scratch(stores, logRow), logRowTo)
	}
	if last && w.f.AVX2 {
		w.Vzeroupper()
	}
}

// x86Log writes the comparisons of a Log.
type x86Log struct {
	*x86
	l *Log
}

// groups compares the first blocks.
func (w *x86Log) groups(to int) {
	const most = logGroup / logBlock
	for from := 0; from < to; from += most {
		end := min(from+most, to)
		if w.f.AVX2 {
			w.compareVectors(from, end)
		} else {
			w.compareWords(from, end)
		}
		none := w.JccRel32(amd64.E)
		w.note(from * logBlock)
		w.Patch(none, len(w.Code))
	}
}

// watched marks the lanes of blocks that are watched.
func (w *x86Log) watched(from, to int) (mask uint64) {
	for lane := from * logBlock; lane < to*logBlock; lane++ {
		if w.l.names[lane] >= 0 {
			mask |= 1 << (lane - from*logBlock)
		}
	}
	return mask
}

// compareVectors marks in logMask the lanes of blocks that have changed, sets the
// flags by it and brings the last values up to date.
func (w *x86Log) compareVectors(from, to int) {
	const y0, y1 = amd64.V0, amd64.V0 + 1
	for b := to - 1; b >= from; b-- {
		last := amd64.At(logLast, int32(8*logBlock*b))
		w.V2M(amd64.VMOVDQU, amd64.V256, y0, amd64.At(stateR, 8*w.l.blocks[b]))
		w.V3M(amd64.VPCMPEQQ, amd64.V256, y1, y0, last)
		w.VStore(amd64.VMOVDQU, amd64.V256, last, y0)
		if b == to-1 {
			w.VToG(amd64.VMOVMSKPD, amd64.V256, logMask, y1)
			continue
		}
		w.VToG(amd64.VMOVMSKPD, amd64.V256, tmpA, y1)
		w.ShiftI(amd64.SHL, amd64.S64, logMask, logBlock)
		w.RR(amd64.OR, amd64.S64, logMask, tmpA)
	}
	w.MovRI(tmpA, w.watched(from, to))
	w.Not(amd64.S64, logMask)
	w.RR(amd64.AND, amd64.S64, logMask, tmpA)
}

// compareWords is compareVectors without vectors.
func (w *x86Log) compareWords(from, to int) {
	watched := w.watched(from, to)
	w.RR(amd64.XOR, amd64.S32, logMask, logMask)
	for i := (to-from)*logBlock - 1; i >= 0; i-- {
		if watched>>i&1 == 0 {
			w.RR(amd64.ADD, amd64.S64, logMask, logMask)
			continue
		}
		lane := from*logBlock + i
		last := amd64.At(logLast, int32(8*lane))
		w.MovRM(amd64.S64, tmpA, amd64.At(stateR, 8*(w.l.blocks[lane/logBlock]+int32(lane%logBlock))))
		w.RR(amd64.XOR, amd64.S32, tmpC, tmpC)
		w.RM(amd64.CMP, amd64.S64, tmpA, last)
		w.Setcc(amd64.NE, tmpC)
		w.MovMR(amd64.S64, last, tmpA)
		w.Lea(amd64.S64, logMask, amd64.AtIndex(tmpC, logMask, 2, 0))
	}
	w.TestRR(amd64.S64, logMask, logMask)
}

// note keeps the changes that logMask marks, of lanes from first on.
func (w *x86Log) note(first int) {
	again := w.NewLabel()
	w.Bind(again)
	w.Tzcnt(amd64.S64, logLane, logMask) // or BSF, on processors without it: the same for all but 0
	w.MovRM(amd64.S64, tmpA, amd64.AtIndex(logLast, logLane, 8, int32(8*first)))
	var more, last int
	if w.l.to != nil {
		more, last = w.column(first)
	} else {
		w.RI(amd64.ADD, amd64.S32, logLane, int32(first))
		w.MovMR(amd64.S64, amd64.At(logRowTo, 0), logLane)
		w.MovMR(amd64.S64, amd64.At(logRowTo, 8), tmpA)
		w.RI(amd64.ADD, amd64.S64, logRowTo, 8*logEntry)
	}
	if w.bmi {
		w.Blsr(amd64.S64, logMask, logMask)
	} else {
		w.Lea(amd64.S64, tmpA, amd64.At(logMask, -1))
		w.RR(amd64.AND, amd64.S64, logMask, tmpA)
	}
	w.Jcc(amd64.NE, again)
	if w.l.to != nil {
		over := w.JmpRel32()
		w.groupsOf7(more, last)
		w.Patch(over, len(w.Code))
	}
}

// column adds the value in tmpA to the column of logLane, beyond first; more is a
// jump for numbers of more than seven bits, and last where it goes on.
func (w *x86Log) column(first int) (more, last int) {
	const bit = amd64.RDI
	field := func(k int) amd64.Mem {
		return amd64.AtIndex(logTos, logLane, 8, int32(8*(k*len(w.l.last)+first)))
	}
	w.MovRM(amd64.S64, logEndOf, field(logAt))
	w.MovRR(amd64.S32, logNumber, logNow)
	w.RM(amd64.SUB, amd64.S32, logNumber, field(logBefore))
	w.MovMR(amd64.S32, field(logBefore), logNow)
	w.Lea(amd64.S32, bit, amd64.AtIndex(logNumber, tmpA, 2, 0))
	w.RM(amd64.AND, amd64.S32, bit, field(logBit))
	w.RR(amd64.ADD, amd64.S32, logNumber, bit)
	w.MovRM(amd64.S32, tmpC, field(logBefore).Plus(4))
	w.ShiftCL(amd64.SHL, amd64.S64, tmpA)
	w.Bswap(amd64.S64, tmpA)

	w.RI(amd64.CMP, amd64.S32, logNumber, 0x80)
	more = w.JccRel32(amd64.AE)
	last = len(w.Code)
	w.MovMR(amd64.S8, amd64.At(logEndOf, 0), logNumber)
	w.MovMR(amd64.S64, amd64.At(logEndOf, 1), tmpA)
	w.RM(amd64.ADD, amd64.S64, logEndOf, field(logBytes))
	w.MovMR(amd64.S64, field(logAt), logEndOf)
	return more, last
}

// groupsOf7 is what is to be done for a number of more than seven bits, where more
// leads: all but its last group; that comes at last.
func (w *x86Log) groupsOf7(more, last int) {
	const bits = amd64.RDI
	w.Patch(more, len(w.Code))
	again := w.NewLabel()
	w.Bind(again)
	w.MovRR(amd64.S32, bits, logNumber)
	w.RI(amd64.OR, amd64.S32, bits, 0x80)
	w.MovMR(amd64.S8, amd64.At(logEndOf, 0), bits)
	w.Inc(amd64.S64, logEndOf)
	w.ShiftI(amd64.SHR, amd64.S32, logNumber, 7)
	w.RI(amd64.CMP, amd64.S32, logNumber, 0x80)
	w.Jcc(amd64.AE, again)
	w.Patch(w.JmpRel32(), last)
}
