package cli

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"etch/hw"
	"etch/hw/axi"
	"etch/ir"
)

// Design is a named design with parameters.
type Design struct {
	Name   string
	Doc    string
	Params []Param
	// Build elaborates the design with the given parameters; those not given have
	// their defaults.
	Build func(given Values) (*ir.Design, error)
	// Report, if there is one, adds the design's own part to etch report: text to
	// w, and a value for -json. dir is where it may write files, "" for nowhere.
	Report func(given Values, w io.Writer, dir string) (any, error)
	// Measures, if there is one, gives numbers of the design's own for etch explore
	// -measure cycles: latencies, cycles of a batch. It is called with valid parameters.
	Measures func(given Values) (map[string]float64, error)
	// Explore, if there is one, is etch explore of this design without -sweep: it finds a
	// configuration for a purpose, with flags of its own.
	Explore func(app *App, args []string, out Output) error
	// ExploreHelp is the text of help explore of this design before the flags of Explore: usage,
	// line and examples of a command of the design's name. Without it help is that of the verb.
	ExploreHelp Command
	// Registers, if there is one, gives the registers of the design's host port, which
	// etch export writes as a table and as a header for C.
	Registers func(given Values) (axi.Map, error)
}

// built is Build with a line of progress on err.
func (d Design) built(given Values, err io.Writer) (*ir.Design, error) {
	defer progress(err, "builds "+d.Name)()
	return d.Build(given)
}

// Param is a parameter of a design. Range and Values are those of [hw.Limits]; Form is the tag form
// of its field.
type Param struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Default string   `json:"default"`
	Doc     string   `json:"doc,omitempty"`
	Range   string   `json:"range,omitempty"`
	Values  []string `json:"values,omitempty"`
	Form    string   `json:"form,omitempty"` // of a text that is free: the field's tag form, as in "a file, or nothing"

	limits hw.Limits
	kind   reflect.Type
}

// Values are parameters as given with -p.
type Values map[string]string

// Component is a design whose parameters are the fields of c, with c's values as
// defaults. Fields of other kinds than booleans, numbers, strings, slices of
// numbers and structs of these are fixed. The fields of a struct have its name in
// front, pe.data, unless it is embedded.
func Component[P any](name, doc string, c hw.Component[P]) Design {
	d := Design{Name: name, Doc: doc, Params: ParamsOf(c)}

	// A value of c's type is made for each build: the given text goes into its fields.
	d.Build = func(given Values) (*ir.Design, error) {
		made, err := WithValues(c, given)
		if err != nil {
			return nil, err
		}
		net, _, err := hw.Build(made)
		return net, Parameters(err, given)
	}

	// Measures and registers, if the component has them.
	d.Measures = measuresOf(c)
	if _, is := any(c).(axi.Registered); is {
		d.Registers = func(given Values) (axi.Map, error) {
			made, err := WithValues(c, given)
			if err != nil {
				return nil, err
			}
			return any(made).(axi.Registered).Registers(), nil
		}
	}
	return d
}

// WithValues is c with the given parameters. Errors name the parameter, the value
// and its allowed values, and the nearest known name for an unknown one.
func WithValues[P any](c hw.Component[P], given Values) (hw.Component[P], error) {
	v := reflect.New(reflect.TypeOf(c)).Elem()
	v.Set(reflect.ValueOf(c))
	if err := fill(v, given); err != nil {
		return nil, err
	}
	return v.Interface().(hw.Component[P]), nil
}

// ParamsOf lists the parameters of a component, or of any struct: its fields with
// their values as defaults, and the contents of their tags.
func ParamsOf(c any) []Param {
	var params []Param
	fields("", reflect.ValueOf(c), func(path string, f reflect.StructField, v reflect.Value) {
		l, _ := hw.LimitsOf(f) // Build reports a bad tag
		params = append(params, Param{
			Name: path, Type: v.Type().String(), Default: show(v), Doc: l.Help, Range: l.Range, Values: l.Values,
			Form: f.Tag.Get("form"), limits: l, kind: v.Type(),
		})
	})
	return params
}

// Fill sets the fields of the struct that c points to, as WithValues does those of
// a component.
func Fill(c any, given Values) error { return fill(reflect.ValueOf(c).Elem(), given) }

func fill(v reflect.Value, given Values) error {
	known := []string{}

	// Set all fields that are given. A mistake in a value is reported before a name that no field
	// has.
	var err error
	fields("", v, func(path string, f reflect.StructField, x reflect.Value) {
		known = append(known, path)
		if text, ok := given[path]; ok && err == nil {
			err = setParam(path, text, f, x)
		}
	})
	if err == nil {
		err = unknown(given, known)
	}
	return err
}

