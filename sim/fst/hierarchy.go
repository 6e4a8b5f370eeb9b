package fst

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"strings"

	"etch/ir"
	"etch/sim/internal/record"
)

// Tags in the hierarchy. A variable's tag is its type.
const (
	tagAttribute = 252
	tagScope     = 254
	tagUpscope   = 255

	scopeModule = 0

	varInteger = 1
	varReg     = 5
	varWire    = 16

	dirImplicit = 0
	dirInput    = 1
	dirOutput   = 2

	attributeMisc = 0
	miscTypeName  = 2
	miscEnum      = 7

	dataSigned = 9 // of a type name: two's complement
)

// tableBytes is the length of a table of names up to which readers take it.
const tableBytes = 1 << 16

// hierarchy encodes the scopes and variables of a design.
type hierarchy struct {
	text   []byte
	vars   uint64
	scopes uint64
	handle []int // by net, from 1; 0: the net has none yet
	count  int   // handles given
	enums  map[enumKey]int
	tables int // tables of enumerations
}

// enumKey is an enumeration at a width. Its table has a number from 1, or 0 if the table is too
// long.
type enumKey struct {
	enum  *ir.Enum
	width int
}

// declare writes the header and the blocks of declarations: the scopes with their variables, and
// the width of every net. The nets come in the order in which the hierarchy names them first, so
// the handle of a net is its number plus one.
func (w *Writer) declare(root *record.Scope, nets []record.Net) error {
	h := &hierarchy{handle: make([]int, len(nets)), enums: map[enumKey]int{}}
	h.scope(root)
	w.head.scopes, w.head.vars, w.head.nets = h.scopes, h.vars, uint64(len(nets))
	w.write(w.head.encode())

	// The hierarchy's text, packed by gzip.
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(h.text); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	b := appendUint64s(open(nil, kindHierarchy), uint64(len(h.text)))
	w.write(closed(append(b, packed.Bytes()...)))

	var widths []byte
	for _, n := range nets {
		widths = binary.AppendUvarint(widths, uint64(n.Width()))
	}
	b = appendUint64s(open(nil, kindGeometry), uint64(len(widths)), uint64(len(nets)))
	w.write(closed(append(b, w.pack.deflate(widths)...)))
	return w.err
}

// scope encodes a scope, its variables and its children.
func (h *hierarchy) scope(c *record.Scope) {
	h.scopes++
	h.text = append(h.text, tagScope, scopeModule)
	h.name(c.Name)
	h.name(c.Module)
	for i := range c.Vars {
		h.variable(&c.Vars[i])
	}
	for _, kid := range c.Kids {
		h.scope(kid)
	}
	h.text = append(h.text, tagUpscope)
}

// variable encodes the declaration of a signal. A net gets its handle with its first variable.
func (h *hierarchy) variable(v *record.Var) {
	h.vars++
	t, width := v.Type(), v.Width()
	high, low := width-1, 0
	kind, dir := byte(varWire), byte(dirImplicit)

	// The type of the variable follows from the signal's: viewers show an integer as a signed
	// number. An attribute before the variable names types that the format does not have.
	if v.IsState() {
		kind = varReg
	}

	switch t.Kind {
	case ir.SInt:
		kind = varInteger
		h.attribute(miscTypeName, "signed", dataSigned)
	case ir.Fixed:
		high, low = high-t.Frac, -t.Frac
		h.attribute(miscTypeName, "sfixed", 0)
	case ir.EnumKind:
		h.attribute(miscTypeName, record.Word(t.Enum.Name), 0)
		h.enum(t.Enum, width)
	}

	// Direction and name; the range is part of the name.
	if v.Port {
		dir = dirInput
		if v.Dir == ir.Out {
			dir = dirOutput
		}
	}

	name := v.Name
	if width > 1 {
		name = fmt.Sprintf("%s [%d:%d]", name, high, low)
	}

	// A handle of 0 declares a new net; all other variables of the net name its handle.
	h.text = append(h.text, kind, dir)
	h.name(name)
	h.text = binary.AppendUvarint(h.text, uint64(width))
	h.text = binary.AppendUvarint(h.text, uint64(h.handle[v.Net]))
	if h.handle[v.Net] == 0 {
		h.count++
		h.handle[v.Net] = h.count
	}
}

// enum encodes that the next variable is of an enumeration. The table of names comes before the
// first variable of the enumeration.
func (h *hierarchy) enum(e *ir.Enum, width int) {
	key := enumKey{e, width}
	n, seen := h.enums[key]
	if !seen {
		if table := enumTable(e, width); table != "" {
			h.tables++
			n = h.tables
			h.attribute(miscEnum, table, uint64(n))
		}
		h.enums[key] = n
	}
	if n > 0 {
		h.attribute(miscEnum, "", uint64(n))
	}
}

// enumTable returns the text of a table: the name of the enumeration, the number of its names,
// the names, and their values in binary, with spaces between. It is "" without names, and where
// it would be too long.
func enumTable(e *ir.Enum, width int) string {
	if len(e.Names) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d", record.Word(e.Name), len(e.Names))
	for _, name := range e.Names {
		b.WriteString(" " + escape(name))
	}
	for _, code := range e.Codes {
		fmt.Fprintf(&b, " %0*b", width, code)
	}
	if b.Len() > tableBytes {
		return ""
	}
	return b.String()
}

// escape makes one word of a text, with the escapes of C.
func escape(text string) string {
	if text == "" {
		return "_"
	}
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		case strings.IndexByte(`'"\?`, c) >= 0:
			b.WriteByte('\\')
			fallthrough
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// attribute encodes an attribute of the next variable.
func (h *hierarchy) attribute(kind byte, text string, value uint64) {
	h.text = append(h.text, tagAttribute, attributeMisc, kind)
	h.name(text)
	h.text = binary.AppendUvarint(h.text, value)
}

// name appends a text and the zero byte that ends it.
func (h *hierarchy) name(text string) { h.text = append(append(h.text, text...), 0) }
