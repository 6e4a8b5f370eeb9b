package aiger

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteASCII writes the text form.
func (f *File) WriteASCII(w io.Writer) error {
	b := bufio.NewWriter(w)
	f.header(b, "aag")
	for _, in := range f.Inputs {
		line(b, in.Lit)
	}
	for _, l := range f.Latches {
		line(b, append([]uint32{l.Lit, l.Next}, l.start()...)...)
	}
	f.properties(b)
	for _, a := range f.Ands {
		line(b, a.Lit, a.A, a.B)
	}
	f.tail(b)
	return b.Flush()
}

// WriteBinary writes the binary form. Its variables must be numbered as by [FromSystem]:
// inputs, latches, gates, each after its operands. Any other numbering is an error.
func (f *File) WriteBinary(w io.Writer) error {
	if err := f.ordered(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	// Literals of inputs and latches are implied by their order.
	f.header(b, "aig")
	for _, l := range f.Latches {
		line(b, append([]uint32{l.Next}, l.start()...)...)
	}
	f.properties(b)
	for _, a := range f.Ands {
		delta(b, a.Lit-max(a.A, a.B))
		delta(b, max(a.A, a.B)-min(a.A, a.B))
	}
	f.tail(b)
	return b.Flush()
}

// ordered returns an error if the file cannot be written in binary.
func (f *File) ordered() error {
	// The binary form has no literals of its own: inputs, latches and gates are numbered by their
	// order.
	next := uint32(2)
	for _, in := range f.Inputs {
		if in.Lit != next {
			return fmt.Errorf("aiger: input %d should be %d in a binary file", in.Lit, next)
		}
		next += 2
	}
	for _, l := range f.Latches {
		if l.Lit != next {
			return fmt.Errorf("aiger: latch %d should be %d in a binary file", l.Lit, next)
		}
		next += 2
	}
	for _, a := range f.Ands {
		if a.Lit != next || a.A >= next || a.B >= next {
			return fmt.Errorf("aiger: gate %d = %d and %d should be %d, of smaller ones, in a binary file", a.Lit, a.A, a.B, next)
		}
		next += 2
	}

	if next != 2*f.MaxVar+2 {
		return fmt.Errorf("aiger: %d variables are defined, but the largest is %d", next/2-1, f.MaxVar)
	}
	return nil
}

func (f *File) header(b *bufio.Writer, kind string) {
	fmt.Fprintf(b, "%s %d %d %d %d %d", kind, f.MaxVar, len(f.Inputs), len(f.Latches), len(f.Outputs), len(f.Ands))

	// Counts at the end are left out if they are 0.
	if len(f.Bad)+len(f.Constraints) > 0 {
		fmt.Fprintf(b, " %d", len(f.Bad))
	}
	if len(f.Constraints) > 0 {
		fmt.Fprintf(b, " %d", len(f.Constraints))
	}
	b.WriteByte('\n')
}

// start is the field for the initial value; 0 is left out.
func (l *Latch) start() []uint32 {
	if l.Init == 0 {
		return nil
	}
	return []uint32{l.Init}
}

func (f *File) properties(b *bufio.Writer) {
	for _, list := range [][]Symbol{f.Outputs, f.Bad, f.Constraints} {
		for _, x := range list {
			line(b, x.Lit)
		}
	}
}

func line(b *bufio.Writer, numbers ...uint32) {
	var buf [10]byte
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(strconv.AppendUint(buf[:0], uint64(n), 10))
	}
	b.WriteByte('\n')
}

// delta writes a number in LEB128: seven bits at a time, the lowest first.
func delta(b *bufio.Writer, n uint32) {
	for n >= 0x80 {
		b.WriteByte(byte(n) | 0x80)
		n >>= 7
	}
	b.WriteByte(byte(n))
}

// tail writes the symbol table and the comment.
func (f *File) tail(b *bufio.Writer) {
	// Names may hold anything; a line of the table may not.
	for _, k := range f.kinds() {
		for i, x := range k.list {
			if x.Name != "" {
				fmt.Fprintf(b, "%c%d %s\n", k.letter, i, strings.Map(printable, x.Name))
			}
		}
	}
	if f.Comment != "" {
		fmt.Fprintf(b, "c\n%s\n", strings.TrimSuffix(f.Comment, "\n"))
	}
}

// printable keeps a name on its line.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '_'
	}
	return r
}
