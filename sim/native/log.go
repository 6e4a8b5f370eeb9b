package native

import (
	"errors"
	"runtime"
	"unsafe"

	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Log is code that does events and notes behind each of them which of some words
// of the state have another value than before. It belongs to one state.
type Log struct {
	code *Code
	last []uint64 // by watched word: its last value
	buf  []uint64 // entries: number of the word, or their count at the end of an event, and value
	most int      // events that the buffer has room for, if all words change
}

// The buffer of a Log has room for logEvents events, unless that is more than
// logWords words.
const (
	logEvents = 256
	logWords  = 1 << 17
	logEntry  = 2 // words
	logAt     = firstScratch
)

// CompileLog makes a Log of the events of a net; view computes the words among
// slots that are no state, as its Outs. Errors: those of Compile; there is no such
// code on this platform; there are too many words.
func CompileLog(event, view *net.Net, slots []uint32, f cpu.Features) (*Log, error) {
	if !Supported(f) || !here.gates() {
		return nil, ErrUnsupported
	}
	most := min(logEvents, logWords/logEntry/(len(slots)+1))
	if most == 0 {
		return nil, errors.New("native: too many words for a log")
	}
	l := &Log{last: make([]uint64, len(slots)), buf: make([]uint64, logEntry*most*(len(slots)+1)), most: most}
	var s scheduler
	var codes [2]*code
	for i, n := range [2]*net.Net{event, view} {
		if here.banks() {
			n = n.Gather()
		}
		codes[i] = prepare(&s, n, net.Assume{}, logAt+1)
		codes[i].allocate(&allocator{}, here.registers())
	}
	text, err := l.text(codes, slots, f)
	if err != nil {
		return nil, err
	}
	l.code, err = newCode(text, int(max(codes[0].scratch, codes[1].scratch)), len(event.N)+len(view.N))
	return l, err
}

// text is the machine code: an event, the values behind it, what has changed.
func (l *Log) text(codes [2]*code, slots []uint32, f cpu.Features) ([]byte, error) {
	e := newX86(f)
	e.enter()
	top := e.NewLabel()
	e.Bind(top)
	e.body(codes[0])
	e.body(codes[1])
	l.compare(e, slots)
	e.DecM(amd64.S64, e.scratch(stores, cyclesWord))
	e.Jcc(amd64.NE, top)
	e.leave()
	for i := range slots {
		l.note(e, i)
	}
	return e.text()
}

// Registers of a comparison, when all values are where they belong.
const (
	logTo   = amd64.RDX // the next entry
	logLast = amd64.RSI
)

// compare looks for words that have changed; what is to be done then stands
// behind all other code, as few of them do.
func (l *Log) compare(e *x86, slots []uint32) {
	e.MovRM(amd64.S64, logTo, e.scratch(loads, logAt))
	if len(l.last) > 0 {
		e.MovRI(logLast, uint64(uintptr(unsafe.Pointer(&l.last[0]))))
	}
	for i, slot := range slots {
		e.MovRM(amd64.S64, tmpA, amd64.At(stateR, 8*int32(slot)))
		e.RM(amd64.CMP, amd64.S64, tmpA, amd64.At(logLast, 8*int32(i)))
		e.aside = append(e.aside, aside{jump: e.JccRel32(amd64.NE), back: len(e.Code)})
	}
	e.MovMI(amd64.S64, amd64.At(logTo, 0), int32(len(slots)))
	e.RI(amd64.ADD, amd64.S64, logTo, 8*logEntry)
	e.MovMR(amd64.S64, e.scratch(stores, logAt), logTo)
}

// note makes an entry of word i, whose value is in tmpA.
func (l *Log) note(e *x86, i int) {
	a := e.aside[i]
	e.Patch(a.jump, len(e.Code))
	e.MovMR(amd64.S64, amd64.At(logLast, 8*int32(i)), tmpA)
	e.MovMI(amd64.S64, amd64.At(logTo, 0), int32(i))
	e.MovMR(amd64.S64, amd64.At(logTo, 8), tmpA)
	e.RI(amd64.ADD, amd64.S64, logTo, 8*logEntry)
	e.Patch(e.JmpRel32(), a.back)
}

// Most is how many events a call may do.
func (l *Log) Most() int { return l.most }

// Scratch is the number of words below the state that the code uses.
func (l *Log) Scratch() int { return l.code.scratch }

// Run does up to cycles events, at least 1 and at most Most, and returns what they
// changed against last, the values of the watched words before: for each event
// the number and new value of every word that changed, in order of the words, and
// behind them their count. left is how many events are left because the net
// stopped before them. The entries are valid until the next call.
func (l *Log) Run(base unsafe.Pointer, cycles int, last []uint64) (entries []uint64, left int) {
	copy(l.last, last)
	at := (*uint64)(unsafe.Add(base, -8*(logAt+1)))
	first := uint64(uintptr(unsafe.Pointer(&l.buf[0])))
	*at = first
	left = int(l.code.Run(base, uint64(cycles)))
	entries = l.buf[:(*at-first)/8]
	runtime.KeepAlive(l)
	return entries, left
}

// Close frees the code.
func (l *Log) Close() error { return l.code.Close() }
