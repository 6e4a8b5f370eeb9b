package drivers

import (
	"fmt"
	"strconv"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// The netlist of the files before yosys works on it, as its write_rtlil
// prints it. The JSON has lost this: there two nets that an assign joins are
// one, and of a constant that drives a net only the constant is left.

// maxBits bounds the bits of a module.
const maxBits = 1 << 30

// ilBit is a bit of a wire, or a constant below 0.
type ilBit int32

const (
	ilZero ilBit = -1 - iota
	ilOne
	ilNone // x or z: yosys 0.23 prints a constant of z alone as x
)

// ilModule is a module of RTLIL, Yosys's own text format, as far as drivers need it.
type ilModule struct {
	name  string // as printed, with its backslash
	attrs []attribute.Pair
	wires []ilWire
	cells []ilCell
	conns []ilConn
	procs []ilProcess
	at    map[string]int32 // wires by name
	bits  int32

	line, end int // of the text, from 1
}

// ilWire is a wire, whose bits count from base.
type ilWire struct {
	name        string
	attrs       []attribute.Pair
	width, base int32
	dir         string // input, output, inout, or ""
	number      int    // of the port
	line        int
}

// ilCell is a cell; its pins are texts until they are asked for.
type ilCell struct {
	kind, name string
	attrs      []attribute.Pair
	pins       []ilPin
}

// ilConn says that the bits of left are connected to the bits of right.
type ilConn struct {
	left, right string
	line        int
}

// ilPin is the signal at a pin of a cell.
type ilPin struct {
	name, signal string
	line         int
}

// ilProcess is an always block: its updates at the end, and its assignments inside.
type ilProcess struct {
	attrs   []attribute.Pair
	updates []ilConn
	assigns []ilConn
	reads   []string // signals that its conditions and edges look at
}

// parseRTLIL reads the output of write_rtlil, as far as yosys produces it before the
// command proc.
func parseRTLIL(text string) ([]*ilModule, error) {
	p := &ilParser{}
	for line := range strings.Lines(text) {
		p.n++
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d of what yosys wrote: %w", p.n, err)
		}
	}
	return p.mods, nil
}

type ilParser struct {
	n     int
	mods  []*ilModule
	m     *ilModule
	cell  *ilCell
	proc  *ilProcess
	depth int              // switches that are open
	init  bool             // the updates that follow are values at power-up
	attrs []attribute.Pair // of the next object
}

