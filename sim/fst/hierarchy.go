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

// hierarchy is the content of the hierarchy block being made.
type hierarchy struct {
	text   []byte
	vars   uint64
	scopes uint64
	handle []int // by net, from 1
	count  int   // handles given
	enums  map[enumKey]int
	tables int // tables of enumerations
}

// enumKey is an enumeration at a width; its table has a number, from 1, or 0 if
// it is too long.
type enumKey struct {
	enum  *ir.Enum
	width int
}

// declare writes the blocks that tell what there is: the scopes with their
// variables, and the width of every net. Nets come in the order in which the
// hierarchy names them first, so that their handles are their numbers and one.
func (w *Writer) declare(root *record.Scope, nets []record.Net) error {
	h := &hierarchy{handle: make([]int, len(nets)), enums: map[enumKey]int{}}
	h.scope(root)
	w.head.scopes, w.head.vars, w.head.nets = h.scopes, h.vars, uint64(len(nets))
	w.write(w.head.encode())
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

// variable declares a signal. The first one of a net makes its handle.
func (h *hierarchy) variable(v *record.Var) {
	h.vars++
	t, width := v.Type(), v.Width()
	high, low := width-1, 0
	kind, dir := byte(varWire), byte(dirImplicit)
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
	h.text = append(h.text, kind, dir)
	h.name(name)
	h.text = binary.AppendUvarint(h.text, uint64(width))
	h.text = binary.AppendUvarint(h.text, uint64(h.handle[v.Net])) // 0: a new one
	if h.handle[v.Net] == 0 {
		h.count++
		h.handle[v.Net] = h.count
	}
}

// enum says that the next variable is of an enumeration, whose table comes with
// its first one.
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

// enumTable is the name of an enumeration, how many names it has, these, and
// their values in binary, with spaces between. It is "" where there are none or
// too many.
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

// escape makes one word of a text by the escapes of C.
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

func (h *hierarchy) attribute(kind byte, text string, value uint64) {
	h.text = append(h.text, tagAttribute, attributeMisc, kind)
	h.name(text)
	h.text = binary.AppendUvarint(h.text, value)
}

// name appends a text with its end.
func (h *hierarchy) name(text string) { h.text = append(append(h.text, text...), 0) }
