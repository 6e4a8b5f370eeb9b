package aiger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxVars is the largest number of variables of a file that is read.
const MaxVars = 1 << 26

// Read reads either form. The error gives the line, or the gate of a binary file, that is
// wrong.
func Read(from io.Reader) (*File, error) {
	r := &reader{in: bufio.NewReader(from), f: &File{}}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("aiger: %w", err)
	}
	return r.f, nil
}

type reader struct {
	in      *bufio.Reader
	f       *File
	line    int
	count   [7]int // M I L O A B C
	binary  bool
	defined []bool // by variable
}

// The sections in the order of the file.
func (r *reader) read() error {
	if err := r.header(); err != nil {
		return err
	}

	// Later sections depend on the counts of the header.
	steps := []func() error{r.inputs, r.latches, r.properties, r.gates, r.symbols}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// text reads a line; io.EOF means that there is none.
func (r *reader) text() (string, error) {
	s, err := r.in.ReadString('\n')
	if err != nil && (s == "" || err != io.EOF) {
		return "", err
	}
	r.line++
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r"), nil
}

// numbers reads a line of least to most numbers.
func (r *reader) numbers(what string, least, most int) ([]uint32, error) {
	s, err := r.text()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: the file ends where %s should be", r.line+1, what)
	}
	if err != nil {
		return nil, err
	}
	// Any number of blanks may separate the numbers.
	words := strings.Fields(s)
	if len(words) < least || len(words) > most {
		return nil, r.fail("%q is not %s", s, what)
	}
	var list []uint32
	for _, w := range words {
		n, err := strconv.ParseUint(w, 10, 32)
		if err != nil {
			return nil, r.fail("%q is not %s", s, what)
		}
		list = append(list, uint32(n))
	}
	return list, nil
}

// The header is the kind and M I L O A, then optionally B C J F.
func (r *reader) header() error {
	s, err := r.text()
	if err != nil {
		return errors.New("the file is empty")
	}
	words := strings.Fields(s)
	if len(words) < 6 || len(words) > 10 || words[0] != "aag" && words[0] != "aig" {
		return r.fail("%.60q is no header: aag or aig and five to nine numbers", s)
	}

	// The kind decides how latches and gates are read.
	r.binary = words[0] == "aig"
	// Counts are bounded before anything is allocated by them.
	for i, w := range words[1:] {
		n, err := strconv.ParseUint(w, 10, 32)
		switch {
		case err != nil:
			return r.fail("%q is no number", w)
		case n > MaxVars:
			return r.fail("%s is more than %d", w, MaxVars)
		case i >= len(r.count) && n > 0:
			return r.fail("justice and fairness properties are not supported")
		case i < len(r.count):
			r.count[i] = int(n)
		}
	}

	// In the binary form variables have no gaps.
	m, sum := r.count[0], r.count[1]+r.count[2]+r.count[4]
	if sum > m || r.binary && sum != m {
		return r.fail("%d variables for %d inputs, latches and gates", m, sum)
	}
	r.f.MaxVar = uint32(m)
	r.defined = make([]bool, 1, 1024)
	return nil
}

// define records that a literal belongs to an input, latch or gate.
func (r *reader) define(l uint32) error {
	switch {
	case l < 2 || l&1 == 1 || l/2 > r.f.MaxVar:
		return r.fail("%d is not the literal of a variable", l)
	case int(l/2) < len(r.defined) && r.defined[l/2]:
		return r.fail("%d is defined twice", l)
	}

	// The table grows as literals come: the header may promise more than the file has.
	for len(r.defined) <= int(l/2) {
		r.defined = append(r.defined, false)
	}
	r.defined[l/2] = true
	return nil
}

func (r *reader) literals(ls ...uint32) error {
	for _, l := range ls {
		if l/2 > r.f.MaxVar {
			return r.fail("%d is larger than the largest literal, %d", l, 2*r.f.MaxVar+1)
		}
	}
	return nil
}

func (r *reader) inputs() error {
	// Binary files leave out the literals of inputs, as these are in order.
	for i := range r.count[1] {
		lit := uint32(2*i + 2)
		if !r.binary {
			n, err := r.numbers("an input", 1, 1)
			if err != nil {
				return err
			}
			lit = n[0]
		}
		if err := r.define(lit); err != nil {
			return err
		}
		r.f.Inputs = append(r.f.Inputs, Symbol{Lit: lit})
	}
	return nil
}

