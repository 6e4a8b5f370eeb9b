package cells

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/tools"
)

// A sheet is a module with many cells: their inputs are parts of one vector, and
// so are their outputs.
type sheet struct {
	*rand.Rand
	body    strings.Builder
	in, out int
	cells   []sheetCell
	clocked bool
	pulses  bool // last holds what in was at the last edge
}

type sheetCell struct {
	text   string
	lo, hi int // of out
}

// pin takes bits of the input.
func (s *sheet) pin(width int) string {
	s.in += width
	return fmt.Sprintf("in[%d:%d]", s.in-1, s.in-width)
}

// cell adds a cell; conns are written by the caller, outs are its outputs and
// their widths.
func (s *sheet) cell(kind string, params []string, conns []string, outs ...any) {
	from := s.out
	for i := 0; i < len(outs); i += 2 {
		w := outs[i+1].(int)
		s.out += w
		conns = append(conns, fmt.Sprintf(".%s(out[%d:%d])", outs[i], s.out-1, s.out-w))
	}
	text := fmt.Sprintf("\\%s #(%s) c%d(%s);", kind, strings.Join(params, ", "), len(s.cells), strings.Join(conns, ", "))
	if strings.HasPrefix(kind, "$_") {
		text = fmt.Sprintf("\\%s c%d(%s);", kind, len(s.cells), strings.Join(conns, ", "))
	}
	s.cells = append(s.cells, sheetCell{text, from, s.out})
	fmt.Fprintf(&s.body, "  %s\n", text)
}

func (s *sheet) text() string {
	clk := ""
	if s.clocked {
		clk = "input clk, "
	}
	last := ""
	if s.pulses {
		last = fmt.Sprintf("  wire [%d:0] last;\n  \\$dff #(.WIDTH(%d), .CLK_POLARITY(1)) past(.CLK(clk), .D(in), .Q(last));\n", s.in-1, s.in)
	}
	return fmt.Sprintf("module sheet(%sinput [%d:0] in, output [%d:0] out);\n%s%sendmodule\n", clk, s.in-1, s.out-1, last, s.body.String())
}

func (s *sheet) width() int {
	return []int{1, 1, 2, 3, 4, 5, 7, 8, 9, 13}[s.IntN(10)]
}

func p(name string, v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "." + name + "(1)"
		}
		return "." + name + "(0)"
	}
	return fmt.Sprintf(".%s(%v)", name, v)
}

// vector draws an input: often with long runs and extremes.
func vector(r *rand.Rand, width int) bits.Value {
	words := make([]uint64, bits.WordCount(width))
	for i := range words {
		words[i] = r.Uint64()
		switch r.IntN(5) {
		case 0:
			words[i] &= r.Uint64() & r.Uint64()
		case 1:
			words[i] |= r.Uint64() | r.Uint64()
		}
	}
	return bits.FromWords(width, words)
}

// lowered reads the sheet through yosys, as it is.
func (s *sheet) lowered(t *testing.T, dir string) *ir.Design {
	t.Helper()
	yosys := tools.Need(t, "yosys")[0]
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sheet.v"), []byte(s.text()), 0o666))
	out := filepath.Join(dir, "sheet.json")
	script := fmt.Sprintf("read_verilog -icells %s; hierarchy -top sheet; write_json %s", filepath.Join(dir, "sheet.v"), out)
	said, err := yosys.Command(t.Context(), "-q", "-p", script).CombinedOutput()
	require.NoError(t, err, "%s", said)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	d, err := designOf("sheet.json", string(text), "sheet")
	require.NoError(t, err, "%s", s.text())
	require.NoError(t, ir.Verify(d))
	return d
}

// designOf reads a netlist that stands alone.
func designOf(file, text, top string) (*ir.Design, error) {
	d, _, err := Read(file, text, top, &ir.Design{}, func(string) {})
	return d, err
}

// library is the folder of yosys's models of its cells.
func library(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/usr/share/yosys", "/usr/local/share/yosys"} {
		if _, err := os.Stat(filepath.Join(dir, "simlib.v")); err == nil {
			return dir
		}
	}
	if tools.Strict("yosys") {
		t.Fatal("simlib.v of yosys is not there (ETCH_STRICT)")
	}
	t.Skip("simlib.v of yosys is not there")
	return ""
}

