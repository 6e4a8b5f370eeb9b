package vector_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/native/cpu"
	codemem "etch/sim/native/exec"
	"etch/sim/native/vector"
)

// ops of operands of two, one (a shift by an immediate) and three vectors.
var (
	binary = []vector.Op{vector.And, vector.Or, vector.Xor, vector.Andn, vector.Add16, vector.Add32, vector.Add64,
		vector.Sub16, vector.Sub32, vector.Sub64, vector.Mul16, vector.MulHi16, vector.MulHiS16, vector.Mul32, vector.MulAdd16,
		vector.MulEven32, vector.Min32, vector.Eq16, vector.Eq32, vector.Eq64, vector.Gt16, vector.Gt32, vector.Gt64, vector.ShlBy32, vector.ShlBy64,
		vector.ShrBy32, vector.ShrBy64, vector.SarBy32, vector.Low16, vector.High16, vector.Low32, vector.High32, vector.Pack32, vector.PackS32,
		vector.Even32, vector.Shuffle8, vector.Sum8}
	shifts = []vector.Op{vector.Shl16, vector.Shl32, vector.Shl64, vector.Shr16, vector.Shr32, vector.Shr64, vector.Sar16, vector.Sar32}
)

// slots of state that random code works on.
const slots = 24

// randomCode is code of every op, with skips, stores that overwrite what is wanted
// later, and memory accesses.
func randomCode(r *rand.Rand, n int, ternary bool) *vector.Code {
	c := vector.NewCode()
	all := []vector.Value{c.Const(r.Uint64(), 64), c.Const(uint64(r.Uint32()), 32), c.Const(r.Uint64()&0xff, 8), c.Const(r.Uint64()&63, 32), c.Const(0, 8)}
	for k := range slots {
		all = append(all, c.At(int32(k)))
	}
	pick := func() vector.Value { return all[r.IntN(len(all))] }
	for range n {
		switch k := r.IntN(23); {
		case k < 11:
			all = append(all, c.Do(binary[r.IntN(len(binary))], 0, pick(), pick()))
		case k < 13:
			op := shifts[r.IntN(len(shifts))]
			all = append(all, c.Do(op, uint8(r.IntN(16)), pick()))
		case k < 15:
			all = append(all, c.Do([]vector.Op{vector.Choose8, vector.Choose32}[k-13], 0, pick(), pick(), pick()))
		case k < 16 && ternary:
			x, y, z := pick(), pick(), pick()
			if x != y && y != z && x != z {
				all = append(all, c.Do(vector.Ternary, uint8(r.Uint32()), x, y, z))
			}
		case k < 17:
			c.Skip(pick())
			for range r.IntN(4) {
				c.Store(c.Emit(vector.Xor, 0, pick(), pick(), vector.None), int32(slots+r.IntN(4)))
			}
			c.EndSkip()
		case k == 20:
			first := rowsFrom / 32
			if ternary {
				first /= 2
			}
			all = append(all, c.Row(int32(first+r.IntN(50))))
			if r.IntN(2) == 0 {
				c.StoreRow(pick(), int32(first+r.IntN(50)), []vector.Value{pick(), vector.None}[r.IntN(2)])
			}
		case k == 17:
			a := accesses[r.IntN(len(accesses))]()
			a.Cond, a.HasCond = pick(), r.IntN(2) == 0
			all = append(all, c.Read(a, values(r, all, 5))...)
		case k == 18:
			a := accesses[r.IntN(len(accesses))]()
			a.Cond, a.HasCond = pick(), r.IntN(2) == 0
			var mask []vector.Value
			if r.IntN(2) == 0 {
				mask = values(r, all, a.Width)
			}
			c.Write(a, values(r, all, 5), values(r, all, a.Width), mask)
		case k >= 21:
			a, addr, bits := wordAccess(r, c, pick, ternary)
			if k == 21 {
				for _, v := range c.ReadWords(a, addr, bits) {
					if a.HasCond { // it may be anything
						v = c.Do(vector.And, 0, v, a.Cond)
					}
					all = append(all, v)
				}
				break
			}
			var mask []vector.Value
			if r.IntN(2) == 0 {
				mask = values(r, all, a.Elem/2)
			}
			c.WriteWords(a, addr, bits, values(r, all, a.Elem/2), mask)
		}
	}
	for k := range slots {
		if r.IntN(3) > 0 {
			c.Store(pick(), int32(k))
		}
	}
	c.Settle()
	return c
}

