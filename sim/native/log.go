package native

import (
	"runtime"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/native/internal/rows"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Log is code that runs events and keeps the values of some words before each event and behind
// the last: state words and combinational values. Changes are found afterwards, for many events
// at once. A Log belongs to one state.
type Log struct {
	code    *Code
	codes   [2][]rows.LaneCode
	state   []uint32 // the slots of the first watched words
	rows    logLayout
	most    int
	vectors bool
}

// The rows of a Log.
const (
	logTiles = 64
	logBytes = 1 << 18
)

// Logged describes the events of a Log and the words to keep.
type Logged struct {
	Event *net.Net // one event; its Outs are the combinational values before it
	View  *net.Net // computes the same Outs
	// State is the slots of the watched state words. The combinational values are numbered
	// behind them: an Out's Slot is such a value's number from 0.
	State []uint32
	Words []int32 // by watched word: its number outside of the Log
	Bits  []uint8 // by watched word: its width in bits
}

// layout assigns lanes to the watched words, narrow ones and wide ones apart.
func (l *Log) layout(w *Logged) {
	l.rows.state = w.State
	var words [2][]int32
	for i, word := range w.Words {
		q := uint8(0)
		if w.Bits[i] > 32 {
			q = 1
		}
		l.rows.lanes = append(l.rows.lanes, logLane{word: word, bits: w.Bits[i], wide: q, lane: int32(len(words[q]))})
		words[q] = append(words[q], int32(i))
	}
	for i := len(w.State); i < len(w.Words); i++ {
		l.rows.outs = append(l.rows.outs, int32(i))
	}

	// As many tiles as fit in the budget, at least two.
	tile := 0
	for q := range l.rows.kept {
		l.rows.kept[q] = rows.NewRows(uint8(2+q), words[q])
		tile += l.rows.kept[q].TileBytes()
	}
	tiles := min(logTiles, max(2, logBytes/max(1, tile)))
	for _, r := range l.rows.kept {
		r.Reserve(tiles)
	}
	l.most = tiles*rows.TileRows - 1

	for i := range l.rows.lanes {
		at := &l.rows.lanes[i]
		l.codes[at.wide] = append(l.codes[at.wide], l.rows.kept[at.wide].Code(int(at.lane), int(at.bits), int(at.word)))
	}
}

// CompileLog compiles a Log. Errors: those of Compile.
func CompileLog(w *Logged, f cpu.Features) (*Log, error) {
	if !Supported(f) {
		return nil, ErrUnsupported
	}
	l := &Log{vectors: f.AVX2 && f.BMI}

	l.layout(w)

	// Two nets in one piece of code: the event, and the view behind the last event.
	var s schedule.Scheduler
	var codes [2]*schedule.Code
	for i, n := range [2]*net.Net{w.Event, w.View} {
		codes[i] = schedule.Prepare(&s, n.Gather(), net.Assume{}, logFirst)
		codes[i].Allocate(&schedule.Allocator{}, here.registers(inPlain))
	}

	text, err := l.text(codes, f)
	if err != nil {
		return nil, err
	}
	l.code, err = newCode(text, int(max(codes[0].Scratch, codes[1].Scratch)), len(w.Event.N)+len(w.View.N))
	return l, err
}

// text is the machine code: events, each after the row of values before it, and the row behind
// the last event.
func (l *Log) text(codes [2]*schedule.Code, f cpu.Features) ([]byte, error) {
	w := newCycles(here.writer(f))
	w.enter()
	top := w.newLabel()
	w.entry(top)
	w.keepRow(&l.rows)
	w.body(codes[0])
	w.nextRow(&l.rows)
	w.count(true, top)
	w.bind(w.exit)
	w.keepRow(&l.rows)
	w.body(codes[1])
	w.leave()
	return w.text()
}

// Most is the largest number of events per call.
func (l *Log) Most() int { return l.most }

// Scratch is the number of words below the state that the code uses.
func (l *Log) Scratch() int { return l.code.scratch }

// Run runs up to cycles events, 1 to Most. last holds the values before the call, by outside
// number of the word. left is the number of events left when the net stopped, else 0. Changed or
// Columns read the changes afterwards.
func (l *Log) Run(base unsafe.Pointer, cycles int, last []uint64) (left int) {
	// The row before the first holds the last values, so that the first event is compared like
	// all others.
	before := [2]rows.Row{l.rows.kept[0].Row(-1), l.rows.kept[1].Row(-1)}
	for i := range l.rows.lanes {
		at := &l.rows.lanes[i]
		before[at.wide].Set(int(at.lane), last[at.word])
	}

	for q, r := range l.rows.kept {
		*(*uintptr)(unsafe.Add(base, -8*(logTo+q+1))) = uintptr(r.Row(0).At)
	}
	left = int(l.code.Run(base, uint64(cycles)))

	for _, r := range l.rows.kept {
		r.Compare(cycles-left+1, l.vectors)
	}
	runtime.KeepAlive(l)
	return left
}

// Changed calls f for each word that an event, counted from 0, changed, in no
// order.
func (l *Log) Changed(event int, f func(word int32, value uint64)) {
	for _, r := range l.rows.kept {
		r.Changed(event+1, func(i int32, value uint64) { f(l.rows.lanes[i].word, value) })
	}
}

// Columns appends the changes of the last Run, of so many events, to the columns, indexed by
// outside number of the word; each must have room (Column.Grow). last receives the values behind
// the last event. The first event has number first, and numbers grow by two.
func (l *Log) Columns(events int, last []uint64, columns []rows.Column, first uint32) {
	n := events + 1

	if l.vectors {
		for q, r := range l.rows.kept {
			r.EncodeVectors(l.codes[q], columns, n, first)
		}
	}

	behind := [2]rows.Row{l.rows.kept[0].Row(events), l.rows.kept[1].Row(events)}
	for i := range l.rows.lanes {
		at := &l.rows.lanes[i]
		if !l.vectors {
			l.rows.kept[at.wide].Encode(&columns[at.word], int(at.lane), int(at.bits), n, first)
		}
		last[at.word] = behind[at.wide].Value(int(at.lane))
	}
	runtime.KeepAlive(l)
}

// Close frees the code.
func (l *Log) Close() error { return l.code.Close() }