// judge compares the sheet in the simulator with yosys's own models of the cells
// under iverilog. Bits that are x there are not compared; returned is how many
// were.
func (s *sheet) judge(t *testing.T, vectors int) (compared int) {
	t.Helper()
	lib, dir := library(t), t.TempDir()
	bench := tools.Need(t, "iverilog", "vvp")
	d := s.lowered(t, dir)
	var stim, want []string
	e, err := sim.New(d, sim.WithEngine(sim.Interpreter))
	require.NoError(t, err)
	in, out := at(t, e, "in"), at(t, e, "out")
	for k := range vectors {
		v := vector(s.Rand, s.in)
		if s.pulses && k == 0 {
			v = bits.Zero(s.in) // no pulse before it is known what was
		}
		stim = append(stim, v.Hex())
		require.NoError(t, e.SetBits(in, v))
		want = append(want, e.GetBits(out).Bin())
		if s.clocked {
			e.Step(1)
			want = append(want, e.GetBits(out).Bin())
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stim.hex"), []byte(strings.Join(stim, "\n")), 0o666))
	tick, clk := "", ""
	if s.clocked { // the clock's first 0 is no edge
		tick, clk = "clk = 1; #1 clk = 0; #1 $display(\"%b\", out);", "clk, "
	}
	tb := fmt.Sprintf(`module tb;
  reg clk = 0; reg [%d:0] stim [0:%d]; reg [%d:0] in; wire [%d:0] out; integer k;
  sheet dut(%sin, out);
  initial begin
    $readmemh("stim.hex", stim);
    for (k = 0; k < %d; k = k + 1) begin in = stim[k]; #1 $display("%%b", out); %s end
    $finish;
  end
endmodule
`, s.in-1, vectors-1, s.in-1, s.out-1, clk, vectors, tick)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tb.v"), []byte(tb), 0o666))
	cmd := bench[0].Command(t.Context(), "-g2012", "-s", "tb", "-o", "tb.vvp", "tb.v", "sheet.v", filepath.Join(lib, "simlib.v"), filepath.Join(lib, "simcells.v"))
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", text, s.text())
	cmd = bench[1].Command(t.Context(), "-n", "tb.vvp")
	cmd.Dir = dir
	text, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	got := strings.Fields(string(bytes.TrimSpace(text)))
	got = slices.DeleteFunc(got, func(line string) bool { return len(line) != s.out })
	require.Len(t, got, len(want))
	bad := map[int]bool{}
	for k := range want {
		for i, c := range s.cells {
			for b := c.lo; b < c.hi; b++ {
				g, w := got[k][s.out-1-b], want[k][s.out-1-b]
				if g != '0' && g != '1' {
					continue
				}
				compared++
				if g != w && !bad[i] {
					bad[i] = true
					if len(bad) < 4 {
						t.Errorf("%s\n  line %d: bit %d is %c, want %c\n  out %s\n want %s", c.text, k, b-c.lo, w, g,
							want[k][s.out-c.hi:s.out-c.lo], got[k][s.out-c.hi:s.out-c.lo])
					}
				}
			}
		}
	}
	return compared
}

func at(t *testing.T, s *sim.Sim, name string) sim.Signal {
	t.Helper()
	sig, err := s.Signal(name)
	require.NoError(t, err)
	return sig
}

func newSheet(seed uint64) *sheet { return &sheet{Rand: rand.New(rand.NewPCG(seed, 0xce11))} }

// cellCount is how many cells of a type a sheet has.
func cellCount() int {
	if testing.Short() {
		return 12
	}
	return 48
}

func TestUnaryCells(t *testing.T) {
	for name := range unary {
		if name == "$buf" || name == "$barrier" { // of newer versions
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := newSheet(1)
			for i := range cellCount() {
				a, y := s.width(), s.width()
				s.cell(name, []string{p("A_SIGNED", i&1), p("A_WIDTH", a), p("Y_WIDTH", y)}, []string{".A(" + s.pin(a) + ")"}, "Y", y)
			}
			require.NotZero(t, s.judge(t, 60))
		})
	}
}

func TestBinaryCells(t *testing.T) {
	for name := range binary {
		if name == "$bweqx" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := newSheet(2)
			for i := range 2 * cellCount() {
				a, b, y := s.width(), s.width(), s.width()
				sa, sb := i&1, i>>1&1
				switch name {
				case "$shl", "$shr", "$sshl", "$sshr":
					sb = 0
				case "$shiftx":
					sa = 0
				case "$shift":
				case "$pow":
					if b = min(b, 5); sb == 1 { // iverilog 11 takes an unsigned 15 of 4 bits for -1
						sa = 1
					}
				default: // both or none
					sa = sb
				}
				s.cell(name, []string{p("A_SIGNED", sa), p("B_SIGNED", sb), p("A_WIDTH", a), p("B_WIDTH", b), p("Y_WIDTH", y)},
					[]string{".A(" + s.pin(a) + ")", ".B(" + s.pin(b) + ")"}, "Y", y)
			}
			require.NotZero(t, s.judge(t, 80))
		})
	}
}

