package cells

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// conn connects a pin of a cell to bits of the input.
func (s *sheet) conn(name string, width int) string {
	return fmt.Sprintf(".%s(%s)", name, s.pin(width))
}

// konst is a random constant as Verilog.
func (s *sheet) konst(width int) string {
	v := vector(s.Rand, width)
	return fmt.Sprintf("%d'h%s", width, v.Hex())
}

func TestRegisterCells(t *testing.T) {
	s := newSheet(6)
	s.clocked = true
	for _, kind := range []string{"$dff", "$dffe", "$adff", "$adffe", "$sdff", "$sdffe", "$sdffce", "$dffsr", "$dffsre", "$aldff", "$aldffe"} {
		pins := wordFF[kind]
		for i := range 2 * cellCount() {
			w := s.width()
			params := []string{p("WIDTH", w)}
			conns := []string{".CLK(clk)", s.conn("D", w)}
			polarity := func(name string, bit int) bool {
				params = append(params, p(name+"_POLARITY", i>>bit&1))
				return i>>bit&1 == 1
			}
			polarity("CLK", 0)
			for _, c := range pins {
				switch c {
				case 'E':
					polarity("EN", 1)
					conns = append(conns, s.conn("EN", 1))
				case 'A':
					polarity("ARST", 2)
					params = append(params, p("ARST_VALUE", s.konst(w)))
					conns = append(conns, s.conn("ARST", 1))
				case 'S':
					polarity("SRST", 2)
					params = append(params, p("SRST_VALUE", s.konst(w)))
					conns = append(conns, s.conn("SRST", 1))
				case 'B':
					high := polarity("SET", 2)
					params = append(params, p("CLR_POLARITY", i>>2&1))
					switch idle := level(high, fmt.Sprintf("%d'd0", w)); s.IntN(4) {
					case 0:
						conns = append(conns, s.conn("SET", w), ".CLR("+idle+")")
					case 1:
						conns = append(conns, s.conn("CLR", w), ".SET("+idle+")")
					default:
						s, c := s.two(w)
						conns = append(conns, ".SET("+level(high, s)+")", ".CLR("+level(high, c)+")")
					}
				case 'L':
					high := polarity("ALOAD", 2)
					if s.IntN(2) == 0 {
						conns = append(conns, s.conn("ALOAD", 1), ".AD("+s.konst(w)+")")
					} else {
						conns = append(conns, ".ALOAD("+level(high, s.pulse())+")", s.conn("AD", w))
					}
				}
			}
			s.cell(kind, params, conns, "Q", w)
		}
	}
	require.NotZero(t, s.judge(t, 60))
}

// two takes pins for a set and a clear. Neither is there when the other ends and was
// there at the last edge: models look at a set when it begins only.
func (s *sheet) two(width int) (a, b string) {
	s.pulses = true
	a, b = s.pin(width), s.pin(width)
	return fmt.Sprintf("(%s & ~last%s)", a, b[2:]), fmt.Sprintf("(%s & ~last%s)", b, a[2:])
}

// pulse takes a pin for what may begin with new inputs, and ends with the next edge.
func (s *sheet) pulse() string {
	s.pulses = true
	a := s.pin(1)
	return fmt.Sprintf("(%s & ~last%s)", a, a[2:])
}

// level is an expression for a pin that acts high, or low.
func level(high bool, x string) string {
	if high {
		return x
	}
	return "~" + x
}

// TestLatchCells tries every latch of words and of gates.
func TestLatchCells(t *testing.T) {
	s := newSheet(9)
	pins := map[string]string{"$dlatch": "EN D", "$adlatch": "EN ARST D", "$dlatchsr": "EN SET CLR D", "$sr": "SET CLR"}
	for _, kind := range latchKinds() {
		if strings.HasPrefix(kind, "$_") {
			f, _ := flipFlop(&cell{kind: kind})
			var conns []string
			for _, pin := range []string{f.en, f.arst, f.set, f.clr} {
				if pin != "" {
					conns = append(conns, s.conn(pin, 1))
				}
			}
			if f.en != "" {
				conns = append(conns, s.conn("D", 1))
			}
			s.cell(kind, nil, conns, "Q", 1)
			continue
		}
		for i := range 2 * cellCount() {
			w := s.width()
			params, conns := []string{p("WIDTH", w)}, []string(nil)
			for _, pin := range strings.Fields(pins[kind]) {
				n := w
				switch pin {
				case "EN", "ARST":
					n = 1
				}
				if pin != "D" {
					params = append(params, p(pin+"_POLARITY", i&1)) // alike, or the model races
				}
				conns = append(conns, s.conn(pin, n))
			}
			if kind == "$adlatch" {
				params = append(params, p("ARST_VALUE", s.konst(w)))
			}
			s.cell(kind, params, conns, "Q", w)
		}
	}
	require.NotZero(t, s.judge(t, 200))
}

