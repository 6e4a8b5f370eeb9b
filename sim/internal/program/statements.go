package program

import (
	"strconv"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// Statement is an ir.Stmt in an instance.
type Statement struct {
	Src      *ir.Stmt
	Inst     int32
	Clock    int32
	En, Cond uint32
	Cover    int32 // index in covered
	Args     []Argument
}

// Argument is a value that a print statement prints.
type Argument struct {
	Slot  uint32
	Width int
	typ   ir.Type
}

func (c *compiler) statement(inst int32, m *ir.Module, st *ir.Stmt) {
	s := Statement{Src: st, Inst: inst, En: c.slotOr(inst, st.En, oneSlot), Cond: c.slotOr(inst, st.Cond, oneSlot)}
	s.Clock = c.clockOf(inst, st.Clk, st.Pos, func() string { return Saying(st.Kind, c.p.Path(inst), st.Name) })
	for _, a := range st.Args {
		s.Args = append(s.Args, Argument{c.p.SlotOf(Ref{inst, a}), m.Width(a), m.TypeOf(m.Node(a).Type)})
	}
	if st.Kind == ir.Cover {
		s.Cover = int32(c.p.Covers)
		c.p.Covers++
	}
	c.p.Stmts = append(c.p.Stmts, s)
}

// Saying names a statement: "assert u.below_20", or "assert in u" if it has no name.
func Saying(kind ir.StmtKind, instance, name string) string {
	switch {
	case name != "":
		return kind.String() + " " + Join(instance, name)
	case instance != "":
		return kind.String() + " in " + instance
	}
	return kind.String()
}

// Format appends the statement's text, with the words of its arguments filled in.
func (st *Statement) Format(to []byte, words []uint64) []byte {
	text, args := st.Src.Format, st.Args
	for {
		// Text up to the next verb.
		i := strings.IndexByte(text, '%')
		if i < 0 || i+1 == len(text) {
			return append(to, text...)
		}
		to = append(to, text[:i]...)
		verb := text[i+1]
		if text = text[i+2:]; verb == '%' {
			to = append(to, '%')
			continue
		}

		// Each verb takes the next argument, with its words.
		a, n := args[0], bits.WordCount(args[0].Width)
		v := bits.FromWords(a.Width, words[:n])
		if verb == 's' {
			to = append(to, a.typ.TextOf(v)...)
		} else {
			to = appendValue(to, verb, v, a.typ.Kind.Signed())
		}
		args, words = args[1:], words[n:]
	}
}

// appendValue appends v in the format of verb d, x, b or c.
func appendValue(to []byte, verb byte, v bits.Value, signed bool) []byte {
	narrow := v.Width() <= 64
	switch verb {
	case 'd':
		switch {
		case !narrow && signed:
			return v.SignedBig().Append(to, 10)
		case !narrow:
			return v.Big().Append(to, 10)
		case signed && v.Width() > 0:
			// Extend the sign by shifting up and down.
			shift := 64 - v.Width()
			return strconv.AppendInt(to, int64(v.Uint64()<<shift)>>shift, 10)
		}
		return strconv.AppendUint(to, v.Uint64(), 10)
	// Hexadecimal digits fill the width.
	case 'x':
		for n := max(1, (v.Len()+3)/4); n < (v.Width()+3)/4; n++ {
			to = append(to, '0')
		}
		return v.AppendHex(to)
	case 'b':
		if narrow {
			for i := v.Width() - 1; i >= 0; i-- {
				to = append(to, '0'+byte(v.Uint64()>>i&1))
			}
			return to
		}
		return append(to, v.Bin()...)
	}
	return append(to, byte(v.Uint64()))
}