// TestTables: one bit of a constant at an index is a look-up table, with zeros behind the constant's
// end ($shiftx has x there, which is not compared).
func TestTables(t *testing.T) {
	s := newSheet(7)
	for i := range 3 * cellCount() {
		a, b := 1+s.IntN(70), 2+s.IntN(6)
		table := vector(s.Rand, a)
		index := "{" + s.pin(b-1) + ", " + s.pin(1) + "}"
		if i%3 == 2 {
			index = s.pin(b)
		}
		conns := []string{fmt.Sprintf(".A(%d'h%s)", a, table.Hex()), ".B(" + index + ")"}
		s.cell([]string{"$shr", "$shiftx"}[i%2], []string{p("A_SIGNED", 0), p("B_SIGNED", 0), p("A_WIDTH", a), p("B_WIDTH", b), p("Y_WIDTH", 1)}, conns, "Y", 1)
	}
	require.NotZero(t, s.judge(t, 100))

	d := s.lowered(t, t.TempDir())
	luts := 0
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		if d.Top.Op(id) == ir.Lut {
			luts++
		}
	}
	require.Equal(t, 2*cellCount(), luts, "an index of one signal stays a shift")
}

func TestGateCells(t *testing.T) {
	s := newSheet(3)
	pins := map[string]string{"$_BUF_": "A", "$_NOT_": "A", "$_MUX_": "ABS", "$_NMUX_": "ABS", "$_AOI3_": "ABC", "$_OAI3_": "ABC", "$_AOI4_": "ABCD", "$_OAI4_": "ABCD",
		"$_MUX4_": "ABCDST", "$_MUX8_": "ABCDEFGHSTU", "$_MUX16_": "ABCDEFGHIJKLMNOPSTUV"}
	for name := range gates {
		if pins[name] == "" {
			pins[name] = "AB"
		}
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for k := range pins {
			if !yield(k) {
				return
			}
		}
	}) {
		var conns []string
		for _, c := range pins[name] {
			conns = append(conns, fmt.Sprintf(".%c(%s)", c, s.pin(1)))
		}
		s.cell(name, nil, conns, "Y", 1)
	}
	require.NotZero(t, s.judge(t, 400))
}

