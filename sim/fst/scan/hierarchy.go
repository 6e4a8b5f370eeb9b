package scan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Scope is an instance, a block or a function that holds variables.
type Scope struct {
	Kind, Name string
	Component  string // the module of an instance, "" where the writer gives none
	Parent     int    // index into Scopes, -1 at the top
}

// Var is a declared variable.
type Var struct {
	Scope     int    // index into Scopes, -1 outside of all
	Kind      string // wire, reg, integer, real, string, …
	Direction string // input, output, inout, …; "" where the writer gives none
	Name      string
	Range     string // as in "[7:0]", "" where none stands behind the name
	Width     int    // bits; 0 of a text
	Net       int    // variables of equal Net always have equal values
	Enum      *Enum  // nil: its values have no names
}

// Entries of the hierarchy that are no variables; lower bytes are kinds of variables.
const (
	entryAttribute    = 252
	entryAttributeEnd = 253
	entryScope        = 254
	entryUp           = 255
)

var varKinds = [...]string{"event", "integer", "parameter", "real", "real_parameter", "reg", "supply0", "supply1", "time", "tri", "triand",
	"trior", "trireg", "tri0", "tri1", "wand", "wire", "wor", "port", "sparray", "realtime", "string", "bit", "logic", "int", "shortint", "longint", "byte", "enum", "shortreal"}

var scopeKinds = [...]string{"module", "task", "function", "begin", "fork", "generate", "struct", "union", "class", "interface", "package", "program",
	"architecture", "procedure", "function", "record", "process", "block", "for_generate", "if_generate", "generate", "package"}

var directions = [...]string{"", "input", "output", "inout", "buffer", "linkage"}

// geometry reads the widths of the nets.
func (f *File) geometry(p contents) error {
	b, err := f.read(p.at, min(p.end-p.at, 16))
	if err != nil || len(b) < 16 {
		return f.fail(p.at, "a block of widths of %d bytes", p.end-p.at)
	}
	size, nets := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	if nets > MaxVars || size > 5*MaxVars {
		return f.fail(p.at, "%d nets; at most %d are read", nets, MaxVars)
	}
	text, err := f.zipped(p.at+16, p.end-p.at-16, int64(size))
	if err != nil {
		return err
	}

	// A width takes a byte at least.
	if nets > uint64(len(text)) {
		return f.fail(p.at, "%d nets with widths of %d bytes", nets, len(text))
	}
	r := &reader{f: f, b: text, at: p.at + 16}
	f.widths = make([]uint32, nets)
	f.Nets = int(nets)
	for i := range f.widths {
		w := r.varint()
		if w > MaxWidth && w != textWidth {
			return f.fail(p.at, "net %d has %d bits; at most %d are read", i, w, MaxWidth)
		}
		f.widths[i] = uint32(w)
	}
	return r.err
}

// hierarchy reads scopes and variables.
func (f *File) hierarchy(p contents) error {
	text, err := f.hierarchyText(p)
	if err != nil {
		return err
	}

	r := &reader{f: f, b: text, at: p.at}
	scope, next := -1, 0
	var enums enums

	// Scopes nest: scope is the open scope, -1 outside of all.
	for r.err == nil && len(r.b) > 0 {
		switch tag := r.byte(); {
		case tag == entryScope:
			s := Scope{Kind: pick(scopeKinds[:], r.byte()), Parent: scope}
			s.Name, s.Component = r.text(), r.text()
			scope = len(f.Scopes)
			f.Scopes = append(f.Scopes, s)
		case tag == entryUp:
			if scope < 0 {
				return f.fail(p.at, "a scope ends that has not begun")
			}
			scope = f.Scopes[scope].Parent
		// Of attributes, which are two bytes, a text and a number, only attributes of enumerations
		// count.
		case tag == entryAttribute:
			kind, sort := r.byte(), r.byte()
			text, number := r.text(), r.varint()
			if kind == attributeMisc && sort == miscEnum {
				enums.attribute(text, number)
			}
		case tag == entryAttributeEnd:
		case int(tag) < len(varKinds):
			v := Var{Scope: scope, Kind: varKinds[tag], Direction: pick(directions[:], r.byte()), Enum: enums.taken()}
			v.Name = r.text()
			r.varint() // the width, which the net has too

			// A number above 0 names an earlier net; else the variable has the next one.
			if alias := r.varint(); alias > 0 {
				v.Net = int(min(alias, MaxVars+1)) - 1
			} else {
				v.Net = next
				next++
			}
			if r.err == nil && v.Net >= f.Nets {
				return f.fail(p.at, "%s is net %d of %d", v.Name, v.Net, f.Nets)
			}
			if r.err == nil {
				v.finish(f.widths[v.Net])
				f.Vars = append(f.Vars, v)
			}
		default:
			return f.fail(p.at, "an entry of unknown kind %d among the names", tag)
		}
		if len(f.Vars) > MaxVars || len(f.Scopes) > MaxVars {
			return f.fail(p.at, "more than %d variables", MaxVars)
		}
	}
	return r.err
}

