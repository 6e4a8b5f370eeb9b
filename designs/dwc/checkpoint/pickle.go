package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"
)

// Limits on the machine's state. Every opcode adds at most one value, so the
// pickle's size bounds the rest.
const (
	maxStack = 1 << 20
	maxCopy  = 64 << 20 // bytes that conversions may copy
)

// storages resolves the persistent ids of a pickle.
type storages interface {
	storage(key string, dtype DType, numel int64) (*storage, error)
}

// machine runs a pickle.
type machine struct {
	in       []byte
	pos      int
	stack    []any
	marks    []int
	memo     map[uint32]any
	storages storages
	copied   int
}

// unpickle returns the object of a pickle. It knows protocols 2 to 5 as far as
// tensors, numpy arrays, plain containers and instances of classes use them, and
// calls nothing.
func unpickle(in []byte, s storages) (any, error) {
	m := &machine{in: in, storages: s, memo: map[uint32]any{}}

	// A stack machine: each opcode pops its operands and pushes its result; STOP is a full stop.
	for {
		// at is the opcode's own place, for errors; its operands follow.
		at := m.pos
		op, err := m.u8()
		if err != nil {
			return nil, err
		}
		if op == '.' {
			return m.result()
		}
		if err := m.step(op); err != nil {
			return nil, fmt.Errorf("at byte %d: %w", at, err)
		}
		if len(m.stack) > maxStack {
			return nil, fmt.Errorf("at byte %d: more than %d values on the stack", at, maxStack)
		}
	}
}

func (m *machine) result() (any, error) {
	if len(m.stack) != 1 || len(m.marks) != 0 {
		return nil, fmt.Errorf("ends with %d values on the stack and %d open marks", len(m.stack), len(m.marks))
	}
	if m.pos < len(m.in) {
		return nil, fmt.Errorf("%d bytes follow the end", len(m.in)-m.pos)
	}
	return m.stack[0], nil
}

// step carries out one opcode other than the end.
func (m *machine) step(op byte) error {
	switch op {
	case 0x80, 0x95: // PROTO, FRAME: version or length of a frame
		return m.frame(op)
	case '(': // MARK
		// A mark is a height of the stack, beside it, so no value can be mistaken for one.
		m.marks = append(m.marks, len(m.stack))
		return nil
	case '0', '1', '2': // POP, POP_MARK, DUP
		return m.shuffle(op)
	case 'q', 'r', 'h', 'j', 0x94: // BINPUT, LONG_BINPUT, BINGET, LONG_BINGET, MEMOIZE
		return m.remember(op)
	case 'a', 'e', 's', 'u', 'b', 0x90: // APPEND, APPENDS, SETITEM, SETITEMS, BUILD, ADDITEMS
		return m.mutate(op)
	}

	// All other opcodes push one value.
	v, err := m.value(op)
	if err != nil {
		return err
	}
	m.stack = append(m.stack, v)
	return nil
}

// value carries out an opcode that pushes one value.
func (m *machine) value(op byte) (any, error) {
	// Opcodes that run code, INST and OBJ among them, are in no case: a checkpoint calls nothing.
	switch op {
	case 'N': // NONE
		return nil, nil
	case 0x88: // NEWTRUE
		return true, nil
	case 0x89: // NEWFALSE
		return false, nil
	case 'K', 'M', 'J', 0x8a: // BININT1, BININT2, BININT, LONG1
		return m.integer(op)
	case 'G': // BINFLOAT
		b, err := m.take(8)
		if err != nil {
			return nil, err
		}
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	case 'X', 0x8c, 0x8d: // BINUNICODE, SHORT_BINUNICODE, BINUNICODE8
		return m.text(op)
	case 'B', 'C', 0x8e: // BINBYTES, SHORT_BINBYTES, BINBYTES8
		return m.counted(op)
	case '}': // EMPTY_DICT
		return &dict{}, nil
	case ']': // EMPTY_LIST
		return &list{}, nil
	case ')': // EMPTY_TUPLE
		return tuple(nil), nil
	case 't': // TUPLE
		items, err := m.popMark()
		return tuple(items), err

	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		items, err := m.popN(int(op) - 0x84)
		return tuple(items), err
	case 'c', 0x93: // GLOBAL, STACK_GLOBAL
		return m.global(op)
	case 0x8f: // EMPTY_SET
		return &list{}, nil
	case 0x91: // FROZENSET
		items, err := m.popMark()
		return tuple(items), err
	case 'R': // REDUCE
		return m.reduce()
	case 0x81, 0x92: // NEWOBJ, NEWOBJ_EX: class, arguments[, keywords]
		return m.instance(int(op)&3 + 1)
	case 'Q': // BINPERSID
		v, err := m.pop()
		if err != nil {
			return nil, err
		}
		return m.persistent(v)
	}
	return nil, fmt.Errorf("opcode %#02x is not one that tensors need", op)
}

