package native

import (
	"runtime"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Log is code that does events and keeps the values of some words before each of
// them and behind the last: words of the state, and values that follow from it.
// What changed is found afterwards, for many events at once. It belongs to one
// state.
type Log struct {
	code    *Code
	lanes   []logLane // by watched word
	codes   [2][]laneCode
	outs    []int32  // by number of a value that is no state: its watched word
	state   []uint32 // the slots of the first watched words
	kept    [2]*rows // values of up to 32 bits, and of up to 64
	most    int
	vectors bool
}

// logLane is where the values of a watched word are.
type logLane struct {
	word int32 // its number outside
	bits uint8
	wide uint8 // which of kept
	lane int32
}

// What a Log keeps below the state, and how much it keeps.
const (
	logTo    = firstScratch + iota // where the next row of narrow lanes begins, and that of wide ones
	logWide                        //
	logFirst                       // what the nets use

	logTiles = 64
	logBytes = 1 << 18
)

// Logged is what a Log does and keeps.
type Logged struct {
	Event *net.Net // one event; its Outs are the values before it that are no state
	View  *net.Net // computes the same Outs
	// State is the slots of the watched words that are state; behind them, in
	// number, come the values that follow, of which an Out's Slot is the number
	// from 0.
	State []uint32
	Words []int32 // by watched word: its number outside
	Bits  []uint8 // likewise: how many it has
}

// layout gives the watched words their lanes.
func (l *Log) layout(w *Logged) {
	l.state = w.State
	var words [2][]int32
	for i, word := range w.Words {
		q := uint8(0)
		if w.Bits[i] > 32 {
			q = 1
		}
		l.lanes = append(l.lanes, logLane{word: word, bits: w.Bits[i], wide: q, lane: int32(len(words[q]))})
		words[q] = append(words[q], int32(i))
	}
	for i := len(w.State); i < len(w.Words); i++ {
		l.outs = append(l.outs, int32(i))
	}
	tile := 0
	for q := range l.kept {
		l.kept[q] = newRows(uint8(2+q), words[q])
		tile += l.kept[q].tileBytes()
	}
	tiles := min(logTiles, max(2, logBytes/max(1, tile)))
	for _, r := range l.kept {
		r.reserve(tiles)
	}
	l.most = tiles*tileRows - 1
	for i := range l.lanes {
		at := &l.lanes[i]
		l.codes[at.wide] = append(l.codes[at.wide], l.kept[at.wide].code(int(at.lane), int(at.bits), int(at.word)))
	}
}

// CompileLog makes a Log. Errors: those of Compile.
func CompileLog(w *Logged, f cpu.Features) (*Log, error) {
	if !Supported(f) {
		return nil, ErrUnsupported
	}
	l := &Log{vectors: f.AVX2 && f.BMI}
	l.layout(w)
	var s scheduler
	var codes [2]*code
	for i, n := range [2]*net.Net{w.Event, w.View} {
		codes[i] = prepare(&s, n.Gather(), net.Assume{}, logFirst)
		codes[i].allocate(&allocator{}, here.registers(inPlain))
	}
	text, err := l.text(codes, f)
	if err != nil {
		return nil, err
	}
	l.code, err = newCode(text, int(max(codes[0].scratch, codes[1].scratch)), len(w.Event.N)+len(w.View.N))
	return l, err
}

// text is the machine code: events, each behind a row of what was before it, and
// the row behind the last one.
func (l *Log) text(codes [2]*code, f cpu.Features) ([]byte, error) {
	w := newCycles(here.writer(f))
	w.enter()
	top := w.newLabel()
	w.entry(top)
	w.keepRow(l)
	w.body(codes[0])
	w.nextRow(l)
	w.count(true, top)
	w.bind(w.exit)
	w.keepRow(l)
	w.body(codes[1])
	w.leave()
	return w.text()
}

// Most is how many events a call may do.
func (l *Log) Most() int { return l.most }

// Scratch is the number of words below the state that the code uses.
func (l *Log) Scratch() int { return l.code.scratch }

// Run does up to cycles events, at least 1 and at most Most; last is the values
// before, by number of the word. left is how many events are left because the net
// stopped before them. What the others changed is read by Changed or Columns.
func (l *Log) Run(base unsafe.Pointer, cycles int, last []uint64) (left int) {
	before := [2]row{l.kept[0].row(-1), l.kept[1].row(-1)}
	for i := range l.lanes {
		at := &l.lanes[i]
		before[at.wide].set(int(at.lane), last[at.word])
	}
	for q, r := range l.kept {
		*(*uintptr)(unsafe.Add(base, -8*(logTo+q+1))) = uintptr(r.row(0).at)
	}
	left = int(l.code.Run(base, uint64(cycles)))
	for _, r := range l.kept {
		r.compare(cycles-left+1, l.vectors)
	}
	runtime.KeepAlive(l)
	return left
}

// Changed calls f for each word that an event, counted from 0, changed, in no
// order.
func (l *Log) Changed(event int, f func(word int32, value uint64)) {
	for _, r := range l.kept {
		r.changed(event+1, func(i int32, value uint64) { f(l.lanes[i].word, value) })
	}
}

// Columns adds what the events of the last Run, so many, changed to columns, by
// number of the word, each of which has Room for it; last becomes the values
// behind. The first event has the number first, and each one two more than the
// one before.
func (l *Log) Columns(events int, last []uint64, columns []Column, first uint32) {
	n := events + 1
	if l.vectors {
		for q, r := range l.kept {
			r.encodeVectors(l.codes[q], columns, n, first)
		}
	}
	behind := [2]row{l.kept[0].row(events), l.kept[1].row(events)}
	for i := range l.lanes {
		at := &l.lanes[i]
		if !l.vectors {
			l.kept[at.wide].encode(&columns[at.word], int(at.lane), int(at.bits), n, first)
		}
		last[at.word] = behind[at.wide].value(int(at.lane))
	}
	runtime.KeepAlive(l)
}

// Close frees the code.
func (l *Log) Close() error { return l.code.Close() }
