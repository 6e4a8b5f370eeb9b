package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/sim"
)

// Files of a recording, in its folder.
const (
	stimulusFile = "stimulus.hex"
	expectedFile = "expected.hex"
)

// MaxBytes bounds the two files of a recording; later events are not compared.
const MaxBytes = 256 << 20

// Recorder is a sim.Tracer that records the stimulus of a test and the simulator's outputs.
type Recorder struct {
	dir    string
	sim    *sim.Sim
	layout layout
	ins    []sim.Signal // parallel to layout.ins.fields
	outs   []sim.Signal
	clocks map[int]int // number of a clock by its net

	stimulus, expected *output
	last, now          []uint64 // inputs of the line before, and of the present
	word               []uint64 // scratch
	line               []byte   // scratch
	cycles             uint64   // edges recorded
	high               bool     // a clock has yet to fall, and some state will move then
	written            int
	note               string // why the recording ended early
	err                error
}

// output is a file that is written in pieces and not kept open, since a test may have hundreds
// of benches.
type output struct {
	path string
	buf  []byte
}

// piece is the number of bytes that an output holds in memory.
const piece = 1 << 16

// create makes an empty file.
func create(path string) (*output, error) {
	return &output{path: path}, os.WriteFile(path, nil, 0o666)
}

// line appends a line.
func (o *output) line(text []byte) error {
	o.buf = append(append(o.buf, text...), '\n')
	if len(o.buf) < piece {
		return nil
	}
	return o.flush()
}

// flush appends the lines held in memory to the file.
func (o *output) flush() error {
	f, err := os.OpenFile(o.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}

	// The file is closed in any case, and the first error counts.
	_, err = f.Write(o.buf)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	o.buf = o.buf[:0]
	return err
}

// Record begins a recording of s, which must be at power-up, in a folder that
// exists. The Verilog starts with the state that s has now.
func Record(s *sim.Sim, dir string) (*Recorder, error) {
	l, err := layoutOf(s.Design())
	if err != nil {
		return nil, err
	}
	r := &Recorder{dir: dir, sim: s, layout: l, clocks: map[int]int{}, line: make([]byte, 0, 64)}

	// Find the signals of the layout's fields.
	ports := s.Top()
	for _, f := range l.ins.fields {
		r.ins = append(r.ins, ports[f.port])
	}
	for _, f := range l.outs.fields {
		r.outs = append(r.outs, ports[f.port])
	}
	for k, port := range l.clocks {
		r.clocks[ports[port].Net()] = k
	}

	// From here on the state at power-up is on disk, and every event is recorded.
	if err := saveStart(dir, s); err != nil {
		return nil, err
	}
	if r.stimulus, err = create(filepath.Join(dir, stimulusFile)); err != nil {
		return nil, err
	}
	if r.expected, err = create(filepath.Join(dir, expectedFile)); err != nil {
		return nil, err
	}
	return r, s.Trace(r)
}

// Start implements sim.Tracer.
func (r *Recorder) Start(*sim.Sim) error { return nil }

// Sample implements sim.Tracer: it records an edge. State that moves with a falling edge sees
// the inputs of that moment, which the files do not have: the recording ends if they have
// changed.
func (r *Recorder) Sample(m sim.Moment) error {
	if r.stopped() {
		return nil
	}

	// Inputs are taken before the edge and answers after it; a fall counts only if state moves
	// with it.
	switch m.Phase {
	case sim.Before:
		if r.sim.Cycles() != r.cycles {
			r.note = fmt.Sprintf("nothing is compared after cycle %d, when the simulator was restored or restarted", r.cycles)
			return nil
		}
		r.cycles++
		r.last = r.inputs(r.last[:0])
		r.put(r.rising(m.Clocks))
	case sim.After:
		if len(m.Clocks) > 0 {
			r.answer()
		}
		r.high = slices.ContainsFunc(m.Clocks, r.sim.Falls)
	case sim.Fall:
		if r.now = r.inputs(r.now[:0]); r.high && !slices.Equal(r.now, r.last) {
			r.note = fmt.Sprintf("nothing is compared after cycle %d, in which inputs changed before the clock fell", r.cycles)
		}
		r.high = false
	}
	return nil
}

// Look records the outputs for inputs that have changed since the last line. It is called before
// every read of the test.
func (r *Recorder) Look() {
	if r.stopped() {
		return
	}
	if r.high { // Verilog's clock has fallen by now
		r.note = fmt.Sprintf("nothing is compared after cycle %d, in which the test looked before the clock fell", r.cycles)
		return
	}
	if r.now = r.inputs(r.now[:0]); r.written == 0 || !slices.Equal(r.now, r.last) {
		// The two change places, so that neither is allocated again.
		r.last, r.now = r.now, r.last
		r.put(0)
	}
}

// stopped reports whether the recording has ended, perhaps at its limit of size.
func (r *Recorder) stopped() bool {
	if r.note == "" && r.written > MaxBytes {
		r.note = fmt.Sprintf("nothing is compared after cycle %d: the recording is longer than %d bytes", r.cycles, MaxBytes)
	}
	return r.note != "" || r.err != nil || r.stimulus == nil
}

// inputs appends the present values of all inputs.
func (r *Recorder) inputs(dst []uint64) []uint64 {
	for _, in := range r.ins {
		dst = r.sim.AppendWords(dst, in)
	}
	return dst
}

// rising returns a set of clocks as bits.
func (r *Recorder) rising(clocks []sim.Signal) (set uint64) {
	for _, c := range clocks {
		set |= 1 << r.clocks[c.Net()]
	}
	return set
}

// put writes a line of stimulus, the rising clocks and the inputs, and the line of outputs for
// it.
func (r *Recorder) put(rising uint64) {
	b := append(fmt.Appendf(r.line[:0], "%x ", rising), strings.Repeat("0", r.layout.ins.first())...)

	// A field has whole words in last, and digits in the line.
	words := r.last
	for i, f := range r.layout.ins.fields {
		b = f.appendWords(b, words)
		words = words[(r.ins[i].Width()+63)/64:]
	}
	r.write(r.stimulus, b)
	r.answer()
}

// answer writes a line of outputs.
func (r *Recorder) answer() {
	b := append(r.line[:0], strings.Repeat("0", r.layout.outs.first())...)
	for i, f := range r.layout.outs.fields {
		r.word = r.sim.AppendWords(r.word[:0], r.outs[i])
		b = f.appendWords(b, r.word)
	}
	r.write(r.expected, b)
}

// first returns the number of zeros in front of a line.
func (r *row) first() int {
	if len(r.fields) == 0 {
		return r.digits
	}
	return r.fields[0].from
}

// write writes a line to a file and keeps the first error.
func (r *Recorder) write(to *output, line []byte) {
	if err := to.line(line); err != nil && r.err == nil {
		r.err = err
	}
	r.written += len(line) + 1
	r.line = line
}

// Close ends the recording. It may be called again.
func (r *Recorder) Close() error {
	if r.stimulus == nil {
		return r.err
	}

	// The rest of both files is still in memory.
	for _, o := range []*output{r.stimulus, r.expected} {
		if err := o.flush(); err != nil && r.err == nil {
			r.err = err
		}
	}

	r.stimulus, r.expected = nil, nil
	return r.err
}