func TestChoiceCells(t *testing.T) {
	s := newSheet(4)
	conn := func(name string, width int) string { return fmt.Sprintf(".%s(%s)", name, s.pin(width)) }
	for range cellCount() {
		w, n := s.width(), 1+s.IntN(4)
		s.cell("$mux", []string{p("WIDTH", w)}, []string{conn("A", w), conn("B", w), conn("S", 1)}, "Y", w)
		s.cell("$pmux", []string{p("WIDTH", w), p("S_WIDTH", n)}, []string{conn("A", w), conn("B", w*n), conn("S", n)}, "Y", w)
		s.cell("$bmux", []string{p("WIDTH", 1), p("S_WIDTH", n)}, []string{conn("A", 1<<n), conn("S", n)}, "Y", 1) // the model of 0.23 knows this width only
		s.cell("$demux", []string{p("WIDTH", w), p("S_WIDTH", n)}, []string{conn("A", w), conn("S", n)}, "Y", w<<n)
		s.cell("$lut", []string{p("WIDTH", n), p("LUT", fmt.Sprintf("%d'd%d", 1<<n, s.Uint64()&(1<<(1<<n)-1)))}, []string{conn("A", n)}, "Y", 1)
		depth := 1 + s.IntN(4)
		s.cell("$sop", []string{p("WIDTH", n), p("DEPTH", depth), p("TABLE", fmt.Sprintf("%d'd%d", 2*n*depth, s.Uint64()&(1<<(2*n*depth)-1)))}, []string{conn("A", n)}, "Y", 1)
		s.cell("$concat", []string{p("A_WIDTH", w), p("B_WIDTH", n)}, []string{conn("A", w), conn("B", n)}, "Y", w+n)
		off := s.IntN(w)
		s.cell("$slice", []string{p("OFFSET", off), p("A_WIDTH", w), p("Y_WIDTH", w-off)}, []string{conn("A", w)}, "Y", w-off)
		s.cell("$fa", []string{p("WIDTH", w)}, []string{conn("A", w), conn("B", w), conn("C", w)}, "X", w, "Y", w)
		s.cell("$lcu", []string{p("WIDTH", w)}, []string{conn("P", w), conn("G", w), conn("CI", 1)}, "CO", w)
		a, b := s.width(), s.width()
		signed := s.IntN(2)
		s.cell("$alu", []string{p("A_SIGNED", signed), p("B_SIGNED", signed), p("A_WIDTH", a), p("B_WIDTH", b), p("Y_WIDTH", w)},
			[]string{conn("A", a), conn("B", b), conn("CI", 1), conn("BI", 1)}, "X", w, "Y", w, "CO", w)
		s.maccCell()
	}
	require.NotZero(t, s.judge(t, 60))
}

// maccCell adds a $macc of a few products and bits.
func (s *sheet) maccCell() {
	const size = 4 // bits of a width
	config, total := "", 0
	for range 1 + s.IntN(3) {
		a, b := 1+s.IntN(7), s.IntN(6)
		total += a + b
		config = fmt.Sprintf("%04b%04b%b%b", b, a, s.IntN(2), s.IntN(2)) + config
	}
	config += fmt.Sprintf("%04b", size)
	n, y := 1+s.IntN(3), 1+s.IntN(14)
	conns := []string{".A(" + s.pin(total) + ")", ".B(" + s.pin(n) + ")"}
	s.cell("$macc", []string{p("A_WIDTH", total), p("B_WIDTH", n), p("Y_WIDTH", y), p("CONFIG_WIDTH", len(config)), p("CONFIG", fmt.Sprintf("%d'b%s", len(config), config))}, conns, "Y", y)
}

// TestWideBmux compares with what a shift gives.
func TestWideBmux(t *testing.T) {
	s := newSheet(5)
	type mux struct{ w, n, lo, out int }
	var all []mux
	for range cellCount() {
		w, n := s.width(), 1+s.IntN(5)
		all = append(all, mux{w, n, s.in, s.out})
		s.cell("$bmux", []string{p("WIDTH", w), p("S_WIDTH", n)}, []string{".A(" + s.pin(w<<n) + ")", ".S(" + s.pin(n) + ")"}, "Y", w)
	}
	tools.Need(t, "yosys")
	e, err := sim.New(s.lowered(t, t.TempDir()))
	require.NoError(t, err)
	for range 40 {
		v := vector(s.Rand, s.in)
		require.NoError(t, e.SetBits(at(t, e, "in"), v))
		for _, m := range all {
			sel := int(v.Slice(m.lo+m.w<<m.n, m.n).Uint64())
			require.Equal(t, v.Slice(m.lo+sel*m.w, m.w).Hex(), e.GetBits(at(t, e, "out")).Slice(m.out, m.w).Hex())
		}
	}
}
