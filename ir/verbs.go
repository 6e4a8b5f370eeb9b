package ir

import "etch/ir/bits"

// VerbsOf lists the verbs of a format that take an argument, in order; ok is false if a
// verb does not exist. [Stmt] defines them.
func VerbsOf(format string) (verbs []byte, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		// A % at the end has no verb.
		if i++; i == len(format) {
			return nil, false
		}
		switch format[i] {
		case 'd', 'x', 'b', 'c', 's':
			verbs = append(verbs, format[i])
		case '%':
		default:
			return nil, false
		}
	}
	return verbs, true
}

// Verbs counts the verbs of a format that take an argument; -1 if a verb does not exist.
func Verbs(format string) int {
	verbs, ok := VerbsOf(format)
	if !ok {
		return -1
	}
	return len(verbs)
}

// TextOf is the text of %s for a value of type t: the decimal of a floating-point number,
// or the name of an enumeration's code. It is "?" if the code has no name or t is neither.
func (t Type) TextOf(v bits.Value) string {
	if t.Kind == Float && v.Width() == 1+t.Exp+t.Frac {
		return t.floatText(v)
	}
	if t.Kind == EnumKind && t.Enum != nil && v.IsUint64() { // no code has more bits
		if name := t.Enum.NameOf(v.Uint64()); name != "" {
			return name
		}
	}
	return "?"
}