// wordAccess is an access in word form of a memory of 16 words, in rows or shared.
func wordAccess(r *rand.Rand, c *vector.Code, pick func() vector.Value, wide bool) (a vector.Access, addr []vector.Value, bits int) {
	a = vector.Access{Offset: rowsFrom + 8*r.IntN(9), Elem: 2 << r.IntN(3), Rows: r.IntN(3) > 0, HasCond: r.IntN(2) == 0, Cond: pick()}
	a.Width = 8 * a.Elem
	shift := uint8(0)
	if a.Rows {
		shift = 4
		if wide {
			shift = 5
		}
	}
	and, shl := 16, vector.Shl16
	if r.IntN(2) == 0 {
		and, shl = 32, vector.Shl32
	}
	for range and / 16 {
		x := c.Do(vector.And, 0, pick(), c.Const(15, and))
		addr = append(addr, c.Do(shl, shift, x))
	}
	return a, addr, and
}

func values(r *rand.Rand, all []vector.Value, n int) []vector.Value {
	out := make([]vector.Value, n)
	for k := range out {
		out[k] = all[r.IntN(len(all))]
	}
	return out
}

// accesses are memories of 32 words: one of 13 bits, 32, 50, all of an instance's
// own, and a shared one.
var accesses = []func() vector.Access{
	func() vector.Access { return vector.Access{Offset: 0, Stride: 32, Elem: 2, Width: 13} },
	func() vector.Access { return vector.Access{Offset: 64 * 512, Stride: 48, Elem: 4, Width: 32} },
	func() vector.Access { return vector.Access{Offset: 256 * 512, Stride: 40, Elem: 8, Width: 50} },
}

// rowsFrom is the byte of memories behind those of accesses.
const rowsFrom = 576 * 512

const memWords = 600 * 512 / 8

// TestMachineCode runs random code on this processor and in Go.
func TestMachineCode(t *testing.T) {
	for _, arch := range []vector.Arch{vector.AVX2, vector.AVX512, vector.NEON} {
		if !runs(arch) {
			t.Logf("this processor is not of kind %d: its code is not run here", arch)
			continue
		}
		words := arch.Words()
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, uint64(words)))
			regs := 4 * words
			if arch == vector.NEON {
				regs = 15
			}
			if seed%3 == 0 {
				regs = 5
			}
			c := randomCode(r, 5+r.IntN(150), words == 8)
			p := c.Allocate(regs)
			code, err := p.Assemble(arch)
			require.NoError(t, err)
			state, mems, scratch := aligned((slots+4)*words), aligned(memWords), aligned(p.Scratch*words)
			for i := range state {
				state[i] = r.Uint64()
			}
			for i := range mems {
				mems[i] = r.Uint64()
			}
			p.Fill(scratch, words)
			state2, mems2, scratch2 := clone(state), clone(mems), clone(scratch)
			m := vector.Machine{Words: words}
			require.Zero(t, m.Run(p, state, scratch, mems, 3, false))
			require.Zero(t, call(t, code, state2, scratch2, mems2, 3))
			require.Equal(t, state, state2, "seed %d\n%s", seed, p)
			compareMems(t, seed, mems, mems2)
		}
	}
}

// runs reports whether this processor runs machine code of a kind.
func runs(arch vector.Arch) bool {
	f := cpu.Host()
	return codemem.Supported() && map[vector.Arch]bool{vector.AVX2: f.AVX2, vector.AVX512: f.AVX512, vector.NEON: runtime.GOARCH == "arm64"}[arch]
}

// compareMems compares words; what is above the bits of a word may differ.
func compareMems(t *testing.T, seed uint64, x, y []uint64) {
	require.Equal(t, x[rowsFrom/8:], y[rowsFrom/8:], "seed %d", seed)
	for _, f := range accesses {
		a := f()
		for at := a.Offset; at < a.Offset+512*a.Stride*a.Elem && at/8 < len(x); at += a.Elem {
			mask := ^uint64(0) >> (64 - a.Width)
			if g, w := x[at/8]>>(at%8*8)&mask, y[at/8]>>(at%8*8)&mask; g != w {
				t.Fatalf("seed %d, byte %d of memories: %#x, want %#x", seed, at, w, g)
			}
		}
	}
}

func aligned(n int) []uint64 {
	s := make([]uint64, n+7)
	for uintptr(unsafe.Pointer(&s[0]))%64 != 0 {
		s = s[1:]
	}
	return s[:n]
}

func clone(x []uint64) []uint64 {
	y := aligned(len(x))
	copy(y, x)
	return y
}

