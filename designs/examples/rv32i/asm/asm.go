// Package asm assembles RV32I programs, for tests and demonstrations: one
// instruction or label a line, # starts a comment.
//
//	start:  li   a0, 1000
//	loop:   addi a0, a0, -1
//	        bnez a0, loop
//	        ecall
//
// Registers are x0..x31 or their ABI names. Pseudo-instructions: nop, li, mv,
// not, neg, seqz, snez, beqz, bnez, bltz, bgez, bgt, ble, j, jr, call (through
// ra), ret, and .word.
package asm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Assemble turns source into words, the first at address 0. The error lists
// every line that is wrong.
func Assemble(source string) ([]uint32, error) {
	a := &assembler{labels: map[string]int{}}

	// First pass: labels get addresses, so every line must know its size now; li takes one or two
	// words.
	var lines []line
	var errs []error
	defined := map[string]int{} // the line of each label
	for i, text := range strings.Split(source, "\n") {
		text, _, _ = strings.Cut(text, "#")
		for {
			label, rest, ok := strings.Cut(text, ":")
			if !ok {
				break
			}
			label, text = strings.TrimSpace(label), rest
			if first, twice := defined[label]; twice {
				errs = append(errs, fmt.Errorf("line %d: label %s is defined on line %d already", i+1, label, first))
				continue
			}
			defined[label], a.labels[label] = i+1, 4*a.size
		}
		l := parse(text, i+1)
		if l.op == "" {
			continue
		}
		lines = append(lines, l)
		a.size += l.words()
	}

	// Second pass: emit, collecting the errors of all lines.
	for _, l := range lines {
		if err := a.emit(l); err != nil {
			errs = append(errs, fmt.Errorf("line %d: %s: %w", l.number, l.op, err))
		}
	}
	return a.out, errors.Join(errs...)
}

type line struct {
	number int
	op     string
	args   []string
}

func parse(text string, number int) line {
	op, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(text, "\t", " ")), " ")
	l := line{number: number, op: strings.ToLower(op)}

	// Commas and parentheses only separate: lw a0, 4(sp) has the operands a0, 4 and sp.
	for _, f := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == '(' || r == ')' }) {
		l.args = append(l.args, f)
	}
	return l
}

// words is the size of a line: li of a large number takes two instructions.
func (l line) words() int {
	if l.op == "li" && len(l.args) == 2 {
		if v, err := strconv.ParseInt(l.args[1], 0, 64); err == nil && (v < -2048 || v > 2047) {
			return 2
		}
	}
	return 1
}

type assembler struct {
	labels map[string]int
	size   int
	out    []uint32
}

// encoding is an instruction's fixed bits and the form of its operands.
type encoding struct {
	form string // R I S B U J, L for a load, H for a shift by a constant, N for none
	bits uint32
}

var encodings = map[string]encoding{
	"lui": {"U", 0x37}, "auipc": {"U", 0x17}, "jal": {"J", 0x6f}, "jalr": {"I", 0x67},
	"beq": {"B", 0x63}, "bne": {"B", 0x1063}, "blt": {"B", 0x4063}, "bge": {"B", 0x5063}, "bltu": {"B", 0x6063}, "bgeu": {"B", 0x7063},
	"lb": {"L", 0x03}, "lh": {"L", 0x1003}, "lw": {"L", 0x2003}, "lbu": {"L", 0x4003}, "lhu": {"L", 0x5003},
	"sb": {"S", 0x23}, "sh": {"S", 0x1023}, "sw": {"S", 0x2023},
	"addi": {"I", 0x13}, "slti": {"I", 0x2013}, "sltiu": {"I", 0x3013}, "xori": {"I", 0x4013}, "ori": {"I", 0x6013}, "andi": {"I", 0x7013},
	"slli": {"H", 0x1013}, "srli": {"H", 0x5013}, "srai": {"H", 0x40005013},
	"add": {"R", 0x33}, "sub": {"R", 0x40000033}, "sll": {"R", 0x1033}, "slt": {"R", 0x2033}, "sltu": {"R", 0x3033},
	"xor": {"R", 0x4033}, "srl": {"R", 0x5033}, "sra": {"R", 0x40005033}, "or": {"R", 0x6033}, "and": {"R", 0x7033},
	"fence": {"N", 0x0f}, "ecall": {"N", 0x73}, "ebreak": {"N", 0x100073},
}

// pseudo rewrites an instruction with arguments $1, $2, … into a real one.
var pseudo = map[string]string{
	"nop": "addi x0 x0 0", "mv": "addi $1 $2 0", "not": "xori $1 $2 -1", "neg": "sub $1 x0 $2",
	"seqz": "sltiu $1 $2 1", "snez": "sltu $1 x0 $2", "beqz": "beq $1 x0 $2", "bnez": "bne $1 x0 $2",
	"bltz": "blt $1 x0 $2", "bgez": "bge $1 x0 $2", "bgt": "blt $2 $1 $3", "ble": "bge $2 $1 $3",
	"j": "jal x0 $1", "jr": "jalr x0 $1 0", "call": "jal ra $1", "ret": "jalr x0 ra 0",
}

