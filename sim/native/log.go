package native

import (
	"errors"
	"runtime"
	"slices"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Log is code that does events and keeps what they change of some words: words of
// the state, and values that follow from it. It belongs to one state.
type Log struct {
	code   *Code
	words  []int32  // by watched word: its number outside
	lanes  []int32  // by watched word
	names  []int32  // by lane: the number of its word outside; -1 for a lane that only fills a block
	blocks []int32  // by four lanes: where they are, in words from the base of the state
	values uint64   // the first lanes are of values, so many; those of the state are behind them
	last   []uint64 // by lane; a block is at an address of whole blocks
	// The log by rows: lane, or logEnd, and value. An event is its changes of the
	// state, an end, and its changes of values.
	rows []uint64
	to   *logTo // the log by columns
	most int
}

// logTo is where changes go, as the code sees it: of every lane each of these
// words, all of one kind side by side.
type logTo [logFields][]uint64

const (
	logAt     = iota // the end of the column
	logBefore        // twice the number of the event of the last change, one step more in a lane of values; and from bit 32 on how far the value is shifted up, for its highest bit to be the 64th
	logBit           // all ones if the value is one bit, 0 otherwise
	logBytes         // of a change whose number is one byte
	logFields
)

func newLogTo(lanes int) *logTo {
	var to logTo
	all := make([]uint64, logFields*lanes)
	for k := range to {
		to[k], all = all[:lanes:lanes], all[lanes:]
	}
	return &to
}

// holds says how many bits the values of a lane have.
func (t *logTo) holds(lane int32, bits uint8) {
	t[logBefore][lane] = uint64(64-bits) << 32
	t[logBytes][lane] = uint64(1 + (bits+7)/8)
	if bits == 1 {
		t[logBytes][lane], t[logBit][lane] = 1, 1<<32-1
	}
}

// bits is how many bits the values of a lane have.
func (t *logTo) bits(lane int32) uint8 { return 64 - uint8(t[logBefore][lane]>>32) }

// What a Log keeps below the state, and how much it may keep in rows.
const (
	logRow   = firstScratch + iota // where the next row goes
	logTime                        // twice the number of the event
	logStep                        // what that grows by
	logFirst                       // values that are no state

	logEvents = 256
	logWords  = 1 << 17
	logEntry  = 2 // words of a row
	logEnd    = 1<<32 - 1
	logBlock  = 4 // lanes that are compared at once
	logGroup  = 64
)

// Logged is what a Log does and keeps.
type Logged struct {
	Event *net.Net // one event; its Outs are the values before it that are no state
	View  *net.Net // computes the same Outs
	// State is the slots of the watched words that are state; behind them, in
	// number, come Outs values at the slots that OutSlot gives.
	State []uint32
	Outs  int
	Words []int32 // by watched word: its number outside
	Bits  []uint8 // of each watched word, for a log by columns; nil: by rows
}

// OutSlot is the slot of value i of n, for the Outs of a Log's nets.
func OutSlot(i, n int) uint32 { return uint32(i - (logFirst + padded(n))) }

func padded(n int) int { return (n + logBlock - 1) &^ (logBlock - 1) }

// layout covers the watched words with blocks: first values, then state.
func (l *Log) layout(w *Logged) {
	l.lanes = make([]int32, len(w.State)+w.Outs)
	for i := range w.Outs {
		l.lanes[len(w.State)+i] = int32(i)
	}
	values := padded(w.Outs) / logBlock
	for i := range values {
		l.blocks = append(l.blocks, int32(OutSlot(i*logBlock, w.Outs)))
	}
	order := make([]int32, len(w.State))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return int(w.State[j]) - int(w.State[i]) })
	for _, i := range order { // from the last one down, so that no block goes beyond the state
		slot := int32(w.State[i])
		if n := len(l.blocks); n == values || slot < l.blocks[n-1] {
			l.blocks = append(l.blocks, slot-(logBlock-1))
		}
		n := len(l.blocks) - 1
		l.lanes[i] = int32(n*logBlock) + slot - l.blocks[n]
	}
	l.values = uint64(values * logBlock)
	l.last = aligned(len(l.blocks) * logBlock)
	l.names = make([]int32, len(l.last))
	for i := range l.names {
		l.names[i] = -1
	}
	for i, lane := range l.lanes {
		l.names[lane] = w.Words[i]
	}
}