func call(t *testing.T, code []byte, state, scratch, mems []uint64, cycles int) int {
	m, err := codemem.New(len(code))
	require.NoError(t, err)
	defer m.Close()
	copy(m.Bytes(), code)
	require.NoError(t, m.Seal())
	f := &[3]uintptr{address(state), address(scratch), address(mems)}
	return int(codemem.Call(m.Addr(), unsafe.Pointer(f), uint64(cycles), 0))
}

func address(s []uint64) uintptr { return uintptr(unsafe.Pointer(&s[0])) }

// mnemonics is what an op is in AVX-512; the last one where it takes several.
var mnemonics = map[vector.Op]string{
	vector.Load: "vmovdqa64", vector.Store: "vmovdqa64", vector.Row: "vmovdqa64", vector.StoreRow: "vmovdqa64", vector.Move: "vmovdqa64",
	vector.And: "vpandq", vector.Or: "vporq", vector.Xor: "vpxorq", vector.Andn: "vpandnq", vector.Ternary: "vpternlogq",
	vector.Add16: "vpaddw", vector.Add32: "vpaddd", vector.Add64: "vpaddq", vector.Sub16: "vpsubw", vector.Sub32: "vpsubd", vector.Sub64: "vpsubq",
	vector.Mul16: "vpmullw", vector.MulHi16: "vpmulhuw", vector.MulHiS16: "vpmulhw", vector.Mul32: "vpmulld", vector.MulAdd16: "vpmaddwd",
	vector.MulEven32: "vpmuludq", vector.Eq16: "vpcmpeqw vpmovm2w", vector.Eq32: "vpcmpeqd vpmovm2d", vector.Eq64: "vpcmpeqq vpmovm2q",
	vector.Gt16: "vpcmpgtw vpmovm2w", vector.Gt32: "vpcmpgtd vpmovm2d", vector.Gt64: "vpcmpgtq vpmovm2q",
	vector.Shl16: "vpsllw", vector.Shl32: "vpslld", vector.Shl64: "vpsllq", vector.Shr16: "vpsrlw", vector.Shr32: "vpsrld", vector.Shr64: "vpsrlq",
	vector.Sar16: "vpsraw", vector.Sar32: "vpsrad", vector.ShlBy32: "vpsllvd", vector.ShlBy64: "vpsllvq", vector.ShrBy32: "vpsrlvd",
	vector.ShrBy64: "vpsrlvq", vector.SarBy32: "vpsravd", vector.Low16: "vpunpcklwd", vector.High16: "vpunpckhwd", vector.Low32: "vpunpckldq",
	vector.High32: "vpunpckhdq", vector.Pack32: "vpackusdw", vector.PackS32: "vpackssdw", vector.Even32: "vshufps", vector.Shuffle8: "vpshufb", vector.Sum8: "vpsadbw",
	vector.Min32: "vpminud", vector.Choose8: "vpmovb2m vpblendmb", vector.Choose32: "vpmovd2m vpblendmd", vector.Skip: "vptestmq kortestw je",
}

// TestAVX512Disassembles has GNU objdump read what the encoder wrote for AVX-512:
// every instruction is the one that the program has, with its registers and its
// address. It stands in for running it where the processor cannot.
func TestAVX512Disassembles(t *testing.T) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		if os.Getenv("ETCH_STRICT") == "1" {
			t.Fatal("objdump is missing: install binutils")
		}
		t.Skip("objdump is missing: install binutils to have AVX-512 code read back")
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 512))
		p := randomCode(r, 150, true).Allocate(32)
		p.Instrs = without(p.Instrs, vector.Macro)
		code, err := p.Assemble(vector.AVX512)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "code")
		require.NoError(t, os.WriteFile(file, code, 0o666))
		out, err := exec.Command(objdump, "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "--no-show-raw-insn", file).Output()
		require.NoError(t, err)
		got := body(string(out))
		var want []string
		for _, in := range p.Instrs {
			switch in.Op {
			case vector.EndSkip:
			case vector.Gather:
				want = append(want, expectedGather(in, &p.Macros[in.Slot])...)
			default:
				want = append(want, expected(in)...)
			}
		}
		require.Equal(t, want, got[:min(len(got), len(want))], "seed %d", seed)
	}
}

func without(in []vector.Instr, op vector.Op) (out []vector.Instr) {
	for _, i := range in {
		if i.Op != op {
			out = append(out, i)
		}
	}
	return out
}

// body is the vector instructions of a disassembly, without the addresses of
// jumps.
func body(text string) (out []string) {
	for line := range strings.Lines(text) {
		_, ins, ok := strings.Cut(strings.TrimSpace(line), ":\t")
		fields := strings.Fields(ins)
		if !ok || len(fields) == 0 || fields[0][0] != 'v' && fields[0][0] != 'k' && fields[0] != "je" {
			continue
		}
		if fields[0] == "je" {
			fields = fields[:1]
		}
		text := strings.Join(fields, " ")
		out = append(out, strings.ReplaceAll(strings.ReplaceAll(text, "ZMMWORD PTR ", ""), "+0x0]", "]"))
	}
	return out
}

