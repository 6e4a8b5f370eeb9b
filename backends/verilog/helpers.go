package verilog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// helpers is the functions that a module needs, by number of inputs, and the names inside
// of them. The names are 0 until the trees are complete.
type helpers struct {
	lut             map[int]names.ID
	count           map[int]names.ID
	table, at, x, i names.ID
	half            map[int]names.ID // halves of a truth table, by the inputs left
}

// The functions that an open call may mean, see exprs.helperCall.
const (
	lutCall int32 = iota + 1
	countCall
)

// needCount notes the functions for a count of n bits: look-up tables up to countBase, else
// the counts of both parts.
func (h *helpers) needCount(n int) {
	if _, ok := h.count[n]; ok || n == 1 {
		return
	}
	h.count[n] = 0
	if n > countBase {
		hi, lo := countSplit(n)
		h.needCount(hi)
		h.needCount(lo)
	} else if n > 2 {
		h.lut[n] = 0
	}
}

// bindHelpers claims the names of the functions that the trees call.
func (p *naming) bindHelpers() {
	h := &p.helpers
	luts, counts := sortedKeys(h.lut), sortedKeys(h.count)

	// Names in order of size, so that they do not depend on the order of a map.
	for _, n := range luts {
		h.lut[n] = p.table.Claim("lut" + strconv.Itoa(n))
	}

	for _, n := range counts {
		h.count[n] = p.table.Claim("popcount" + strconv.Itoa(n))
	}

	// All functions share the names of their arguments and locals.
	if len(luts) > 0 {
		h.table, h.at = p.table.Claim("truth"), p.table.Claim("at")
		h.half = map[int]names.ID{}
		for k := 1; k < luts[len(luts)-1]; k++ {
			h.half[k] = p.table.Claim("truth" + strconv.Itoa(k))
		}
	}

	if len(counts) > 0 {
		h.x = p.table.Claim("x")
	}

	if p.needsIndex() {
		h.i = p.table.Claim("i")
	}
}

// countBase is the number of bits that are counted by look-up tables: the number of inputs
// of a look-up table in current FPGAs.
const countBase = 6

// countSplit splits n bits into two parts of nearly equal size, the lower one a multiple of
// countBase.
func countSplit(n int) (hi, lo int) {
	lo = max((n+countBase-1)/countBase/2, 1) * countBase
	return n - lo, lo
}

// functions prints the helper functions.
func (p *declarations) functions() {
	h := &p.helpers
	for n := 2; n <= ir.MaxLut; n++ {
		f, ok := h.lut[n]
		if !ok {
			continue
		}

		// The head of each look-up function; its inputs are the table and the address.
		p.Line(2, "// Bit at of a truth table.")
		p.Line(2, fmt.Sprintf("function %s(input [%d:0] %s, input [%d:0] %s);", p.text(f), 1<<n-1, p.text(h.table), n-1, p.text(h.at)))
		p.lutBody(n, p.text(f))
		p.Line(2, "endfunction")
		p.Blank()
	}
	for _, n := range sortedKeys(h.count) {
		p.countFunction(n)
	}
}

// lutBody prints the body of a look-up function. Simulators index the table, which is one
// shift for them. Synthesis gets it halved step by step: yosys maps an index into a
// constant through a module per constant, which took five times as long for a controller of
// 512 tables.
func (p *declarations) lutBody(n int, f string) {
	table, at := p.text(p.helpers.table), p.text(p.helpers.at)

	half := func(k int) string {
		if k == n {
			return table
		}
		return p.text(p.helpers.half[k])
	}

	// Each address bit, from the top, selects a half of the rest.
	p.Line(0, "`ifdef SYNTHESIS")
	for k := n - 1; k > 0; k-- {
		p.Line(4, fmt.Sprintf("reg [%d:0] %s;", 1<<k-1, half(k)))
	}
	p.Line(4, "begin")
	for k := n - 1; k > 0; k-- {
		p.Line(6, fmt.Sprintf("%s = %s[%d] ? %s[%d:%d] : %s[%d:0];", half(k), at, k, half(k+1), 2<<k-1, 1<<k, half(k+1), 1<<k-1))
	}
	p.Line(6, fmt.Sprintf("%s = %s[0] ? %s[1] : %s[0];", f, at, half(1), half(1)))
	p.Line(4, "end")
	p.Line(0, "`else")
	p.Line(4, fmt.Sprintf("%s = %s[%s];", f, table, at))
	p.Line(0, "`endif")
}

func sortedKeys(m map[int]names.ID) []int { return slices.Sorted(maps.Keys(m)) }

// countFunction prints the count of n bits: a balanced tree of additions over groups of six
// bits, which are looked up. From a plain sum of bits, synthesis makes a carry-save tree of
// half again the size. With yosys 0.23 and synth_xilinx, 16, 64, 256 and 1000 bits take 26,
// 127, 585 and 2408 LUTs as a sum, and 15, 95, 366 and 1442 in this form.
func (p *declarations) countFunction(n int) {
	h := &p.helpers
	w := ir.CountWidth(n)

	p.Line(2, "// Number of ones.")
	p.Line(2, fmt.Sprintf("function [%d:0] %s(input [%d:0] %s);", w-1, p.text(h.count[n]), n-1, p.text(h.x)))
	p.Str("    " + p.text(h.count[n]) + " = ")

	// Up to countBase bits by tables, more by halves.
	p.scratch.Reset()
	if n <= countBase {
		p.Expr(p.countTables(n, w), 4)
	} else {
		hi, lo := countSplit(n)
		x := p.scratch.Name(h.x, n)
		p.Expr(p.scratch.Binary(syntax.Add, p.countPart(x, w, lo, hi), p.countPart(x, w, 0, lo)), 4)
	}
	p.Ch(';')
	p.NL()
	p.Line(2, "endfunction")
	p.Blank()
}

// countTables is the count of up to countBase bits as one look-up per bit of the result.
func (p *declarations) countTables(n, w int) *syntax.Expr {
	x := p.scratch.Name(p.helpers.x, n)
	if n == 2 {
		return p.scratch.Concat(p.scratch.Unary(syntax.AllOnes, x), p.scratch.Unary(syntax.Parity, x))
	}

	var list []*syntax.Expr
	for bit := w - 1; bit >= 0; bit-- {
		// The truth table of one bit of the count.
		t := bits.Zero(1 << n)
		for v := range 1 << n {
			t = t.SetBit(v, uint64(bits.New(n, uint64(v)).PopCount())>>bit)
		}
		list = append(list, p.scratch.Call(p.helpers.lut[n], p.scratch.Table(t), x))
	}
	e := p.scratch.Concat(list...)
	e.N = math.MaxInt32
	return e
}

// countPart is the count of n bits of x from lo on, extended to w bits.
func (p *declarations) countPart(x *syntax.Expr, w, lo, n int) *syntax.Expr {
	e := p.scratch.Select(x, lo, n)

	// One bit is its own count.
	if n > 1 {
		e = p.scratch.Call(p.helpers.count[n], e)
	}
	if pad := w - ir.CountWidth(n); pad > 0 {
		return p.scratch.Extend(p.scratch.Literal(bits.Zero(pad)), e)
	}
	return e
}
