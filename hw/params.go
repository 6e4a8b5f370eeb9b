package hw

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"etch/ir"
)

// params prints parameters in two forms: exactly, to tell components apart, and as the
// words of a module name.
type params struct {
	id    strings.Builder
	words []string
	lists int
	vague bool // the words do not tell everything
}

// of prints a component; ok is false if its parameters cannot be printed.
func (p *params) of(c any) (ok bool) {
	v := reflect.New(reflect.TypeOf(c)).Elem()
	v.Set(reflect.ValueOf(c))
	p.typ(v.Type())
	return p.print(v)
}

func (p *params) typ(t reflect.Type) {
	p.id.WriteString(t.PkgPath())
	p.id.WriteByte('.')
	p.id.WriteString(or(t.Name(), t.String()))
}

// add prints a value; text is how the name says it.
func (p *params) add(id, text string) bool {
	p.id.WriteString(id)
	p.id.WriteByte(' ')
	p.vague = p.vague || !isName("_"+text)
	p.words = append(p.words, text)
	return true
}

// print prints v, which is addressable. Each case writes an exact text to id and a word to
// the name.
func (p *params) print(v reflect.Value) (ok bool) {
	at := unsafe.Pointer(v.UnsafeAddr())
	v = reflect.NewAt(v.Type(), at).Elem() // unexported fields count too
	if k := leafOf(v.Type()); k != notLeaf {
		return p.shape(k, *(*sig)(at))
	}

	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		text := fmt.Sprint(v)
		return p.add(text, text)
	case reflect.Float32, reflect.Float64:
		text := fmt.Sprint(v)
		return p.add(text, strings.Replace(text, ".", "p", 1))
	case reflect.String:
		text := v.String()

		// An empty text is no word, and upper case is lost in a name: only a hash tells such texts
		// apart.
		p.vague = p.vague || text == "" || strings.ToLower(text) != text
		return p.add(fmt.Sprintf("%q", text), strings.ToLower(text))
	case reflect.Struct:
		p.id.WriteByte('{')
		for i := range v.NumField() {
			if !p.print(v.Field(i)) {
				return false
			}
		}
		p.id.WriteByte('}')
		return true
	case reflect.Slice, reflect.Array:
		return p.list(v)
	}
	return p.dynamic(v)
}

// list prints a slice or array. A name can show one slice. With a second one, or lists
// within it, its end is not visible and the name is vague.
func (p *params) list(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		p.lists++
		p.vague = p.vague || p.lists > 1
	}

	p.id.WriteByte('[')
	for i := range v.Len() {
		if !p.print(v.Index(i)) {
			return false
		}
	}
	p.id.WriteByte(']')
	return true
}

// dynamic prints an interface by its content, and nil as such. Other pointers, functions,
// maps and channels cannot be printed.
func (p *params) dynamic(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan:
		if v.IsNil() {
			return p.add("nil", "nil")
		}
	}

	if v.Kind() != reflect.Interface {
		return false
	}

	// The content must be addressable for print.
	held := reflect.New(v.Elem().Type()).Elem()
	held.Set(v.Elem())

	// The type tells equal contents of different types apart.
	p.typ(held.Type())
	p.add("", snake(shortType(held.Type())))
	return p.print(held)
}

// shape prints a scalar among the parameters, which must be a shape.
func (p *params) shape(k leafKind, s sig) bool {
	x := shapeFrom(k, s)
	switch {
	case !s.isSet() && x == nil:
		return p.add("unset", "unset")
	case s.isSet() && !s.is(shape):
		return false
	}

	// A letter for the kind and the width, then the marks that the width does not show.
	// Marks that the name leaves out make it vague.
	text := fmt.Sprintf("%c%d", "?buscrep"[k], x.width)
	id := text
	if x.typ.Kind == ir.Fixed {
		text += "q" + itoa(x.typ.Frac)
		id = text
	}
	if x.typ.Kind == ir.Float {
		text += "e" + itoa(x.typ.Exp) + x.typ.Top.String()
		id = text
	}

	if x.enum != nil {
		id += fmt.Sprintf("%v%q", x.enum.typ, x.enum.ir.Names)
		p.vague = true
	}

	if x.typ.Kind == ir.AsyncReset {
		text, id = text+"a", id+"a"
	}

	if x.flip {
		id += "flip"
		p.vague = true
	}

	if x.directed {
		id += x.dir.String()
		if x.pull != ir.PullNone {
			id += x.pull.String()
		}
		p.vague = true
	}

	return p.add(id, text)
}