// TestGateRegisters tries every register of yosys's library of gates.
func TestGateRegisters(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(library(t), "simcells.v"))
	require.NoError(t, err)
	s := newSheet(7)
	s.clocked = true
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^module \\(\$_\S*) \((.*)\);`).FindAllStringSubmatch(string(text), -1) {
		f, ok := flipFlop(&cell{kind: m[1]})
		if !ok {
			t.Errorf("%s is not known", m[1])
		}
		if f == nil || !f.clocked {
			continue
		}
		n++
		two := map[string]string{}
		if f.set != "" {
			set, clear := s.two(1)
			two[f.set], two[f.clr] = level(f.setHigh, set), level(f.clrHigh, clear)
		}
		if f.aload != "" {
			two[f.aload] = level(f.aloadHigh, s.pulse())
		}
		var conns []string
		for _, pin := range strings.Split(m[2], ", ") {
			switch x, ok := two[pin]; {
			case pin == "C":
				conns = append(conns, ".C(clk)")
			case pin == "Q":
			case ok:
				conns = append(conns, "."+pin+"("+x+")")
			default:
				conns = append(conns, s.conn(pin, 1))
			}
		}
		s.cell(m[1], nil, conns, "Q", 1)
	}
	require.Equal(t, 106, n)
	require.NotZero(t, s.judge(t, 150))
}

// TestMemoryCells tries ports of every kind, alone and together.
func TestMemoryCells(t *testing.T) {
	s := newSheet(8)
	s.clocked = true
	for range 2 * cellCount() {
		s.memory()
	}
	require.NotZero(t, s.judge(t, 120))
}

// list writes bits as a parameter, the first the lowest.
func list(n int, f func(i int) int) string {
	var b []byte
	for i := range n {
		b = append(b, byte('0'+f(i)))
	}
	slices.Reverse(b)
	return fmt.Sprintf("%d'b%s", n, b)
}

func (s *sheet) memory() {
	reads, writes := 1+s.IntN(3), 1+s.IntN(2)
	width, size, abits := s.width(), 1+s.IntN(9), 1+s.IntN(4)
	offset := 0
	if s.IntN(3) == 0 {
		offset = 1 + s.IntN(3)
	}
	clocked := list(reads, func(int) int { return min(1, s.IntN(3)) })
	bit := func(text string, i int) int { return int(text[len(text)-1-i] - '0') }
	wrEdge := list(writes, func(int) int { return s.IntN(2) })
	if s.IntN(2) == 0 {
		wrEdge = list(writes, func(int) int { return 1 })
	}
	rdEdge := list(reads, func(int) int { return bit(wrEdge, 0) })
	same := func(r, w int) bool { return bit(clocked, r) == 1 && bit(wrEdge, w) == bit(rdEdge, r) }
	kind := s.IntN(3) // of transparency: none, all, some
	if kind != 0 {    // past the end the model passes writes on
		size, offset = 1<<abits, 0
	}
	sees := list(reads*writes, func(i int) int {
		if !same(i/writes, i%writes) || kind == 0 || kind == 2 && s.IntN(2) == 0 {
			return 0
		}
		return 1
	})
	resets := s.IntN(2) == 0
	zero := func(int) int { return 0 }
	reset := func(name string) string {
		if resets { // a port without clock has none; the model would not end
			var pins []string
			for i := reads - 1; i >= 0; i-- {
				pin := "1'b0"
				if bit(clocked, i) == 1 {
					pin = s.pin(1)
				}
				pins = append(pins, pin)
			}
			return fmt.Sprintf(".%s({%s})", name, strings.Join(pins, ", "))
		}
		return fmt.Sprintf(".%s(%s)", name, list(reads, zero))
	}
	start := fmt.Sprintf("%d'b%s", reads*width, strings.Repeat("x", reads*width))
	if s.IntN(3) == 0 {
		start = s.konst(reads * width)
	}
	enables := s.conn("WR_EN", writes*width)
	if s.IntN(2) == 0 { // whole words
		parts := make([]string, writes)
		for i := range parts {
			parts[i] = fmt.Sprintf("{%d{%s}}", width, s.pin(1))
		}
		enables = ".WR_EN({" + strings.Join(parts, ", ") + "})"
	}
	clk := func(name string, n int) string { return fmt.Sprintf(".%s({%d{clk}})", name, n) }
	s.cell("$mem_v2", []string{
		p("MEMID", fmt.Sprintf("%q", fmt.Sprintf("\\\\mem%d", len(s.cells)))), p("SIZE", size), p("OFFSET", offset), p("ABITS", abits), p("WIDTH", width), p("INIT", s.konst(size*width)),
		p("RD_PORTS", reads), p("WR_PORTS", writes), p("RD_CLK_ENABLE", clocked), p("RD_CLK_POLARITY", rdEdge), p("RD_TRANSPARENCY_MASK", sees),
		p("RD_COLLISION_X_MASK", list(reads*writes, zero)), p("RD_WIDE_CONTINUATION", list(reads, zero)), p("RD_CE_OVER_SRST", list(reads, func(int) int { return s.IntN(2) })),
		p("RD_ARST_VALUE", s.konst(reads*width)), p("RD_SRST_VALUE", s.konst(reads*width)), p("RD_INIT_VALUE", start),
		p("WR_CLK_ENABLE", list(writes, func(int) int { return 1 })), p("WR_CLK_POLARITY", wrEdge),
		p("WR_PRIORITY_MASK", list(writes*writes, func(i int) int { // later ones win
			if i%writes < i/writes {
				return 1
			}
			return 0
		})), p("WR_WIDE_CONTINUATION", list(writes, zero)),
	}, []string{clk("RD_CLK", reads), s.conn("RD_EN", reads), reset("RD_ARST"), reset("RD_SRST"), s.conn("RD_ADDR", reads*abits),
		clk("WR_CLK", writes), enables, s.conn("WR_ADDR", writes*abits), s.conn("WR_DATA", writes*width)}, "RD_DATA", reads*width)
}
