package hw

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Limits are the tags of a parameter, that is of an exported field of a
// component:
//
//	Width int    `help:"bits of the count" range:"1..2^20"`
//	Depth int    `help:"words held" range:"2..65536, a power of two"`
//	Codes int    `help:"bits of a code, 0 for none" range:"0|3..10"`
//	Style string `help:"what it is made of" values:"logic|block"`
//
// A range is one or more of n, lo..hi and lo.., with | between; each number of a
// list must be in it. Values are the words of a text, or of a type that prints
// itself; an empty one allows the empty text. Build checks the fields of every
// component, also in structs within it, before it calls Validate; the etch command
// shows them.
type Limits struct {
	Help   string   // a phrase that describes the field
	Range  string   // as in the tag
	Values []string // words

	spans []span
	power bool // of two
}

// span is a closed range of numbers.
type span struct{ lo, hi float64 }

// powerOfTwo ends the text of a range.
const powerOfTwo = ", a power of two"

// LimitsOf reads the tags of a field; the error names the malformed one.
func LimitsOf(f reflect.StructField) (Limits, error) {
	l := Limits{Help: f.Tag.Get("help"), Range: f.Tag.Get("range")}
	if words, ok := f.Tag.Lookup("values"); ok {
		l.Values = strings.Split(words, "|")
	}

	// A range is for numbers, values are for words.
	switch {
	case l.Range != "" && l.Values != nil:
		return l, fmt.Errorf("the field %s has a range and values; want one of them", f.Name)
	case l.Range != "" && !isNumber(f.Type) && !(f.Type.Kind() == reflect.Slice && isNumber(f.Type.Elem())):
		return l, fmt.Errorf("the field %s has a range and is no number, but a %s", f.Name, f.Type)
	case l.Values != nil && !isWord(f.Type):
		return l, fmt.Errorf("the field %s has values and is no text, but a %s", f.Name, f.Type)
	case l.Range == "":
		return l, nil
	}

	// The suffix comes off first; the rest is a list of spans.
	text, power := strings.CutSuffix(l.Range, powerOfTwo)
	l.power = power
	for _, part := range strings.Split(text, "|") {
		s, ok := parseSpan(part)
		if !ok {
			return l, fmt.Errorf("the range %q of the field %s is not n, lo..hi or lo.., several with | between, perhaps with %q behind", l.Range, f.Name, powerOfTwo)
		}
		l.spans = append(l.spans, s)
	}
	return l, nil
}

func isNumber(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Float32, reflect.Float64:
		return true
	default:
		return reflect.Int <= k && k <= reflect.Uint64
	}
}

// isWord reports whether values of t are words: texts, and what is written and
// read as a text.
func isWord(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Implements(reflect.TypeFor[fmt.Stringer]()) ||
		reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// parseSpan reads n, lo..hi or lo.. .
func parseSpan(text string) (s span, ok bool) {
	lo, hi, isRange := strings.Cut(text, "..")
	s.lo, ok = parseLimit(lo)
	switch {
	case !isRange:
		s.hi = s.lo
	case hi == "":
		s.hi = math.Inf(1)
	default:
		good := false
		s.hi, good = parseLimit(hi)
		ok = ok && good
	}
	return s, ok && s.lo <= s.hi
}

// parseLimit reads a number; 2^n is a power of two. Numbers from 2^53 on are not
// exact and refused.
func parseLimit(text string) (float64, bool) {
	if n, ok := strings.CutPrefix(text, "2^"); ok {
		e, err := strconv.Atoi(n)
		return math.Ldexp(1, e), err == nil && 0 <= e && e < 53
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && math.Abs(x) < 1<<53
}

// String lists the allowed values: "1 to 64", "logic or block"; "" if any value is allowed.
func (l Limits) String() string {
	var parts []string
	for _, s := range l.spans {
		switch {
		case s.lo == s.hi:
			parts = append(parts, number(s.lo))
		case math.IsInf(s.hi, 1):
			parts = append(parts, "at least "+number(s.lo))
		default:
			parts = append(parts, number(s.lo)+" to "+number(s.hi))
		}
	}

	// The empty word among the values prints as "nothing".
	for _, w := range l.Values {
		if w != "" {
			parts = append(parts, w)
		}
	}
	if len(parts) < len(l.Values) {
		parts = append(parts, "nothing")
	}

	if last := len(parts) - 1; last > 0 {
		parts = []string{strings.Join(parts[:last], ", ") + " or " + parts[last]}
	}

	text := strings.Join(parts, "")
	if l.power {
		text += powerOfTwo
	}
	return text
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Check returns an error if value v is not allowed; name stands for the field in it. The
// elements of a slice are checked one by one.
func (l Limits) Check(name string, v reflect.Value) error {
	switch {
	case l.spans != nil && v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if err := l.Check(name+"["+itoa(i)+"]", v.Index(i)); err != nil {
				return err
			}
		}
	case l.spans != nil && !l.holdsNumber(asFloat(v)):
		return fmt.Errorf("%s = %v, want %v", name, v, l)
	case l.Values != nil && !l.holdsWord(wordOf(v)):
		return fmt.Errorf("%s = %q, want %v", name, wordOf(v), l)
	}
	return nil
}

func (l Limits) holdsNumber(x float64) bool {
	for _, s := range l.spans {
		if s.lo <= x && x <= s.hi { // not NaN
			// The fraction of a power of two is one half.
			frac, _ := math.Frexp(x)
			return !l.power || frac == 0.5
		}
	}
	return false
}

func (l Limits) holdsWord(word string) bool {
	for _, w := range l.Values {
		if w == word {
			return true
		}
	}
	return false
}

func asFloat(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// wordOf is the text of a value. If its String method panics, as one that indexes a table
// does on a wrong value, the text is its number.
func wordOf(v reflect.Value) string {
	text := fmt.Sprint(v)

	if strings.HasPrefix(text, "%!v(PANIC=") && isNumber(v.Type()) {
		text = number(asFloat(v))
	}
	return text
}

// limited is a field with limits in a component.
type limited struct {
	at   []int // for reflect.Value.FieldByIndex
	name string
	Limits
	err error // of its tags
}

var limits sync.Map // reflect.Type → []limited; a cache of facts about types

// limitsIn lists the fields of a type that have limits.
func limitsIn(t reflect.Type) []limited {
	if known, ok := limits.Load(t); ok {
		return known.([]limited)
	}
	found := addLimits(nil, t, nil, "")
	limits.Store(t, found)
	return found
}

// addLimits appends the exported fields with limits, and descends into structs that are
// parameters themselves. Shapes are not descended into.
func addLimits(found []limited, t reflect.Type, at []int, prefix string) []limited {
	if t.Kind() != reflect.Struct || leafOf(t) != notLeaf {
		return found
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}

		// A full slice expression: fields at one level must not share the array.
		here, name := append(at[:len(at):len(at)], i), prefix+f.Name
		l, err := LimitsOf(f)
		if err != nil || l.spans != nil || l.Values != nil {
			found = append(found, limited{here, name, l, err})
		}

		// An embedded struct adds nothing to the path.
		if f.Anonymous {
			name = strings.TrimSuffix(prefix, ".")
		}
		found = addLimits(found, f.Type, here, strings.TrimPrefix(name+".", "."))
	}
	return found
}

// outOfLimits lists an error for each parameter outside of its limits.
func outOfLimits(c any) (errs []error) {
	v := reflect.ValueOf(c)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}

	for _, f := range limitsIn(v.Type()) {
		if f.err != nil {
			errs = append(errs, f.err)
		} else if err := f.Check(f.name, v.FieldByIndex(f.at)); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