func (m *machine) frame(op byte) error {
	if op == 0x95 {
		_, err := m.take(8)
		return err
	}

	// FRAME has a length that only a stream needs; PROTO has the version.
	v, err := m.u8()
	if err == nil && (v < 2 || v > 5) {
		err = fmt.Errorf("pickle protocol %d is not supported", v)
	}
	return err
}

func (m *machine) shuffle(op byte) error {
	if op == '1' {
		_, err := m.popMark()
		return err
	}

	// POP_MARK drops down to the mark, POP one value, DUP doubles the top.
	v, err := m.pop()
	if err == nil && op == '2' {
		m.stack = append(m.stack, v, v)
	}
	return err
}

func (m *machine) remember(op byte) error {
	// MEMOIZE takes the next free number, the other opcodes say theirs in one byte or four.
	index := uint32(len(m.memo))
	if op != 0x94 {
		width := 1
		if op == 'r' || op == 'j' {
			width = 4
		}
		n, err := m.length(width)
		if err != nil {
			return err
		}
		index = uint32(n)
	}

	// BINGET and LONG_BINGET read the memo, the other opcodes write to it.
	if op == 'h' || op == 'j' {
		v, known := m.memo[index]
		if !known {
			return fmt.Errorf("refers to memo %d, which is not set", index)
		}
		m.stack = append(m.stack, v)
		return nil
	}
	v, err := m.top()
	if err == nil {
		m.memo[index] = v
	}
	return err
}

// mutate carries out an opcode that changes the object below its arguments.
func (m *machine) mutate(op byte) error {
	var items []any
	var err error

	// APPEND and BUILD take one value, SETITEM a pair, the other opcodes all above the mark.
	switch op {
	case 'a', 'b':
		items, err = m.popN(1)
	case 's':
		items, err = m.popN(2)
	default:
		items, err = m.popMark()
	}
	if err != nil {
		return err
	}

	// The container stays on the stack.
	target, err := m.top()
	if err != nil {
		return err
	}

	switch op {
	case 'a', 'e', 0x90:
		switch l := target.(type) {
		case *list:
			l.items = append(l.items, items...)
		case *object: // of a class made from list or set
		default:
			return fmt.Errorf("appends to %s", kindOf(target))
		}
		return nil
	case 'b':
		return m.build(target, items[0])
	}

	// Pairs of keys and values.
	d, is := target.(*dict)
	if o, foreign := target.(*object); foreign { // of a class made from dict
		d, is = &o.entries, true
	}
	if !is || len(items)%2 != 0 {
		return fmt.Errorf("sets %d items of %s", len(items), kindOf(target))
	}
	for i := 0; i < len(items); i += 2 {
		if err := d.set(items[i], items[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) integer(op byte) (any, error) {
	switch op {
	case 'K':
		v, err := m.u8()
		return int64(v), err
	case 'M':
		b, err := m.take(2)
		if err != nil {
			return nil, err
		}
		return int64(binary.LittleEndian.Uint16(b)), nil
	case 'J':
		b, err := m.take(4)
		if err != nil {
			return nil, err
		}
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	}

	// LONG1, of any length.
	b, err := m.counted(op)
	if err != nil {
		return nil, err
	}
	if len(b) > 8 {
		return nil, fmt.Errorf("an integer of %d bytes; at most 8", len(b))
	}

	// Two's complement, the lowest byte first.
	v := int64(0)
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | int64(b[i])
	}
	if n := len(b); n > 0 && n < 8 && b[n-1] >= 0x80 {
		v -= 1 << (8 * n)
	}
	return v, nil
}

func (m *machine) text(op byte) (any, error) {
	b, err := m.counted(op)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, fmt.Errorf("text is not valid UTF-8")
	}
	return string(b), nil
}

// counted reads the bytes of an opcode that counts them in 1, 4 or 8 bytes.
func (m *machine) counted(op byte) ([]byte, error) {
	width := 4
	switch op {
	case 0x8c, 'C', 0x8a:
		width = 1
	case 0x8d, 0x8e:
		width = 8
	}

	n, err := m.length(width)
	if err != nil {
		return nil, err
	}

	// Before memory is taken: a broken length may be 2^64.
	if n > uint64(len(m.in)-m.pos) {
		return nil, fmt.Errorf("%d bytes announced, but %d are left", n, len(m.in)-m.pos)
	}
	return m.take(int(n))
}

// length reads an unsigned little-endian number of width bytes.
func (m *machine) length(width int) (uint64, error) {
	b, err := m.take(width)
	if err != nil {
		return 0, err
	}
	v := uint64(0)
	for i := width - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v, nil
}

func (m *machine) u8() (byte, error) {
	b, err := m.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (m *machine) take(n int) ([]byte, error) {
	if n > len(m.in)-m.pos {
		return nil, fmt.Errorf("ends too early, at byte %d", len(m.in))
	}
	b := m.in[m.pos : m.pos+n : m.pos+n]
	m.pos += n
	return b, nil
}
