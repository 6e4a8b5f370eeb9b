package lower

import (
	"strconv"

	"etch/backends/firrtl/syntax"
)

// maxLeaves bounds the ground elements of one type and maxWidth the bits of one signal, so
// that a short text cannot ask for unbounded memory.
const (
	maxLeaves = 1 << 20
	maxWidth  = 1 << 20
)

// kind is the ground type of a value.
type kind uint8

const (
	kUInt kind = iota
	kSInt
	kClock
	kReset // to be inferred
	kAsync
	kAnalog
)

var kindNames = [...]string{"UInt", "SInt", "Clock", "Reset", "AsyncReset", "Analog"}

func (k kind) String() string { return kindNames[k] }

// typ is a type. Its leaves are its ground elements in order of fields.
type typ struct {
	form   syntax.TypeKind // a ground type, Bundle, Vector, Enum or Property
	kind   kind            // of a ground type; an Enum is a UInt
	width  int32           // of a ground type, -1 if it is to be inferred
	n      int32           // elements of a Vector
	elem   *typ
	fields []field // of a Bundle; the variants of an Enum
	tag    int32   // width of an Enum's tag, which is above its data
	leaves int32
	names  int  // total bytes of the leaves' paths
	flips  bool // has flipped fields below
}

type field struct {
	name syntax.Name
	flip bool
	t    *typ
	at   int32 // first leaf
}

func (t *typ) ground() bool {
	return t.form != syntax.Bundle && t.form != syntax.Vector && t.form != syntax.Property
}

func (t *typ) field(n syntax.Name) *field {
	for i := range t.fields {
		if t.fields[i].name == n {
			return &t.fields[i]
		}
	}
	return nil
}

func groundTyp(k kind, width int32) *typ {
	return &typ{form: syntax.UInt, kind: k, width: width, leaves: 1}
}

// groundOf has a type of each kind, for values whose width is taken from their node.
var groundOf = [...]*typ{groundTyp(kUInt, -1), groundTyp(kSInt, -1), groundTyp(kClock, 1), groundTyp(kReset, 1), groundTyp(kAsync, 1), groundTyp(kAnalog, -1)}

var bitTyp = groundTyp(kUInt, 1)

// noTyp is the type of expressions that carry no hardware.
var noTyp = &typ{form: syntax.Property}

// typeOf resolves a type of the file; each row is resolved once.
func (l *lowering) typeOf(id syntax.Type) *typ {
	if t := l.types[id]; t != nil {
		return t
	}

	row := &l.c.Types[id]
	t := &typ{form: row.Kind, width: row.Width, leaves: 1}

	// Ground types have one leaf; vectors and bundles count those of their parts, bounded before
	// any is made.
	switch row.Kind {
	case syntax.UInt:
	case syntax.SInt:
		t.kind = kSInt
	case syntax.Analog:
		t.kind = kAnalog
	case syntax.Clock:
		t.kind, t.width = kClock, 1
	case syntax.Reset:
		t.kind, t.width = kReset, 1
	case syntax.AsyncReset:
		t.kind, t.width = kAsync, 1
	case syntax.Vector:
		t.elem, t.n = l.typeOf(row.Elem), row.N
		if int64(t.n)*int64(t.elem.leaves) > maxLeaves {
			l.fail(row.Line, "a vector of %d elements of %d signals each; %d signals at most", t.n, t.elem.leaves, maxLeaves)
			t.n = 0
		}
		t.leaves, t.flips = t.n*t.elem.leaves, t.elem.flips
		t.names = int(t.n)*t.elem.names + int(t.leaves)*(1+len(itoa(t.n)))
	case syntax.Bundle:
		l.bundle(t, row)
	case syntax.Enum:
		l.enum(t, row)
	case syntax.Probe:
		t.form, t.elem, t.leaves = syntax.Property, l.typeOf(row.Elem), 0
	case syntax.Alias:
		t = l.alias(row)
	default:
		t = noTyp
	}

	// After the error, go on with a harmless width.
	if t.width > maxWidth {
		l.fail(row.Line, "a signal of %d bits; %d at most", t.width, maxWidth)
		t.width = 1
	}

	l.types[id] = t
	return t
}