// finish splits the range from a variable's name, and gives it its net's width.
func (v *Var) finish(width uint32) {
	// Writers put the range behind the name, after a blank.
	if i := strings.LastIndex(v.Name, " ["); i > 0 && strings.HasSuffix(v.Name, "]") {
		v.Name, v.Range = v.Name[:i], v.Name[i+1:]
	}
	switch width {
	case realWidth:
		v.Width = 64
	case textWidth:
		v.Width = 0
	default:
		v.Width = int(width)
	}
}

// pick is an element of a list, "other" beyond its end.
func pick(list []string, i byte) string {
	if int(i) < len(list) {
		return list[i]
	}
	return "other"
}

// hierarchyText is the unpacked hierarchy.
func (f *File) hierarchyText(p contents) ([]byte, error) {
	size, err := f.number(p.at)
	if err != nil {
		return nil, err
	}
	if size > MaxText {
		return nil, f.fail(p.at, "names of %d bytes; at most %d are read", size, MaxText)
	}
	at := p.at + 8

	// The size of the text is in front; LZ4 twice has the size between the two in front as well.
	switch p.kind {
	case blockLZ4Twice:
		once, err := f.number(at)
		if err != nil {
			return nil, err
		}
		if once > MaxText {
			return nil, f.fail(at, "names of %d bytes; at most %d are read", once, MaxText)
		}
		b, err := f.read(at+8, p.end-at-8)
		if err == nil {
			b, err = f.unpacked(at+8, packLZ4, b, int64(once))
		}
		if err != nil {
			return nil, err
		}
		return f.unpacked(at+8, packLZ4, b, int64(size))
	case blockLZ4:
		b, err := f.read(at, p.end-at)
		if err != nil {
			return nil, err
		}
		return f.unpacked(at, packLZ4, b, int64(size))
	}
	b, err := f.read(at, p.end-at)
	if err != nil {
		return nil, err
	}
	return f.unpacked(at, packGzip, b, int64(size))
}

// reader reads numbers and names from bytes. After an error all are 0 and empty.
type reader struct {
	f   *File
	b   []byte
	at  int64 // of the packed bytes in the file, for errors
	err error
}

// fail notes the first error.
func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = r.f.fail(r.at, "the bytes end inside of %s", what)
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("an entry")
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

// text is a name that ends with a zero byte.
func (r *reader) text() string {
	i := bytes.IndexByte(r.b, 0)
	if i < 0 {
		r.fail("a name")
		return ""
	}
	s := string(r.b[:i])
	r.b = r.b[i+1:]
	return s
}

// varint is an unsigned number in groups of seven bits, the lowest first (LEB128).
func (r *reader) varint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("a number")
		return 0
	}
	r.b = r.b[n:]
	return v
}

// signed is a signed number in groups of seven bits (SLEB128).
func (r *reader) signed() int64 {
	v, shift := int64(0), 0

	// A number of 64 bits takes ten groups at most.
	for i, b := range r.b {
		if shift > 63 {
			break
		}
		v |= int64(b&0x7f) << shift
		shift += 7
		if b&0x80 == 0 {
			if shift < 64 && b&0x40 != 0 {
				// The sign is the highest bit of the last group.
				v |= -1 << shift
			}
			r.b = r.b[i+1:]
			return v
		}
	}
	r.fail("a number")
	return 0
}

// bytes are the next n bytes.
func (r *reader) bytes(n uint64, what string) []byte {
	if n > uint64(len(r.b)) {
		r.fail(fmt.Sprintf("%s of %d bytes", what, n))
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}
