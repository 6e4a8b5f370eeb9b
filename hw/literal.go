package hw

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// fit is the value of a literal in width bits; the error says why it does not
// fit.
func fit(x *proto, width int, enum *enumInfo) (bits.Value, error) {
	if x.enumVal != nil {
		return fitEnum(x, width, enum)
	}
	if x.width > 0 {
		if x.width != width {
			return bits.Value{}, fmt.Errorf("the literal %s has %s, want %d", litText(x), plural(x.width, "bit"), width)
		}
		return x.num, nil
	}
	need := x.num.Len()
	kind := "unsigned"
	if x.typ.Kind == ir.SInt {
		kind = "signed"
		if need++; x.neg {
			need = x.num.Not().Len() + 1
		}
	} else if x.neg {
		return bits.Value{}, fmt.Errorf("%s is negative and the value is unsigned", litText(x))
	}
	if need > width {
		return bits.Value{}, fmt.Errorf("%s does not fit %s of %s", litText(x), kind, plural(width, "bit"))
	}
	if x.num.Width() < width {
		if x.neg {
			return x.num.SExt(width), nil
		}
		return x.num.ZExt(width), nil
	}
	return x.num.Trunc(width), nil
}

func fitEnum(x *proto, width int, enum *enumInfo) (bits.Value, error) {
	if enum == nil {
		return bits.Value{}, fmt.Errorf("%v meets no enumeration", x.enumVal)
	}
	code, ok := enum.code(x.enumVal)
	if !ok {
		return bits.Value{}, fmt.Errorf("%v is not one of %s", x.enumVal, strings.Join(enum.ir.Names, ", "))
	}
	return bits.New(width, code), nil
}

// litText is a literal as its designer wrote it.
func litText(x *proto) string {
	switch {
	case x.enumVal != nil:
		return fmt.Sprint(x.enumVal)
	case x.neg:
		return x.num.SignedBig().String()
	}
	return x.num.Dec()
}

// enumOf makes the description of an enumeration.
func enumOf[E comparable](values []E) *enumInfo {
	info := &enumInfo{ir: &ir.Enum{Name: typeName[E]()}}
	for i, v := range values {
		info.values = append(info.values, v)
		info.ir.Names = append(info.ir.Names, fmt.Sprint(v))
		info.ir.Codes = append(info.ir.Codes, uint64(i))
	}
	return info
}

// enumKey tells enumerations apart.
func enumKey(e *ir.Enum) string { return e.Name + "\x00" + strings.Join(e.Names, "\x00") }

// intern returns the design's one copy of an enumeration, so that types can be
// compared by pointer.
func (d *design) intern(info *enumInfo) *enumInfo {
	key := enumKey(info.ir)
	if e := d.enums[key]; e != nil {
		return e
	}
	d.enums[key] = info
	d.enumOf[info.ir] = info
	return info
}

// constant returns a Const node of b, shared between equal uses.
func (b *body) constant(v bits.Value, t ir.TypeID) ir.ID {
	if v.Width() > 64 {
		id := b.m.Const(v, 0)
		b.m.Node(id).Type = t
		return id
	}
	key := constKey{v.Width(), v.Uint64(), t}
	id, ok := b.consts[key]
	if !ok {
		id = b.m.Const(v, 0)
		b.m.Node(id).Type = t
		b.consts[key] = id
	}
	return id
}

type constKey struct {
	width int
	v     uint64
	t     ir.TypeID
}