// bundle resolves a bundle: offsets of the fields, number of leaves, bytes of their names.
func (l *lowering) bundle(t *typ, row *syntax.TypeRow) {
	t.leaves = 0
	t.fields = make([]field, row.N)
	for i := range t.fields {
		// Each field begins behind the leaves of those before it.
		f := &l.c.Fields[row.First+int32(i)]
		ft := l.typeOf(f.Type)
		t.fields[i] = field{name: f.Name, flip: f.Flip, t: ft, at: t.leaves}
		t.leaves += ft.leaves
		t.names += ft.names + int(ft.leaves)*(1+len(l.name(f.Name)))
		t.flips = t.flips || f.Flip || ft.flips
		if t.leaves > maxLeaves {
			l.fail(row.Line, "a bundle of more than %d signals", maxLeaves)
			t.fields, t.leaves = t.fields[:i], 0
			return
		}
	}
}

// enum resolves an enumeration: a tag above data as wide as the widest variant.
func (l *lowering) enum(t *typ, row *syntax.TypeRow) {
	t.fields = make([]field, row.N)
	data := int32(0)
	for i := range t.fields {
		f := &l.c.Fields[row.First+int32(i)]
		t.fields[i] = field{name: f.Name, t: groundTyp(kUInt, 0)}
		if f.Type != 0 {
			t.fields[i].t = l.typeOf(f.Type)
		}
		w := t.fields[i].t.packed()
		if w < 0 {
			l.fail(row.Line, "variant %s has no known width", l.name(f.Name))
			w = 0
		}
		data = max(data, w)
	}

	// The tag numbers the variants.
	for 1<<t.tag < len(t.fields) {
		t.tag++
	}
	t.kind, t.width = kUInt, t.tag+data
}

// packed is the sum of the leaves' widths, -1 if one is unknown or the sum exceeds
// maxWidth.
func (t *typ) packed() int32 {
	sum := int32(0)
	switch {
	case t.form == syntax.Property:
	case t.ground():
		return t.width
	case t.form == syntax.Vector:
		// The product may be large: it is checked before it is made.
		w := t.elem.packed()
		if w < 0 || int64(w)*int64(t.n) > maxWidth {
			return -1
		}
		return w * t.n
	}

	for i := range t.fields {
		w := t.fields[i].t.packed()
		if w < 0 || sum+w > maxWidth {
			return -1
		}
		sum += w
	}
	return sum
}

// alias resolves a named type. busy detects a type that contains itself.
func (l *lowering) alias(row *syntax.TypeRow) *typ {
	at, ok := l.aliases[row.Name]
	switch {
	case !ok:
		l.fail(row.Line, "there is no type %s", l.name(row.Name))
		return noTyp
	case at.busy:
		l.fail(row.Line, "type %s is made of itself", l.name(row.Name))
		return noTyp
	}
	at.busy = true
	t := l.typeOf(at.t)
	at.busy = false
	return t
}

// maxNames bounds the total bytes of all leaves' names: a deep type with many leaves is
// short in the text.
const maxNames = 1 << 28

// eachLeaf calls f for every leaf of t, with its path below prefix as a name, its ground
// type, and whether it is flipped relative to t.
func (l *lowering) eachLeaf(t *typ, prefix string, flip bool, f func(name string, t *typ, flip bool)) {
	if l.named += t.names + int(t.leaves)*len(prefix); l.named > maxNames {
		l.fail(l.c.Line, "the names of the circuit's signals take more than %d bytes", maxNames)
		panic(abort{})
	}
	l.leavesBelow(t, append(make([]byte, 0, len(prefix)+32), prefix...), flip, f)
}

// leavesBelow is eachLeaf with the path so far. Siblings share the buffer.
func (l *lowering) leavesBelow(t *typ, path []byte, flip bool, f func(name string, t *typ, flip bool)) {
	switch {
	case t.form == syntax.Property:
	case t.ground():
		f(string(path), t, flip)
	case t.form == syntax.Vector:
		path = append(path, '_')
		for i := range t.n {
			l.leavesBelow(t.elem, strconv.AppendInt(path, int64(i), 10), flip, f)
		}
	default:
		path = append(path, '_')

		// A flip within a flip points the other way again.
		for i := range t.fields {
			fd := &t.fields[i]
			l.leavesBelow(fd.t, append(path, l.name(fd.name)...), flip != fd.flip, f)
		}
	}
}