// line reads one line; none goes over two.
func (p *ilParser) line(s string) error {
	verb, rest, _ := strings.Cut(s, " ")
	switch {
	case s == "" || s[0] == '#' || verb == "autoidx":
		return nil
	case verb == "attribute":
		name, v, _ := strings.Cut(rest, " ")
		p.attrs = append(p.attrs, attribute.Pair{Name: strings.TrimPrefix(name, `\`), Value: ilValue(v)})
		return nil

	case verb == "module":
		p.m = &ilModule{name: rest, attrs: p.take(), at: map[string]int32{}, line: p.n}
		p.mods = append(p.mods, p.m)
		return nil
	case p.m == nil:
		return fmt.Errorf("%q outside of a module", s)
	}

	// Attributes belong to the line behind them: none are left after it.
	if verb == "wire" {
		return p.wire(strings.Fields(rest))
	}

	p.object(verb, rest)
	if p.proc != nil {
		p.inProcess(verb, rest)
	}

	// An end closes the innermost object.
	if verb == "end" {
		p.close()
	}

	p.attrs = p.attrs[:0]
	return nil
}

// object reads a line that begins an object of a module, connects one, or opens a switch.
func (p *ilParser) object(verb, rest string) {
	switch verb {
	case "cell":
		kind, name, _ := strings.Cut(rest, " ")
		p.m.cells = append(p.m.cells, ilCell{kind: kind, name: name, attrs: p.take()})
		p.cell = &p.m.cells[len(p.m.cells)-1]

	case "process":
		p.m.procs = append(p.m.procs, ilProcess{attrs: p.take()})
		p.proc, p.init = &p.m.procs[len(p.m.procs)-1], false

	case "connect":
		if p.cell != nil {
			pin, sig, _ := strings.Cut(rest, " ")
			p.cell.pins = append(p.cell.pins, ilPin{strings.TrimPrefix(pin, `\`), sig, p.n})
			break
		}
		left, right := cutSignal(rest)
		p.m.conns = append(p.m.conns, ilConn{left, right, p.n})

	case "sync":
		// Values at power-up stand under sync init and drive nothing.
		p.init = rest == "init"

	case "switch":
		p.depth++
	}
}

// inProcess reads a line inside a process: it notes the signals read and written.
func (p *ilParser) inProcess(verb, rest string) {
	switch verb {
	case "assign":
		left, right := cutSignal(rest)
		p.proc.assigns = append(p.proc.assigns, ilConn{left, right, p.n})

	case "sync":
		if _, sig, ok := strings.Cut(rest, " "); ok {
			p.proc.reads = append(p.proc.reads, sig)
		}

	case "case", "memwr":
		if verb == "memwr" {
			// The name of the memory comes first.
			_, rest, _ = strings.Cut(rest, " ")
		}
		for rest != "" {
			var one string
			if one, rest = cutSignal(rest); strings.ContainsAny(one, `\$`) {
				p.proc.reads = append(p.proc.reads, strings.TrimSuffix(one, ","))
			}
			rest = strings.TrimSpace(strings.TrimPrefix(rest, ","))
		}

	case "update":
		if !p.init {
			left, right := cutSignal(rest)
			p.proc.updates = append(p.proc.updates, ilConn{left, right, p.n})
		}

	case "switch":
		p.proc.reads = append(p.proc.reads, rest)
	}
}

// close ends the innermost object.
func (p *ilParser) close() {
	switch {
	case p.cell != nil:
		p.cell = nil
	case p.depth > 0:
		p.depth--
	case p.proc != nil:
		p.proc = nil
	default:
		p.m.end, p.m = p.n, nil
	}
}

// take gives away the attributes so far.
func (p *ilParser) take() []attribute.Pair {
	a := append([]attribute.Pair(nil), p.attrs...)
	p.attrs = p.attrs[:0]
	return a
}

func (p *ilParser) wire(words []string) error {
	w := ilWire{width: 1, base: p.m.bits, attrs: p.take(), line: p.n}
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "width":
			if i++; i < len(words) {
				n, err := strconv.Atoi(words[i])
				if err != nil || n < 0 || n > maxBits {
					return fmt.Errorf("a wire of %s bits", words[i])
				}
				w.width = int32(n)
			}
		case "input", "output", "inout":
			w.dir = words[i]
			if i++; i < len(words) {
				w.number, _ = strconv.Atoi(words[i])
			}
		case "offset":
			i++
		case "upto", "signed":
		default:
			w.name = words[i]
		}
	}

	// The bits of wires are numbered in their order.
	p.m.at[w.name] = int32(len(p.m.wires))
	p.m.wires = append(p.m.wires, w)
	if p.m.bits += w.width; p.m.bits > maxBits {
		return fmt.Errorf("a module of more than %d bits", maxBits)
	}
	return nil
}

// ilValue is the value of an attribute: text, or bits.
func ilValue(s string) attribute.Value {
	// Text in quotes, bits with a width, or a number of 32 bits.
	if t, err := strconv.Unquote(s); err == nil {
		return attribute.Value(t)
	}
	if i := strings.IndexByte(s, '\''); i >= 0 {
		return attribute.Value(s[i+1:])
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return attribute.Value(s)
	}
	return attribute.Value(fmt.Sprintf("%032b", uint32(n)))
}

// cutSignal splits a text behind its first signal; a blank separates the rest.
func cutSignal(s string) (first, rest string) {
	n := signalEnd(s)
	return s[:n], strings.TrimSpace(s[n:])
}

// signalEnd is where the first signal of a text ends: {…} or a word, with its
// [indices].
func signalEnd(s string) int {
	i, depth := 0, 0
	for i < len(s) {
		start := i
		for i < len(s) && s[i] != ' ' {
			i++
		}
		switch s[start:i] {
		case "{":
			depth++
		case "}":
			depth--
		}

		// A word outside of braces is the end, with the indices behind it.
		if depth == 0 {
			for strings.HasPrefix(s[i:], " [") {
				i += 1 + strings.IndexByte(s[i+1:]+" ", ' ')
			}
			return i
		}
		for i < len(s) && s[i] == ' ' {
			i++
		}
	}
	return i
}

// signal is the bits of a signal, the lowest first.
func (m *ilModule) signal(s string) []ilBit {
	if inside, ok := strings.CutPrefix(s, "{ "); ok {
		inside = strings.TrimSuffix(inside, "}")
		var parts [][]ilBit
		for inside = strings.TrimSpace(inside); inside != ""; {
			var one string
			one, inside = cutSignal(inside)
			parts = append(parts, m.signal(one))
		}

		// The first part is at the top.
		var all []ilBit
		for i := len(parts) - 1; i >= 0; i-- {
			all = append(all, parts[i]...)
		}
		return all
	}

	// A wire, or a part of it: each index is relative to the one before.
	name, index, _ := strings.Cut(s, " ")
	at, ok := m.at[name]
	if !ok {
		return ilConstant(s)
	}
	w := &m.wires[at]
	lo, hi := 0, int(w.width)-1
	for _, part := range strings.Fields(index) {
		high, low, both := strings.Cut(strings.Trim(part, "[]"), ":")
		if !both {
			low = high
		}
		a, err1 := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || a < 0 || b < a || lo+b > hi {
			return nil
		}
		lo, hi = lo+a, lo+b
	}
	bits := make([]ilBit, 0, hi-lo+1)
	for i := lo; i <= hi; i++ {
		bits = append(bits, ilBit(w.base+int32(i)))
	}
	return bits
}

// ilConstant is the bits of a constant: a number, or 4'0z1x, where an x or z at the
// top stands for all above.
func ilConstant(s string) []ilBit {
	v := ilValue(s)
	if strings.HasPrefix(s, `"`) || !v.IsBits() && !strings.HasSuffix(s, "-") {
		return nil
	}
	width := len(v)
	if size, _, ok := strings.Cut(s, "'"); ok {
		if n, err := strconv.Atoi(size); err == nil && n >= 0 && n <= maxBits {
			width = n
		}
	}

	// Bits above the written ones repeat the top one if that is x or z.
	bits := make([]ilBit, width)
	for i := range bits {
		at := i
		if at >= len(v) && v[0] != '1' {
			at = len(v) - 1
		}
		switch v.Bit(at) {
		case '0':
			bits[i] = ilZero
		case '1':
			bits[i] = ilOne
		default:
			bits[i] = ilNone
		}
	}
	return bits
}

// pin is the signal at a pin of a cell, "" when there is none.
func (c *ilCell) pin(name string) string {
	for _, p := range c.pins {
		if p.name == name {
			return p.signal
		}
	}
	return ""
}

// wireOf is the wire that a bit belongs to.
func (m *ilModule) wireOf(b ilBit) *ilWire {
	// Binary search: the wires are in the order of their bits.
	lo, hi := 0, len(m.wires)
	for lo < hi {
		mid := (lo + hi) / 2
		if w := &m.wires[mid]; ilBit(w.base+w.width) > b {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return &m.wires[lo]
}