func (a *assembler) emit(l line) error {
	switch l.op {
	case ".word":
		v, err := a.number(l.arg(0), -1<<31, 1<<32-1)
		a.out = append(a.out, uint32(v))
		return err
	case "li":
		return a.li(l)
	}

	// A pseudo-instruction is a text with $1, $2 in place of operands.
	if real, ok := pseudo[l.op]; ok {
		for i, arg := range l.args {
			real = strings.ReplaceAll(real, "$"+strconv.Itoa(i+1), arg)
		}
		if strings.Contains(real, "$") {
			return errors.New("too few operands")
		}
		l = line{l.number, strings.Fields(real)[0], strings.Fields(real)[1:]}
	}

	e, ok := encodings[l.op]
	if !ok {
		return errors.New("no such instruction")
	}

	w, err := a.encode(e, l)
	a.out = append(a.out, w)
	return err
}

func (a *assembler) li(l line) error {
	// A label takes one word whatever its address is: its size had to be known before the address.
	low, high := int64(-1<<31), int64(1<<32-1)
	if l.words() == 1 {
		low, high = -2048, 2047
	}
	v, err := a.number(l.arg(1), low, high)
	if err != nil {
		return err
	}
	if l.words() == 1 {
		return a.emit(line{l.number, "addi", []string{l.arg(0), "x0", l.arg(1)}})
	}

	// addi extends the sign of its 12 bits: upper is one more where they are negative.
	upper := (uint32(v) + 0x800) >> 12
	lower := int32(uint32(v)<<20) >> 20
	if err := a.emit(line{l.number, "lui", []string{l.arg(0), fmt.Sprint(upper & 0xfffff)}}); err != nil {
		return err
	}
	return a.emit(line{l.number, "addi", []string{l.arg(0), l.arg(0), fmt.Sprint(lower)}})
}

// arg is operand i, "" if it is missing.
func (l line) arg(i int) string {
	if i < len(l.args) {
		return l.args[i]
	}
	return ""
}

// encode puts the operands into the fields of an instruction.
func (a *assembler) encode(e encoding, l line) (uint32, error) {
	var errs []error
	reg := func(i int) uint32 {
		r, ok := register(l.arg(i))
		if !ok {
			errs = append(errs, fmt.Errorf("operand %d: %q is not a register", i+1, l.arg(i)))
		}
		return r
	}
	num := func(i int, low, high int64) uint32 {
		v, err := a.number(l.arg(i), low, high)
		if err != nil {
			errs = append(errs, fmt.Errorf("operand %d: %w", i+1, err))
		}
		return uint32(v)
	}

	// A label counts from the instruction itself.
	target := func(i int, reach int64) uint32 {
		at, ok := a.labels[l.arg(i)]
		if !ok {
			return num(i, -reach, reach-1)
		}
		d := int64(at) - int64(4*len(a.out))
		if d < -reach || d >= reach {
			errs = append(errs, fmt.Errorf("label %s is too far", l.arg(i)))
		}
		return uint32(d)
	}

	// The places of the fields are those of the standard's formats.
	w := e.bits
	switch e.form {
	case "R":
		w |= reg(0)<<7 | reg(1)<<15 | reg(2)<<20
	case "I":
		w |= reg(0)<<7 | reg(1)<<15 | num(2, -2048, 2047)<<20
	case "H":
		w |= reg(0)<<7 | reg(1)<<15 | num(2, 0, 31)<<20
	case "L": // lw rd, offset(base)
		w |= reg(0)<<7 | num(1, -2048, 2047)<<20 | reg(2)<<15
	case "S":
		v := num(1, -2048, 2047)
		w |= reg(0)<<20 | reg(2)<<15 | v>>5<<25 | v&31<<7
	case "B":
		v := target(2, 4096)
		w |= reg(0)<<15 | reg(1)<<20 | v>>12&1<<31 | v>>5&63<<25 | v>>1&15<<8 | v>>11&1<<7
	case "U":
		w |= reg(0)<<7 | num(1, 0, 1<<20-1)<<12
	case "J":
		v := target(1, 1<<20)
		w |= reg(0)<<7 | v>>20&1<<31 | v>>1&0x3ff<<21 | v>>11&1<<20 | v>>12&0xff<<12
	}
	return w, errors.Join(errs...)
}

// number is a constant or a label's address within a range.
func (a *assembler) number(s string, low, high int64) (int64, error) {
	if at, ok := a.labels[s]; ok {
		v := int64(at)
		if v < low || v > high {
			return 0, fmt.Errorf("label %s is %d, not in %d..%d", s, v, low, high)
		}
		return v, nil
	}
	v, err := strconv.ParseInt(s, 0, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is neither a number nor a label", s)
	case v < low || v > high:
		return 0, fmt.Errorf("%d is not in %d..%d", v, low, high)
	}
	return v, nil
}

var abi = strings.Fields("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6")

func register(s string) (uint32, bool) {
	for i, name := range abi {
		if s == name {
			return uint32(i), true
		}
	}

	// fp is another name of s0.
	if s == "fp" {
		return 8, true
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(s, "x"), 10, 5); err == nil && strings.HasPrefix(s, "x") {
		return uint32(n), true
	}
	return 0, false
}
