package native

import (
	"unsafe"

	"etch/sim/native/arm64"
)

// Registers of a Log.
const (
	a64LogLast   = arm64.R5 // last values, by lane
	a64LogTo     = arm64.R6 // the next row; or the end of a column
	a64LogTos    = arm64.R7 // where changes go, by lane
	a64LogNow    = arm64.R8 // twice the number of the event
	a64LogNumber = arm64.R9 // the number of a change
)

func (e *a64) changes(l *Log, blocks int, last bool) {
	if blocks > 0 {
		e.MovRI(a64LogLast, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.last)))))
	}
	if l.to != nil {
		e.MovRI(a64LogTos, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.to[0])))))
		e.access(arm64.LDR, a64LogNow, e.scratch(logTime))
	} else {
		e.access(arm64.LDR, a64LogTo, e.scratch(logRow))
	}
	for lane, name := range l.names[:blocks*logBlock] {
		if name >= 0 {
			e.compareLane(l, lane)
		}
	}
	if l.to != nil {
		e.access(arm64.LDR, a64B, e.scratch(logStep))
		e.RRR(arm64.ADD, arm64.X, a64LogNow, a64LogNow, a64B)
		e.access(arm64.STR, a64LogNow, e.scratch(logTime))
		return
	}
	e.MovRI(a64A, logEnd)
	e.MemPost(arm64.STR, a64A, a64LogTo, 8*logEntry)
	e.access(arm64.STR, a64LogTo, e.scratch(logRow))
}

// compareLane keeps the value of a lane if it is not the last one.
func (e *a64) compareLane(l *Log, lane int) {
	same := e.newLabel()
	e.access(arm64.LDR, a64A, e.stateWord(uint32(l.blocks[lane/logBlock]+int32(lane%logBlock))))
	e.access(arm64.LDR, a64B, a64At{a64LogLast, 8 * int64(lane)})
	e.Cmp(arm64.X, a64A, a64B)
	e.BCond(arm64.EQ, e.leads(same))
	e.access(arm64.STR, a64A, a64At{a64LogLast, 8 * int64(lane)})
	if l.to == nil {
		e.MovRI(a64B, uint64(lane))
		e.Stp(arm64.X, a64B, a64A, a64LogTo, 0)
		e.RRI(arm64.ADD, arm64.X, a64LogTo, a64LogTo, 8*logEntry)
	} else {
		e.column(l, lane)
	}
	e.bind(same)
}

// column adds the value in a64A to the column of a lane.
func (e *a64) column(l *Log, lane int) {
	bits := l.to.bits(int32(lane))
	field := func(k int) a64At { return a64At{a64LogTos, 8 * int64(k*len(l.last)+lane)} }
	e.access(arm64.LDR, a64LogTo, field(logAt))
	e.access(arm64.LDRW, a64B, field(logBefore))
	e.access(arm64.STRW, a64LogNow, field(logBefore))
	e.RRR(arm64.SUB, arm64.W, a64LogNumber, a64LogNow, a64B)
	if bits == 1 {
		e.RRR(arm64.ADD, arm64.W, a64LogNumber, a64LogNumber, a64A)
		e.ShiftI(arm64.LSL, arm64.W, a64LogNumber, a64LogNumber, 1)
	}
	e.groupsOf7()
	if bits > 1 {
		if bits < 64 {
			e.ShiftI(arm64.LSL, arm64.X, a64A, a64A, 64-bits)
		}
		e.Word(0xdac00c00 | uint32(a64A)<<5 | uint32(a64A)) // REV: its bytes the other way round
		e.Mem(arm64.STR, a64A, a64LogTo, 0)
		e.RRI(arm64.ADD, arm64.X, a64LogTo, a64LogTo, uint64(bits+7)/8)
	}
	e.access(arm64.STR, a64LogTo, field(logAt))
}

// groupsOf7 writes the number.
func (e *a64) groupsOf7() {
	more, last := e.NewLabel(), e.NewLabel()
	e.Bind(more)
	e.CmpI(arm64.W, a64LogNumber, 0x80)
	e.BCond(arm64.CC, last)
	e.RRI(arm64.ORR, arm64.W, a64B, a64LogNumber, 0x80)
	e.MemPost(arm64.STRB, a64B, a64LogTo, 1)
	e.ShiftI(arm64.LSR, arm64.W, a64LogNumber, a64LogNumber, 7)
	e.B(more)
	e.Bind(last)
	e.MemPost(arm64.STRB, a64LogNumber, a64LogTo, 1)
}
