package hw

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"

	"etch/ir"
)

// module returns the module of a component, built once per parameter value. A
// component whose parameters cannot be compared gets a module per instance,
// named after its place.
func (d *design) module(c any, async bool, place string, build func(name string) *body) *body {
	type variant struct {
		c     any
		async bool
	}
	t := reflect.TypeOf(c)
	fast := t.Comparable() && (t.Kind() == reflect.Pointer || reflect.ValueOf(c).Comparable())
	if fast {
		if b := d.byValue[variant{c, async}]; b != nil {
			return b
		}
	}
	key, ok := paramKey(c)
	if async {
		key += "async"
	}
	b := d.byKey[key]
	switch {
	case !ok && !fast:
		return build(snake(place))
	case !ok || b == nil:
		b = build(moduleName(c, key, place))
		if ok {
			d.byKey[key] = b
		}
	}
	if fast {
		d.byValue[variant{c, async}] = b
	}
	return b
}

// freshName returns name, or name with the component's package in front where
// another component has it already.
func (d *design) freshName(name string, c any) string {
	t := reflect.TypeOf(c)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	for try := name; ; try = snake(pkg) + "_" + try {
		if _, taken := d.names[try]; !taken {
			d.names[try] = t
			return try
		}
	}
}

func topName(c any) string {
	if n, ok := c.(Namer); ok {
		return n.ModuleName()
	}
	return snake(baseName(c))
}

func baseName(c any) string {
	t := reflect.TypeOf(c)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	base, _, _ := strings.Cut(t.Name(), "[")
	return or(base, "component")
}

// moduleName is derived from the type and the parameters only, so that adding a
// use elsewhere renames nothing: counter_8, or fifo_1f3a9c for long parameters.
func moduleName(c any, key, place string) string {
	if n, ok := c.(Namer); ok {
		return n.ModuleName()
	}
	_, params, _ := strings.Cut(key, "{")
	words := strings.FieldsFunc(params, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	name, suffix := snake(baseName(c)), strings.Join(words, "_")
	switch {
	case suffix == "":
		return name
	case len(suffix) > 20 || strings.Contains(params, "-"):
		h := fnv.New32a()
		h.Write([]byte(key))
		suffix = fmt.Sprintf("%06x", h.Sum32()&0xffffff)
	}
	return name + "_" + suffix
}

// paramKey prints parameters canonically; ok is false where they cannot be.
func paramKey(c any) (key string, ok bool) {
	var w strings.Builder
	v := reflect.ValueOf(c)
	if v.Kind() == reflect.Pointer {
		return "", false
	}
	ok = printParam(&w, v)
	return w.String(), ok
}

func printParam(w *strings.Builder, v reflect.Value) bool {
	if v.Kind() == reflect.Struct && leafOf(v.Type()) != notLeaf {
		return printShape(w, v)
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		fmt.Fprint(w, v)
	case reflect.String:
		fmt.Fprintf(w, "%q", v.String())
	case reflect.Struct:
		w.WriteString(v.Type().String() + "{")
		for i := range v.NumField() {
			if !printParam(w, v.Field(i)) {
				return false
			}
			w.WriteByte(' ')
		}
		w.WriteByte('}')
	case reflect.Slice, reflect.Array:
		w.WriteByte('{')
		for i := range v.Len() {
			if !printParam(w, v.Index(i)) {
				return false
			}
			w.WriteByte(' ')
		}
		w.WriteByte('}')
	case reflect.Interface:
		return !v.IsNil() && printParam(w, v.Elem())
	default:
		return false
	}
	return true
}

// printShape prints a scalar among the parameters, which must be a shape.
func printShape(w *strings.Builder, v reflect.Value) bool {
	x := reflect.New(v.Type()).Elem()
	x.Set(v)
	k := leafOf(v.Type())
	p := protoOf(k, x.Interface().(Signal).handle())
	if p == nil || p.is != shape {
		return false
	}
	fmt.Fprintf(w, "%c%d", "?buscre"[k], p.width)
	if p.typ.Kind == ir.Fixed {
		fmt.Fprintf(w, "q%d", p.typ.Frac)
	}
	if p.enum != nil {
		fmt.Fprintf(w, "%s(%s)", p.enum.ir.Name, strings.Join(p.enum.ir.Names, ","))
	}
	return true
}