// setParam gives a field the value that a text stands for. The allowed values are
// checked before and after: a text of a list need not be parsed to be refused, a
// number must be.
func setParam(path, text string, f reflect.StructField, x reflect.Value) error {
	l, err := hw.LimitsOf(f)
	if err != nil {
		return fmt.Errorf("parameter %s: %v", path, err)
	}
	about := func(msg string) error {
		if l.Help != "" {
			msg += ": " + l.Help
		}
		return usagef("parameter %s", msg)
	}

	// The words first, then the type, then the range: the first mistake is reported, with the
	// help text.
	if l.Values != nil && !slices.Contains(l.Values, text) {
		return about(fmt.Sprintf("%s = %q, want %v%s", path, text, l, nearest(text, l.Values)))
	}
	if err := parse(x, text); err != nil {
		if want := l.String(); want != "" {
			return about(fmt.Sprintf("%s: %v; want %s", path, err, want))
		}
		return about(fmt.Sprintf("%s: %v", path, err))
	}
	if err := l.Check(path, x); err != nil {
		return about(err.Error())
	}
	return nil
}

// unknown reports a given parameter that does not exist.
func unknown(given Values, known []string) error {
	for _, name := range sorted(given) {
		if !slices.Contains(known, name) {
			return usagef("no parameter %s%s", name, suggestion(name, known))
		}
	}
	return nil
}

// fields visits the parameters of a struct value.
func fields(prefix string, v reflect.Value, f func(path string, f reflect.StructField, v reflect.Value)) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		t := v.Type().Field(i)
		if !t.IsExported() {
			continue
		}
		path := prefix + snake(t.Name)

		// A nested struct puts its name in front of its fields', an embedded one does not.
		switch x := v.Field(i); {
		case settable(x.Type()):
			f(path, t, x)
		case x.Kind() == reflect.Struct && t.Anonymous:
			fields(prefix, x, f)
		case x.Kind() == reflect.Struct && !isSignal(x.Type()):
			fields(path+".", x, f)
		}
	}
}

var signalType = reflect.TypeFor[hw.Signal]()

func isSignal(t reflect.Type) bool { return t.Implements(signalType) }

func settable(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return true
	}

	// A slice of slices has no text between commas; one of texts would break at commas in them.
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Slice && t.Elem().Kind() != reflect.String && settable(t.Elem())
	}
	return false
}

func show(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v)
	}

	// Weights of a network are slices of thousands.
	var parts []string
	for i := range min(v.Len(), 8) {
		parts = append(parts, fmt.Sprint(v.Index(i)))
	}
	if v.Len() > 8 {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ",")
}

// parse sets a field from text.
func parse(v reflect.Value, text string) error {
	bad := func(want string) error { return fmt.Errorf("%q is not %s", text, want) }
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}

	// By kind; the elements of a slice stand between commas.
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return bad("true or false")
		}
		v.SetBool(b)
	case reflect.Slice:
		v.Set(reflect.Zero(v.Type()))
		for _, part := range strings.Split(text, ",") {
			e := reflect.New(v.Type().Elem()).Elem()
			if err := parse(e, strings.TrimSpace(part)); err != nil {
				return err
			}
			v.Set(reflect.Append(v, e))
		}
	default:
		// Numbers, of which NaN compares with nothing and is refused. Integers may be 0x10 or 1_000.
		if v.CanFloat() {
			x, err := strconv.ParseFloat(text, v.Type().Bits())
			if err != nil || x != x {
				return bad("a number")
			}
			v.SetFloat(x)
			return nil
		}
		if v.CanInt() {
			n, err := strconv.ParseInt(text, 0, v.Type().Bits())
			if err != nil {
				return bad("an integer of " + v.Type().String())
			}
			v.SetInt(n)
			return nil
		}
		n, err := strconv.ParseUint(text, 0, v.Type().Bits())
		if err != nil {
			return bad("an integer of " + v.Type().String())
		}
		v.SetUint(n)
	}
	return nil
}

// snake turns a Go name into a parameter name: ClocksPerBit is clocks_per_bit.
func snake(s string) string {
	rs := []rune(s)
	var b strings.Builder

	// A run of capitals is one word, and its last letter begins the next: DSPBlocks is dsp_blocks.
	for i, r := range rs {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// CheckNames reports a given parameter that is not among params.
func CheckNames(given Values, params []Param) error {
	var known []string
	for _, p := range params {
		known = append(known, p.Name)
	}
	return unknown(given, known)
}

// Parameters puts the parameters of the command line in front of hw.Build's error, and leaves out
// the line of Go that called Build. Without parameters, and for a mistake in a component's body,
// err stays as it is.
func Parameters(err error, given Values) error {
	var mistakes hw.Errors
	if !errors.As(err, &mistakes) || len(given) == 0 {
		return err
	}

	// A mistake in a body would stay with any parameters: it is left as it is.
	var said []string
	for _, d := range mistakes {
		if d.Code != "param" && !strings.HasPrefix(d.Msg, "Ports of ") {
			return err
		}
		said = append(said, d.Msg)
	}
	return fmt.Errorf("with %s: %s", given, strings.Join(said, "; "))
}

// String is the parameters as flags, in order of their names; long values are cut.
func (v Values) String() string {
	var parts []string
	for _, name := range sorted(v) {
		value := []rune(v[name])
		if len(value) > 24 {
			value = append(value[:23], '…')
		}
		parts = append(parts, "-p "+name+"="+string(value))
	}
	return strings.Join(parts, " ")
}