// CompileLog makes a Log. Errors: those of Compile; there is no such code on this
// platform; there are too many words.
func CompileLog(w *Logged, f cpu.Features) (*Log, error) {
	if !Supported(f) {
		return nil, ErrUnsupported
	}
	words := len(w.State) + w.Outs
	l := &Log{words: w.Words, most: logEvents}
	l.layout(w)
	if w.Bits == nil {
		if l.most = min(l.most, logWords/logEntry/(words+1)); l.most == 0 {
			return nil, errors.New("native: too many words for a log")
		}
		l.rows = make([]uint64, logEntry*((l.most+1)*(words+1)+1))
	} else {
		l.to = newLogTo(len(l.last))
		for i, lane := range l.lanes {
			l.to.holds(lane, w.Bits[i])
		}
	}
	var s scheduler
	var codes [2]*code
	for i, n := range [2]*net.Net{w.Event, w.View} {
		codes[i] = prepare(&s, n.Gather(), net.Assume{}, logFirst+int32(padded(w.Outs)))
		codes[i].allocate(&allocator{}, here.registers(inPlain))
	}
	text, err := l.text(codes, f)
	if err != nil {
		return nil, err
	}
	l.code, err = newCode(text, int(max(codes[0].scratch, codes[1].scratch)), len(w.Event.N)+len(w.View.N))
	return l, err
}

// text is the machine code: events, each with the values that follow from what
// was before it, and behind each what has changed of that and of the state; behind
// the last one the values that follow from it.
func (l *Log) text(codes [2]*code, f cpu.Features) ([]byte, error) {
	w := newCycles(here.writer(f))
	w.enter()
	top := w.newLabel()
	w.entry(top)
	w.body(codes[0])
	w.changes(l, len(l.blocks), false)
	w.count(true, top)
	w.bind(w.exit)
	w.body(codes[1])
	w.changes(l, int(l.values)/logBlock, true)
	w.leave()
	return w.text()
}

// aligned is n words at an address of a whole number of blocks.
func aligned(n int) []uint64 {
	const bytes = 8 * logBlock
	w := make([]uint64, n+logBlock)
	skip := -uintptr(unsafe.Pointer(&w[0])) & (bytes - 1) / 8
	return w[skip:][:n:n]
}

// Most is how many events a call may do.
func (l *Log) Most() int { return l.most }

// Scratch is the number of words below the state that the code uses.
func (l *Log) Scratch() int { return l.code.scratch }

// run does up to cycles events against last.
func (l *Log) run(base unsafe.Pointer, cycles int, last []uint64, row uintptr, first, step uint32) (left int) {
	for i, lane := range l.lanes {
		l.last[lane] = last[l.words[i]]
	}
	word := func(i int) *uint64 { return (*uint64)(unsafe.Add(base, -8*(i+1))) }
	*word(logRow), *word(logTime), *word(logStep) = uint64(row), uint64(first), uint64(step)
	left = int(l.code.Run(base, uint64(cycles)))
	runtime.KeepAlive(l)
	return left
}

// Rows does up to cycles events, at least 1 and at most Most; last is the values
// before, by number of the word. left is how many events are left because the net
// stopped before them. What the others changed is read by Next.
func (l *Log) Rows(base unsafe.Pointer, cycles int, last []uint64) (rows []uint64, left int) {
	first := uintptr(unsafe.Pointer(&l.rows[0]))
	left = l.run(base, cycles, last, first, 0, 0)
	end := *(*uint64)(unsafe.Add(base, -8*(logRow+1)))
	return l.rows[:(uintptr(end)-first)/8], left
}

// Next calls f for each word that an event changed, in no order, and returns the
// rows of the events behind it.
func (l *Log) Next(rows []uint64, f func(word int32, value uint64)) []uint64 {
	for rows[0] != logEnd {
		f(l.names[rows[0]], rows[1])
		rows = rows[logEntry:]
	}
	for rows = rows[logEntry:]; rows[0] < l.values; rows = rows[logEntry:] {
		f(l.names[rows[0]], rows[1])
	}
	return rows
}

// Columns does up to cycles events, at least 1 and at most Most; last is the
// values before, by number of the word, and becomes those behind. What changes is
// added to columns, by number of the word, each of which has Room for it. The
// first event has the number first, and each one step more than the one before.
// left is how many events are left because the net stopped before them.
func (l *Log) Columns(base unsafe.Pointer, cycles int, last []uint64, columns []Column, first, step uint32) (left int) {
	at, before := l.to[logAt], l.to[logBefore]
	for i, lane := range l.lanes {
		c := &columns[l.words[i]]
		at[lane] = uint64(c.end())
		before[lane] = before[lane]&^(1<<32-1) | uint64(2*(c.Last+l.late(lane, step)))
	}
	left = l.run(base, cycles, last, 0, 2*first, 2*step)
	for i, lane := range l.lanes {
		w := l.words[i]
		c := &columns[w]
		c.Data = c.Data[:len(c.Data)+int(at[lane]-uint64(c.end()))]
		c.Last = uint32(before[lane])/2 - l.late(lane, step)
		last[w] = l.last[lane]
	}
	return left
}

// late is step for a lane of values, which are looked at one event later.
func (l *Log) late(lane int32, step uint32) uint32 {
	if uint64(lane) < l.values {
		return step
	}
	return 0
}

// Close frees the code.
func (l *Log) Close() error { return l.code.Close() }