// expectedGather is a read in word form: by blocks, with the addresses in rax.
func expectedGather(in vector.Instr, a *vector.Access) (out []string) {
	if a.HasCond {
		out = append(out, fmt.Sprintf("vptestmq k1,zmm%d,zmm%d", in.A, in.A), "kortestw k1,k1", "je")
	}
	first := map[int]string{4: "vmovd", 8: "vmovq"}
	more := map[int]string{2: "vpinsrw xmm%d,xmm%d,WORD", 4: "vpinsrd xmm%d,xmm%d,DWORD", 8: "vpinsrq xmm%d,xmm%d,QWORD"}
	for elem := range 64 / a.Elem {
		block, i, x := elem*a.Elem/16, elem%(16/a.Elem), in.C
		if block == 0 {
			x = in.D
		}
		row := 0
		for lane := range 32 {
			if v, e := vector.ElementAt(lane, 8*a.Elem); v == int(in.Imm) && e == elem && a.Rows {
				row = v*64 + e*a.Elem
			}
		}
		at := fmt.Sprintf(" PTR [r15+rax*%d+%#x]", a.Elem, a.Offset+row)
		switch {
		case i > 0 || a.Elem == 2:
			if i == 0 && x < 16 {
				out = append(out, fmt.Sprintf("vpxor xmm%d,xmm%d,xmm%d", x, x, x))
			} else if i == 0 {
				out = append(out, fmt.Sprintf("vpxorq xmm%d,xmm%d,xmm%d", x, x, x))
			}
			out = append(out, fmt.Sprintf(more[a.Elem], x, x)+at+fmt.Sprintf(",%#x", i))
		default:
			out = append(out, fmt.Sprintf("%s xmm%d,%s", first[a.Elem], x, strings.Fields(more[a.Elem][len("vpinsrd xmm%d,xmm%d,"):])[0])+at)
		}
		if block > 0 && i == 16/a.Elem-1 {
			out = append(out, fmt.Sprintf("vinserti32x4 zmm%d,zmm%d,xmm%d,%#x", in.D, in.D, x, block))
		}
	}
	return out
}

// expected is an instruction as objdump prints it.
func expected(in vector.Instr) []string {
	ops := strings.Fields(mnemonics[in.Op])
	z := func(r uint8) string { return fmt.Sprintf("zmm%d", r) }
	slot := func() string {
		base, at := "rbx", int(in.Slot)*64
		if in.Slot < 0 {
			base, at = "rbp", int(^in.Slot)*64
		}
		if in.Op == vector.Row || in.Op == vector.StoreRow {
			base = "r15"
		}
		if at == 0 {
			return "[" + base + "]"
		}
		return fmt.Sprintf("[%s+%#x]", base, at)
	}
	b := z(in.B)
	if in.B == vector.Mem {
		b = slot()
	}
	three := func(op, d, x, y string) string { return op + " " + d + "," + x + "," + y }
	switch in.Op {
	case vector.Load, vector.Row:
		return []string{ops[0] + " " + z(in.D) + "," + slot()}
	case vector.Store, vector.StoreRow:
		return []string{ops[0] + " " + slot() + "," + z(in.A)}
	case vector.Move:
		return []string{ops[0] + " " + z(in.D) + "," + z(in.A)}
	case vector.Skip:
		return []string{three(ops[0], "k1", z(in.A), z(in.A)), ops[1] + " k1,k1", "je"}
	case vector.Ternary:
		return []string{three(ops[0], z(in.D), z(in.A), b) + fmt.Sprintf(",%#x", in.Imm)}
	case vector.Even32:
		return []string{three(ops[0], z(in.D), z(in.A), b) + ",0x88"}
	case vector.Choose8, vector.Choose32:
		return []string{ops[0] + " k1," + z(in.C), three(ops[1], z(in.D)+"{k1}", z(in.A), b)}
	}
	switch {
	case len(ops) == 2:
		return []string{three(ops[0], "k1", z(in.A), b), ops[1] + " " + z(in.D) + ",k1"}
	case in.Op >= vector.Shl16 && in.Op <= vector.Sar32:
		return []string{three(ops[0], z(in.D), z(in.A), fmt.Sprintf("%#x", in.Imm))}
	}
	return []string{three(ops[0], z(in.D), z(in.A), b)}
}
