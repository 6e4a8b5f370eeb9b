package rv32i

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i/asm"
	"etch/testbench"
)

// run assembles and runs a program with a consumer that is always ready, and
// returns the words it puts out and the cycles it takes.
func run(t testing.TB, source string, limit int) (out []uint32, cycles int) {
	t.Helper()
	prog, err := asm.Assemble(source)
	require.NoError(t, err)
	s, p := testbench.New(t, Core{Words: 1024, Program: prog}, testbench.CoSim())
	sink := testbench.NewSink(s, p.Out, testbench.Pauses(0.2, 1))
	cycles = s.StepUntil(func() bool { return s.High(p.Halted) }, limit)
	for _, v := range sink.Got() {
		out = append(out, uint32(v[0].Uint64()))
	}
	return out, cycles
}

const crcProgram = `
        li   a0, 0x80000000     # out
        li   a1, data
        li   a2, 16             # bytes
        li   a3, -1             # crc
        li   a4, 0xedb88320
next:   lbu  t0, 0(a1)
        xor  a3, a3, t0
        li   t1, 8
bit:    andi t2, a3, 1
        srli a3, a3, 1
        beqz t2, skip
        xor  a3, a3, a4
skip:   addi t1, t1, -1
        bnez t1, bit
        addi a1, a1, 1
        addi a2, a2, -1
        bnez a2, next
        not  a3, a3
        sw   a3, 0(a0)
        ecall
data:   .word 0x64636261
        .word 0x68676665
        .word 0x6c6b6a69
        .word 0x706f6e6d
`

func TestCRC(t *testing.T) {
	out, _ := run(t, crcProgram, 5000)
	require.Equal(t, []uint32{crc32.ChecksumIEEE([]byte("abcdefghijklmnop"))}, out)
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want []int
	var data strings.Builder
	for range 20 {
		v := int(int32(r.Uint32()))
		want = append(want, v)
		fmt.Fprintf(&data, "  .word %d\n", v)
	}
	slices.Sort(want)
	out, _ := run(t, `
        li   s0, data
        li   s1, 19
outer:  mv   t0, s0
        mv   t1, s1
inner:  lw   t2, 0(t0)
        lw   t3, 4(t0)
        ble  t2, t3, keep
        sw   t3, 0(t0)
        sw   t2, 4(t0)
keep:   addi t0, t0, 4
        addi t1, t1, -1
        bnez t1, inner
        addi s1, s1, -1
        bnez s1, outer
        li   a0, 0x80000000
        li   t1, 20
print:  lw   t2, 0(s0)
        sw   t2, 0(a0)
        addi s0, s0, 4
        addi t1, t1, -1
        bnez t1, print
        ecall
data:
`+data.String(), 20000)
	for i, v := range want {
		require.Equal(t, int32(v), int32(out[i]))
	}
}

// Random instructions: program counter, memory and registers agree with the
// model after each.
func TestRandomInstructions(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		prog := make([]uint32, 256)
		for i := range prog {
			prog[i] = randomInstruction(r)
		}
		model := &machine{mem: slices.Clone(prog)}
		s, p := testbench.New(t, Core{Words: 256, Program: prog}, testbench.CoSim())
		s.Set(p.Out.Ready, 1)
		regs, err := s.Sim.Mem("registers.mem")
		require.NoError(t, err)
		ram, err := s.Sim.Mem("ram")
		require.NoError(t, err)
		s.Step(1) // boot
		for n := range 400 {
			if model.halted {
				break
			}
			require.Equal(t, model.pc, uint32(s.Get(p.PC)), "seed %d, instruction %d", seed, n)
			inst := model.mem[model.pc/4%256]
			model.step()
			if s.Step(1); inst&0x7f == 0x03 {
				s.Step(1)
			}
			for i := 1; i < 32; i++ {
				require.Equal(t, model.x[i], uint32(regs.Read(i).Uint64()), "seed %d, %08x, x%d", seed, inst, i)
			}
		}
		require.Equal(t, model.halted, s.High(p.Halted))
		for i := range model.mem {
			require.Equal(t, model.mem[i], uint32(ram.Read(i).Uint64()), "word %d", i)
		}
	}
}

// randomInstruction is a legal instruction, now and then a random word. Stores
// and loads are aligned.
func randomInstruction(r *rand.Rand) uint32 {
	rd, rs1, rs2 := r.Uint32N(32), r.Uint32N(32), r.Uint32N(32)
	switch r.IntN(12) {
	case 0:
		return r.Uint32()&^0xfff | rd<<7 | 0x37
	case 1:
		return r.Uint32()&^0xfff | rd<<7 | 0x17
	case 2: // a short jump ahead
		return r.Uint32N(8)<<23 | rd<<7 | 0x6f
	case 3:
		f3 := []uint32{0, 1, 4, 5, 6, 7}[r.IntN(6)]
		return rs2<<20 | rs1<<15 | f3<<12 | (4+4*r.Uint32N(4))<<7&0xf00 | 0x63
	case 4: // from a constant address, so that it is aligned
		f3 := []uint32{0, 1, 2, 4, 5}[r.IntN(5)]
		return r.Uint32N(256)<<22 | f3<<12 | rd<<7 | 0x03
	case 5:
		at := 512 + 4*r.Uint32N(128)
		return at>>5<<25 | rs2<<20 | r.Uint32N(3)<<12 | at&31<<7 | 0x23
	case 6, 7:
		f3 := r.Uint32N(8)
		f7 := uint32(0)
		if f3 == 1 || f3 == 5 {
			if f3 == 5 {
				f7 = 0x20 * r.Uint32N(2)
			}
			return f7<<25 | r.Uint32N(32)<<20 | rs1<<15 | f3<<12 | rd<<7 | 0x13
		}
		return r.Uint32()&^0xfffff | rs1<<15 | f3<<12 | rd<<7 | 0x13
	default:
		f3, f7 := r.Uint32N(8), uint32(0)
		if f3 == 0 || f3 == 5 {
			f7 = 0x20 * r.Uint32N(2)
		}
		return f7<<25 | rs2<<20 | rs1<<15 | f3<<12 | rd<<7 | 0x33
	}
}

func TestAssemblerErrors(t *testing.T) {
	_, err := asm.Assemble("addi x1, x2, 5000\nfoo x1\nlw a0, 4(x99)\nbeqz a0\n")
	for _, want := range []string{"line 1: addi: operand 3: 5000 is not in -2048..2047", "line 2: foo: no such instruction", `line 3: lw: operand 3: "x99"`, "line 4: beqz: too few operands"} {
		require.ErrorContains(t, err, want)
	}
}
