package float

import (
	"fmt"
	"strconv"
	"strings"
)

// Codes says which numbers the codes with the greatest exponent field are.
type Codes int

// The codes of a format.
const (
	IEEE    Codes = iota // infinities and NaNs, as IEEE 754 has them
	OnlyNaN              // numbers, but for all ones, which is NaN: OCP E4M3
	Finite               // numbers: the MX formats of 6 and 4 bits
)

var codesNames = [...]string{"ieee", "only-nan", "finite"}

// String is the name that UnmarshalText reads.
func (c Codes) String() string {
	if c < 0 || int(c) >= len(codesNames) {
		return strconv.Itoa(int(c))
	}
	return codesNames[c]
}

// UnmarshalText reads ieee, only-nan or finite.
func (c *Codes) UnmarshalText(text []byte) error {
	// The names are few: the position in the list is the value.
	for i, name := range codesNames {
		if name == string(text) {
			*c = Codes(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(codesNames[:], ", "))
}

// Format is a binary floating-point format: a sign, an exponent of Exp bits and a
// fraction of Frac bits, from the top.
//
// Its text is e5m10, or one of the names fp16, bf16, fp32, fp64, tf32; fn behind the widths
// means OnlyNaN, f Finite, i IEEE. Without a letter the codes are IEEE, e4m3 among them,
// but for the widths of MX: e3m2, e2m3 and e2m1 are Finite, and e3m2i, e2m3i and e2m1i
// have infinities and NaNs. The names fp8, mxfp6 and mxfp4 are e4m3fn, e2m3 and e2m1.
// Behind that -flush and -sat may follow.
type Format struct {
	Exp, Frac int   // 2 to 11 and 1 to 52 bits
	Codes     Codes // of the greatest exponent field
	Flush     bool  // subnormal numbers are read as zero and written as zero of their sign
	Saturate  bool  // a finite number past the range becomes the greatest, not infinity or NaN; a literal too
}

// The formats that have names.
var (
	F16    = Format{Exp: 5, Frac: 10}
	BF16   = Format{Exp: 8, Frac: 7}
	TF32   = Format{Exp: 8, Frac: 10}
	F32    = Format{Exp: 8, Frac: 23}
	F64    = Format{Exp: 11, Frac: 52}
	E5M2   = Format{Exp: 5, Frac: 2}
	E4M3   = Format{Exp: 4, Frac: 3}
	E4M3FN = Format{Exp: 4, Frac: 3, Codes: OnlyNaN}
	E3M2   = Format{Exp: 3, Frac: 2, Codes: Finite}
	E2M3   = Format{Exp: 2, Frac: 3, Codes: Finite}
	E2M1   = Format{Exp: 2, Frac: 1, Codes: Finite}
)

var formatNames = map[string]Format{
	"fp16": F16, "bf16": BF16, "tf32": TF32, "fp32": F32, "fp64": F64,
	"mxfp4": E2M1, "mxfp6": E2M3, "fp8": E4M3FN,
}

// isMX tells whether the plain name of the widths means the finite codes.
func (f Format) isMX() bool {
	w := [2]int{f.Exp, f.Frac}
	return w == [2]int{3, 2} || w == [2]int{2, 3} || w == [2]int{2, 1}
}

func (f Format) Validate() error {
	switch {
	case f.Exp < 2 || f.Exp > 11:
		return fmt.Errorf("%v: %d exponent bits, want 2 to 11", f, f.Exp)
	case f.Frac < 1 || f.Frac > 52:
		return fmt.Errorf("%v: %d fraction bits, want 1 to 52", f, f.Frac)
	case f.Codes < IEEE || f.Codes > Finite:
		return fmt.Errorf("e%dm%d: the codes are %d, want %d to %d", f.Exp, f.Frac, f.Codes, IEEE, Finite)
	}
	return nil
}

// String is the format's text, e5m10 for fp16.
func (f Format) String() string {
	text := fmt.Sprintf("e%dm%d", f.Exp, f.Frac)

	// The plain name of a small MX width means its finite codes, so there it is IEEE that needs a
	// letter.
	switch mx := f.isMX(); {
	case f.Codes == OnlyNaN:
		text += "fn"
	case f.Codes == Finite && !mx:
		text += "f"
	case f.Codes == IEEE && mx:
		text += "i"
	}

	if f.Flush {
		text += "-flush"
	}
	if f.Saturate {
		text += "-sat"
	}
	return text
}

// Name is the format's text as part of a name: e5m10, e4m3fn_sat.
func (f Format) Name() string { return strings.ReplaceAll(f.String(), "-", "_") }

// MarshalText is the text of String. An invalid format is an error.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), f.Validate() }

// FormatHelp says in a line how a format is named, for the help of commands.
const FormatHelp = "eXmY with IEEE codes, as e5m10 and e4m3, or fp16, bf16, tf32, fp32, fp64; eXmYfn has a NaN and no infinity (fp8 is e4m3fn), eXmYf neither; e3m2, e2m3 (mxfp6) and e2m1 (mxfp4) have neither too, and IEEE codes as e3m2i, e2m3i, e2m1i; then -flush, -sat"

// UnmarshalText reads the format's text, as the type's comment has it.
func (f *Format) UnmarshalText(text []byte) error {
	// The first word is a name or the widths; the error lists all that may stand there, as the text
	// comes from a command line.
	words := strings.Split(strings.ToLower(string(text)), "-")
	g, named := formatNames[words[0]]
	if !named {
		var err error
		if g, err = parseWidths(words[0]); err != nil {
			return fmt.Errorf("%q is no format: want eXmY as in e5m10, or fp16, bf16, tf32, fp32, fp64; behind it fn, f, i, -flush, -sat", text)
		}
	}

	// Options in any order.
	for _, w := range words[1:] {
		switch w {
		case "flush":
			g.Flush = true
		case "sat":
			g.Saturate = true
		default:
			return fmt.Errorf("%q: -%s is neither -flush nor -sat", text, w)
		}
	}

	// f is left alone by a text that is refused.
	if err := g.Validate(); err != nil {
		return err
	}
	*f = g
	return nil
}

// parseWidths reads e4m3fn.
func parseWidths(word string) (f Format, err error) {
	// The letters behind the digits are cut off first, as they may follow any number of them.
	exp, frac, ok := strings.Cut(strings.TrimPrefix(word, "e"), "m")
	if !ok || !strings.HasPrefix(word, "e") {
		return f, strconv.ErrSyntax
	}
	codes := strings.TrimLeft(frac, "0123456789")
	if f.Exp, err = strconv.Atoi(exp); err != nil {
		return f, err
	}
	if f.Frac, err = strconv.Atoi(strings.TrimSuffix(frac, codes)); err != nil {
		return f, err
	}

	// Without letters the small formats of OCP have no infinity; other formats are IEEE's.
	switch {
	case codes == "fn":
		f.Codes = OnlyNaN
	case codes == "f", codes == "" && f.isMX():
		f.Codes = Finite
	case codes == "", codes == "i":
	default:
		return f, strconv.ErrSyntax
	}
	return f, nil
}
