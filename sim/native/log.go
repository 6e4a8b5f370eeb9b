package native

import (
	"runtime"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/rows"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Log is code that runs events and keeps the values of some words before each event and after
// the last: state words and combinational values. Changes are found afterwards, for many events
// at once. A Log belongs to one state.
type Log struct {
	code    *Code
	codes   [2][]rows.FieldCode
	state   []uint32 // the slots of the first watched words
	rows    emit.LogLayout
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

// layout assigns fields to the watched words, narrow ones and wide ones apart.
func (l *Log) layout(w *Logged) {
	// Words up to 32 bits have fields of 32 bits, wider ones fields of 64, in rows of their own.
	l.rows.State = w.State
	var words [2][]int32
	for i, word := range w.Words {
		q := uint8(0)
		if w.Bits[i] > 32 {
			q = 1
		}
		l.rows.Fields = append(l.rows.Fields, emit.LogField{Word: word, Bits: w.Bits[i], Wide: q, Field: int32(len(words[q]))})
		words[q] = append(words[q], int32(i))
	}

	// Words behind the state's are combinational values, stored as outputs.
	for i := len(w.State); i < len(w.Words); i++ {
		l.rows.Outs = append(l.rows.Outs, int32(i))
	}

	// As many tiles as fit in the budget, at least two.
	tile := 0
	for q := range l.rows.Kept {
		l.rows.Kept[q] = rows.NewRows(uint8(2+q), words[q])
		tile += l.rows.Kept[q].TileBytes()
	}

	// A call of n events keeps n+1 rows, so the largest call has one event fewer than there are
	// rows.
	tiles := min(logTiles, max(2, logBytes/max(1, tile)))
	for _, r := range l.rows.Kept {
		r.Reserve(tiles)
	}
	l.most = tiles*rows.TileRows - 1

	// The encoders of columns are prepared once, by width and place of each word.
	for i := range l.rows.Fields {
		at := &l.rows.Fields[i]
		l.codes[at.Wide] = append(l.codes[at.Wide], l.rows.Kept[at.Wide].Code(int(at.Field), int(at.Bits), int(at.Word)))
	}
}

// CompileLog compiles a Log, whose effort follows a policy. Errors: those of Compile.
func CompileLog(w *Logged, f cpu.Features, pol *choose.Policy) (*Log, error) {
	if !Supported(f) {
		return nil, ErrUnsupported
	}
	l := &Log{vectors: f.AVX2 && f.BMI}

	l.layout(w)

	// Two nets in one piece of code: the event, and the view after the last event.
	s := schedule.Scheduler{Costs: &pol.Branches}
	var codes [2]*schedule.Code
	for i, n := range [2]*net.Net{w.Event, w.View} {
		codes[i] = schedule.Prepare(&s, n.Gather(&pol.Net.Banks), net.Assume{}, emit.LogFirst)
		codes[i].Allocate(&schedule.Allocator{}, emit.Here.Registers(emit.InPlain))
	}

	text, err := l.text(codes, f)
	if err != nil {
		return nil, err
	}
	l.code, err = newCode(text, int(max(codes[0].Scratch, codes[1].Scratch)), len(w.Event.N)+len(w.View.N))
	if err == nil {
		l.code.cycle = pol.PlainCycle(codes[0].N, len(text)) + pol.KeepWord*float64(len(w.Words))
	}
	return l, err
}

// text is the machine code: events, each after the row of values before it, and the row after
// the last event.
func (l *Log) text(codes [2]*schedule.Code, f cpu.Features) ([]byte, error) {
	// Every event is preceded by a row: the values before it. A stop leaves before its event, at
	// Exit, so that the last row there is the state's in either case.
	w := emit.NewCycles(emit.Here.Writer(f))
	w.Enter()
	top := w.Declare()
	w.Entry(top)
	w.KeepRow(&l.rows)
	w.Body(codes[0])
	w.NextRow(&l.rows)
	w.Count(true, top)
	w.Define(w.Exit)
	w.KeepRow(&l.rows)
	w.Body(codes[1])
	w.Leave()
	return w.Text()
}

// CycleEffort is the estimated effort of an event, in machine cycles.
func (l *Log) CycleEffort() float64 { return l.code.cycle }

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
	before := [2]rows.Row{l.rows.Kept[0].Row(-1), l.rows.Kept[1].Row(-1)}
	for i := range l.rows.Fields {
		at := &l.rows.Fields[i]
		before[at.Wide].Set(int(at.Field), last[at.Word])
	}

	// The code writes its rows through two pointers in scratch words, one per field width.
	for q, r := range l.rows.Kept {
		*(*uintptr)(unsafe.Add(base, -8*(emit.LogTo+q+1))) = uintptr(r.Row(0).At)
	}
	left = int(l.code.Run(base, uint64(cycles)))

	// One row more than events: the differences between neighbours are the changes.
	for _, r := range l.rows.Kept {
		r.Compare(cycles-left+1, l.vectors)
	}
	runtime.KeepAlive(l)
	return left
}

// Changed calls f for each word that an event, counted from 0, changed, in no
// order.
func (l *Log) Changed(event int, f func(word int32, value uint64)) {
	for _, r := range l.rows.Kept {
		r.Changed(event+1, func(i int32, value uint64) { f(l.rows.Fields[i].Word, value) })
	}
}

// Columns appends the changes of the last Run, of so many events, to the columns, indexed by
// outside number of the word; each must have room (Column.Grow). last receives the values after
// the last event. The first event has number first, and numbers grow by two.
func (l *Log) Columns(events int, last []uint64, columns []rows.Column, first uint32) {
	// Vectors encode all words of a field width at once; otherwise word by word below.
	n := events + 1

	if l.vectors {
		for q, r := range l.rows.Kept {
			r.EncodeVectors(l.codes[q], columns, n, first)
		}
	}

	behind := [2]rows.Row{l.rows.Kept[0].Row(events), l.rows.Kept[1].Row(events)}
	for i := range l.rows.Fields {
		at := &l.rows.Fields[i]
		if !l.vectors {
			l.rows.Kept[at.Wide].Encode(&columns[at.Word], int(at.Field), int(at.Bits), n, first)
		}
		last[at.Word] = behind[at.Wide].Value(int(at.Field))
	}
	runtime.KeepAlive(l)
}

// Close frees the code.
func (l *Log) Close() error { return l.code.Close() }