func (r *reader) latches() error {
	// A line has the literal (text form only), the next state and an optional start.
	for i := range r.count[2] {
		l := Latch{Lit: uint32(2*(r.count[1]+i) + 2)}
		least := 1
		if !r.binary {
			least = 2
		}
		n, err := r.numbers("a latch", least, least+1)
		if err != nil {
			return err
		}
		if !r.binary {
			l.Lit, n = n[0], n[1:]
		}
		l.Next = n[0]
		if len(n) == 2 {
			l.Init = n[1]
		}
		if err := r.define(l.Lit); err != nil {
			return err
		}
		if err := r.literals(l.Next); err != nil {
			return err
		}
		if l.Init > 1 && l.Init != l.Lit {
			return r.fail("latch %d starts at %d, which is neither 0, 1 nor itself", l.Lit, l.Init)
		}
		r.f.Latches = append(r.f.Latches, l)
	}
	return nil
}

func (r *reader) properties() error {
	// Outputs, bad states, constraints: the order is the format's.
	for _, k := range []struct {
		what string
		n    int
		to   *[]Symbol
	}{{"an output", r.count[3], &r.f.Outputs}, {"a bad state", r.count[5], &r.f.Bad}, {"a constraint", r.count[6], &r.f.Constraints}} {
		for range k.n {
			n, err := r.numbers(k.what, 1, 1)
			if err != nil {
				return err
			}
			if err := r.literals(n[0]); err != nil {
				return err
			}
			*k.to = append(*k.to, Symbol{Lit: n[0]})
		}
	}
	return nil
}

func (r *reader) gates() error {
	for i := range r.count[4] {
		if r.binary {
			if err := r.binaryGate(i); err != nil {
				return err
			}
			continue
		}

		// In text: the gate and its two operands.
		n, err := r.numbers("a gate", 3, 3)
		if err != nil {
			return err
		}
		if err := r.define(n[0]); err != nil {
			return err
		}
		if err := r.literals(n[1], n[2]); err != nil {
			return err
		}
		r.f.Ands = append(r.f.Ands, And{n[0], n[1], n[2]})
	}
	return nil
}

// binaryGate reads a gate as two differences: from the gate to its larger operand, and from
// that to the smaller one.
func (r *reader) binaryGate(i int) error {
	// The number of a gate follows from its place.
	lit := uint32(2*(r.count[1]+r.count[2]+i) + 2)
	d, err := r.delta()
	if err == nil && (d == 0 || d > lit) {
		err = errors.New("it does not follow from smaller ones")
	}

	// Both differences have to leave a variable, in this order.
	var e uint32
	if err == nil {
		if e, err = r.delta(); err == nil && e > lit-d {
			err = errors.New("it does not follow from smaller ones")
		}
	}
	if err != nil {
		return fmt.Errorf("gate %d: %w", lit, err)
	}
	r.f.Ands = append(r.f.Ands, And{lit, lit - d, lit - d - e})
	return nil
}

// delta reads a number in LEB128: seven bits per byte, the lowest first.
func (r *reader) delta() (uint32, error) {
	var n uint64

	// Five bytes are enough for 32 bits.
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.in.ReadByte()
		if err != nil {
			return 0, errors.New("the file ends within it")
		}
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if n > 1<<32-1 {
				break
			}
			return uint32(n), nil
		}
	}
	return 0, errors.New("a number of more than 32 bits")
}

// symbols reads the names and the comment, to the end of the file.
func (r *reader) symbols() error {
	for {
		s, err := r.text()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}

		// All after a line "c" is the comment, with lines of any kind.
		if s == "c" {
			rest, err := io.ReadAll(r.in)
			r.f.Comment = strings.TrimSuffix(string(rest), "\n")
			return err
		}
		if err := r.symbol(s); err != nil {
			return err
		}
	}
}

func (r *reader) symbol(s string) error {
	head, name, ok := strings.Cut(s, " ")
	if !ok || len(head) < 2 {
		return r.fail("%.60q is neither a symbol nor the start of a comment", s)
	}

	// A letter and a place in its list.
	at, err := strconv.ParseUint(head[1:], 10, 32)
	if err != nil {
		return r.fail("%.60q is neither a symbol nor the start of a comment", s)
	}
	i := int(at)

	// The letter selects the list.
	list, ok := map[byte][]Symbol{'i': r.f.Inputs, 'o': r.f.Outputs, 'b': r.f.Bad, 'c': r.f.Constraints}[head[0]]
	switch {
	case head[0] == 'l' && i < len(r.f.Latches):
		r.f.Latches[i].Name = name
	case ok && i < len(list):
		list[i].Name = name
	default:
		return r.fail("%s names nothing", head)
	}
	return nil
}
