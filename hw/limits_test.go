package hw_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"etch/hw"
)

// level is a text that prints itself.
type level int

func (l level) String() string { return [...]string{"low", "high"}[l] }

// knobs has parameters of every sort with limits.
type knobs struct {
	Width  int       `help:"bits" range:"1..64"`
	Depth  uint16    `range:"2..2^12, a power of two"`
	Codes  int8      `range:"0|3..10"`
	From   int       `range:"-5.."`
	Gain   float64   `range:"0..1"`
	Words  []uint32  `range:"0..255"`
	Style  string    `values:"|logic|block"`
	Level  level     `values:"low|high"`
	Inner  innerKnob // with a name in front
	Common           // without
	Free   int
}

type innerKnob struct {
	Taps int `range:"1..8"`
}

// Common is embedded.
type Common struct {
	Lanes int `range:"1|2|4"`
}

func goodKnobs() knobs {
	return knobs{Width: 8, Depth: 4, Codes: 3, Inner: innerKnob{1}, Common: Common{2}}
}

func (knobs) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))}
}

func (knobs) Build(m *hw.Module, p thruPorts) { p.Out.Set(p.In) }

// Values at the ends of a range are allowed, those beside it are not.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		set  func(k *knobs)
		want string // "" for allowed
	}{
		{func(k *knobs) {}, ""},
		{func(k *knobs) { k.Width = 1 }, ""},
		{func(k *knobs) { k.Width = 64 }, ""},
		{func(k *knobs) { k.Width = 0 }, "Width = 0, want 1 to 64"},
		{func(k *knobs) { k.Width = 65 }, "Width = 65, want 1 to 64"},
		{func(k *knobs) { k.Depth = 4096 }, ""},
		{func(k *knobs) { k.Depth = 1 }, "Depth = 1, want 2 to 4096, a power of two"},
		{func(k *knobs) { k.Depth = 12 }, "Depth = 12, want 2 to 4096, a power of two"},
		{func(k *knobs) { k.Depth = 8192 }, "Depth = 8192, want 2 to 4096, a power of two"},
		{func(k *knobs) { k.Codes = 0 }, ""},
		{func(k *knobs) { k.Codes = 10 }, ""},
		{func(k *knobs) { k.Codes = 2 }, "Codes = 2, want 0 or 3 to 10"},
		{func(k *knobs) { k.Codes = -1 }, "Codes = -1, want 0 or 3 to 10"},
		{func(k *knobs) { k.From = math.MaxInt }, ""},
		{func(k *knobs) { k.From = -6 }, "From = -6, want at least -5"},
		{func(k *knobs) { k.Gain = 1 }, ""},
		{func(k *knobs) { k.Gain = 1.5 }, "Gain = 1.5, want 0 to 1"},
		{func(k *knobs) { k.Gain = math.NaN() }, "Gain = NaN, want 0 to 1"},
		{func(k *knobs) { k.Words = []uint32{255, 0} }, ""},
		{func(k *knobs) { k.Words = []uint32{255, 256} }, "Words[1] = 256, want 0 to 255"},
		{func(k *knobs) { k.Style = "block" }, ""},
		{func(k *knobs) { k.Style = "bram" }, `Style = "bram", want logic, block or nothing`},
		{func(k *knobs) { k.Level = 1 }, ""},
		{func(k *knobs) { k.Level = 2 }, `Level = "2", want low or high`},
		{func(k *knobs) { k.Inner.Taps = 9 }, "Inner.Taps = 9, want 1 to 8"},
		{func(k *knobs) { k.Lanes = 4 }, ""},
		{func(k *knobs) { k.Lanes = 3 }, "Lanes = 3, want 1, 2 or 4"},
		{func(k *knobs) { k.Free = math.MinInt }, ""},
	} {
		k := goodKnobs()
		c.set(&k)
		err := build(k)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", k, err)
		case c.want == "":
		case err == nil:
			t.Errorf("%+v builds, want %s", k, c.want)
		default:
			d := errorsOf(t, err)
			if len(d) != 1 || d[0].Msg != "knobs: "+c.want || d[0].Code != "param" || !strings.HasSuffix(d[0].Pos.File, "_test.go") {
				t.Errorf("%+v: %v, want %s", k, err, c.want)
			}
		}
	}
}

// A pointer to a component has limits too.
func TestLimitsOfPointers(t *testing.T) {
	k := goodKnobs()
	k.Width = 0
	if err := build(&k); err == nil || !strings.Contains(err.Error(), "Width = 0, want 1 to 64") {
		t.Errorf("got %v", err)
	}
}

// Tags that cannot be read are mistakes of the component.
func TestBadTags(t *testing.T) {
	for want, c := range map[string]any{
		`the range "1-64" of the field X is not n, lo..hi or lo..`: struct {
			X int `range:"1-64"`
		}{},
		`the range "64..1" of the field X is not`: struct {
			X int `range:"64..1"`
		}{},
		`the range "1..2^53" of the field X is not`: struct {
			X int `range:"1..2^53"`
		}{},
		`the range "|" of the field X is not`: struct {
			X int `range:"|"`
		}{},
		"the field X has a range and is no number, but a string": struct {
			X string `range:"1..2"`
		}{},
		"the field X has values and is no text, but a int": struct {
			X int `values:"a|b"`
		}{},
		"the field X has a range and values": struct {
			X int `range:"1" values:"a"`
		}{},
	} {
		_, err := hw.LimitsOf(reflect.TypeOf(c).Field(0))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := build(badTag{}); err == nil || !strings.Contains(err.Error(), `badTag: the range "1 to 4" of the field X`) {
		t.Errorf("got %v", err)
	}
}

type badTag struct {
	X int `range:"1 to 4"`
}

func (badTag) Ports() thruPorts                { return goodKnobs().Ports() }
func (badTag) Build(m *hw.Module, p thruPorts) { p.Out.Set(p.In) }
