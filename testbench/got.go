package testbench

import (
	"fmt"
	"reflect"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// Got returns the elements that a sink has taken, as Go values of a type that the test chooses:
//
//	type packet struct {
//		Kind kind // of an hw.Enum[kind]
//		Body int8 // of an hw.SInt of up to 8 bits
//	}
//	for _, p := range testbench.Got[packet](out) { … }
//
// Fields go by their names; fields of the stream's form that V lacks are left out.
//
//   - hw.UInt and hw.SInt become integers that hold every value of their width, so
//     no uint8 for a signed value and no int8 for 8 unsigned bits.
//   - hw.Bit, and one unsigned bit, become bool or an integer.
//   - hw.Enum[E] becomes E, or a string with the value's name.
//   - Slices and arrays become slices, or arrays of the same length.
//   - A struct around a single scalar, such as fixed.Num, becomes a struct or the type of
//     the scalar: a fixed-point number is its raw integer.
//   - Any scalar becomes a [bits.Value].
//
// A type that does not suit, or a code that no value of an enumeration has, ends the
// test. What has been taken stays, until [Sink.Expect] forgets it.
func Got[V, T any](s *Sink[T]) []V {
	s.b.t.Helper()

	// One reading is prepared for the type and then used for every element.
	form := reflect.ValueOf(&s.form).Elem()
	r := reader{&s.end, hw.Leaves(s.form)}
	read, why := r.value(form, reflect.TypeFor[V](), 0)
	if why != "" {
		s.b.t.Fatalf("Got: %s", why)
	}

	list := make([]V, len(s.got))
	for i := range list {
		if why := read(reflect.ValueOf(&list[i]).Elem(), s.got[i]); why != "" {
			s.b.t.Fatalf("Got: %s, element %d: %s", s.name, i, why)
		}
	}
	return list
}

// reading stores one element of a stream, or a part of one, in a Go value.
type reading func(to reflect.Value, from []bits.Value) (why string)

// reader plans how elements of a stream are stored in Go values. The plan is a tree of readings,
// made once for a sink by a walk over form and Go type side by side. In the walk, at counts the
// scalars in front of a part in field order, which is the order of leaves.
type reader struct {
	*end
	leaves []hw.Leaf
}

var valueType = reflect.TypeFor[bits.Value]()

// value returns the reading of a part of the form, whose first scalar is leaf at, into a Go
// value of type v.
func (r *reader) value(form reflect.Value, v reflect.Type, at int) (read reading, why string) {
	// A struct around one scalar may be read as the scalar.
	one := scalarsOf(form) == 1
	switch {
	case isScalar(form.Type()):
		return r.scalar(v, at)
	case one && (v == valueType || v.Kind() != reflect.Struct && v.Kind() != reflect.Slice && v.Kind() != reflect.Array):
		return r.scalar(v, at)
	case form.Kind() == reflect.Struct && v.Kind() == reflect.Struct:
		return r.structure(form, v, at)
	case form.Kind() != reflect.Struct && (v.Kind() == reflect.Slice || v.Kind() == reflect.Array):
		return r.vector(form, v, at)
	}
	return nil, fmt.Sprintf("a %s cannot hold a %s", v, form.Type())
}

// structure returns the reading of a bundle into a struct. Only the fields of v are read.
func (r *reader) structure(form reflect.Value, v reflect.Type, at int) (read reading, why string) {
	// Fields of the Go type look for fields of the form by name.
	fields := make([]reading, v.NumField())
	for i := range fields {
		f := v.Field(i)
		if !f.IsExported() {
			return nil, fmt.Sprintf("field %s of %s is not exported, so it cannot be set", f.Name, v)
		}
		of, ok := form.Type().FieldByName(f.Name)
		if !ok {
			return nil, fmt.Sprintf("%s has no field %s, as %s does", form.Type(), f.Name, v)
		}

		// A promoted field lies in embedded structs: each step skips the scalars in
		// front of it.
		x, first := form, at
		for _, k := range of.Index {
			for j := range k {
				first += scalarsIn(x, j)
			}
			if scalarsIn(x, k) == 0 {
				return nil, fmt.Sprintf("field %s of %s holds no signals", f.Name, form.Type())
			}
			x = x.Field(k)
		}
		if fields[i], why = r.value(x, f.Type, first); why != "" {
			return nil, why
		}
	}

	// Only the function runs for each element; all above is done once.
	return func(to reflect.Value, from []bits.Value) string {
		for i, read := range fields {
			if why := read(to.Field(i), from); why != "" {
				return why
			}
		}
		return ""
	}, ""
}

// vector returns the reading of a vector into a slice or array.
func (r *reader) vector(form reflect.Value, v reflect.Type, at int) (read reading, why string) {
	n := form.Len()
	if v.Kind() == reflect.Array && v.Len() != n {
		return nil, fmt.Sprintf("a %s cannot hold the %d elements of a %s", v, n, form.Type())
	}
	elems := make([]reading, n)

	// Elements follow each other in the list of leaves: at moves by the scalars of one.
	for i := range elems {
		if elems[i], why = r.value(form.Index(i), v.Elem(), at); why != "" {
			return nil, why
		}
		at += scalarsOf(form.Index(i))
	}

	return func(to reflect.Value, from []bits.Value) string {
		if to.Kind() == reflect.Slice {
			to.Set(reflect.MakeSlice(to.Type(), n, n))
		}
		for i, read := range elems {
			if why := read(to.Index(i), from); why != "" {
				return why
			}
		}
		return ""
	}, ""
}

// scalar returns the reading of leaf at. A Go type has to hold every value of the leaf's type:
// the width of the leaf counts, not the value.
func (r *reader) scalar(v reflect.Type, at int) (read reading, why string) {
	p := r.data[at]
	w, enum := p.sig.Width(), p.sig.Type().Kind == ir.EnumKind

	// The ranges decide: a Go type must hold every value of the width, whatever the values are.
	switch k := v.Kind(); {
	case v == valueType:
		return func(to reflect.Value, from []bits.Value) string { to.Set(reflect.ValueOf(from[at])); return "" }, ""
	case enum:
		return r.enum(v, at)
	case k == reflect.Bool && w == 1 && !p.signed:
		return func(to reflect.Value, from []bits.Value) string { to.SetBool(!from[at].IsZero()); return "" }, ""
	case reflect.Uint <= k && k <= reflect.Uintptr && !p.signed && w <= v.Bits():
		return func(to reflect.Value, from []bits.Value) string { to.SetUint(from[at].Uint64()); return "" }, ""
	case reflect.Int <= k && k <= reflect.Int64 && p.signed && w <= v.Bits():
		return func(to reflect.Value, from []bits.Value) string { to.SetInt(from[at].Int64()); return "" }, ""
	case reflect.Int <= k && k <= reflect.Int64 && !p.signed && w < v.Bits():
		return func(to reflect.Value, from []bits.Value) string { to.SetInt(int64(from[at].Uint64())); return "" }, ""
	}
	return nil, fmt.Sprintf("a %s cannot hold %s of %s, which is %s", v, field(r.paths[at]), r.name, p.kind())
}

// enum returns the reading of leaf at, of an enumeration, as its Go value or its name. The Go
// values are prepared by code.
func (r *reader) enum(v reflect.Type, at int) (read reading, why string) {
	values, sig := hw.EnumValues(r.leaves[at].Signal), r.data[at].sig
	byCode := make([]reflect.Value, len(values))

	// Values convert once; a reading is then a table look-up.
	for i, x := range values {
		byCode[i] = reflect.ValueOf(x)
		switch {
		case byCode[i].Type().AssignableTo(v):
		case v.Kind() == reflect.String:
			byCode[i] = reflect.ValueOf(fmt.Sprint(x)).Convert(v)
		default:
			return nil, fmt.Sprintf("a %s cannot hold %s of %s, which is a %T", v, field(r.paths[at]), r.name, x)
		}
	}

	return func(to reflect.Value, from []bits.Value) string {
		code := from[at].Uint64()
		if code >= uint64(len(byCode)) {
			return fmt.Sprintf("%s is %d, which is no value of %s", field(r.paths[at]), code, sig.Type().Enum.Name)
		}
		to.Set(byCode[code])
		return ""
	}, ""
}

// scalarsOf returns the number of hw's scalars in a value.
func scalarsOf(form reflect.Value) (n int) {
	switch {
	case isScalar(form.Type()):
		return 1
	case form.Kind() == reflect.Struct:
		for i := range form.NumField() {
			n += scalarsIn(form, i)
		}
	case form.Kind() == reflect.Slice || form.Kind() == reflect.Array:
		for i := range form.Len() {
			n += scalarsOf(form.Index(i))
		}
	}
	return n
}

// scalarsIn returns the number of scalars in a field; 0 if its tag says that it is no hardware.
func scalarsIn(form reflect.Value, i int) int {
	if form.Type().Field(i).Tag.Get("hw") == "-" {
		return 0
	}
	return scalarsOf(form.Field(i))
}

var (
	signalType = reflect.TypeFor[hw.Signal]()
	hwPath     = reflect.TypeFor[hw.UInt]().PkgPath()
)

// isScalar reports whether t is one of the kinds of hw; a struct that embeds one has
// its methods too, but is a bundle.
func isScalar(t reflect.Type) bool { return t.PkgPath() == hwPath && t.Implements(signalType) }
