package arith

import (
	"cmp"
	"fmt"
	"slices"

	"etch/hw"
)

// Product multiplies wide unsigned numbers, a pair every cycle, out of products that
// a multiplier block takes: operands are cut into tiles, and the products of tiles
// are added in a tree, with a register behind every step.
type Product struct {
	A    int `help:"bits of the first operand" range:"1..1024"`
	B    int `help:"bits of the second operand" range:"1..1024"`
	Tile int `help:"bits of a tile: 17 for blocks of 18 bits with sign" range:"2..64"`
}

type ProductPorts struct {
	A, B hw.UInt `dir:"in"`
	Out  hw.UInt `dir:"out"` // A·B in full, of the operands of Latency cycles before
}

func (x Product) Ports() ProductPorts {
	return ProductPorts{A: hw.Unsigned(x.A), B: hw.Unsigned(x.B), Out: hw.Unsigned(x.A + x.B)}
}

// Latency is a cycle for operands, one for products of tiles, and one for each level
// of the adder tree.
func (x Product) Latency() int {
	cycles := 2
	for rows := x.rows(); rows > 1; rows = (rows + 1) / 2 {
		cycles++
	}
	return cycles
}

// tiles is the number of tiles of an operand.
func (x Product) tiles(bits int) int { return (bits + x.Tile - 1) / x.Tile }

// rows is the number of addends: with a tile of the shorter operand, every second
// product of the longer one's tiles stands beside the next and not above it, so that
// they are one number without an adder.
func (x Product) rows() int {
	long, short := max(x.tiles(x.A), x.tiles(x.B)), min(x.tiles(x.A), x.tiles(x.B))
	return short * min(long, 2)
}

// Multipliers is the number of products of tiles.
func (x Product) Multipliers() int { return x.tiles(x.A) * x.tiles(x.B) }

// addend is a number times 2^at.
type addend struct {
	v  hw.UInt
	at int
}

func (x Product) Build(m *hw.Module, p ProductPorts) {
	long, short := hw.Delay(m, "a", p.A, 1), hw.Delay(m, "b", p.B, 1)
	if x.tiles(x.A) < x.tiles(x.B) {
		long, short = short, long
	}

	// One row of tiles per part of the shorter factor. Tiles two apart do not overlap, so a row is
	// two addends without an addition.
	var sum []addend
	for j, b := range x.cut(short) {
		var beside [2]addend
		for i, a := range x.cut(long) {
			t := addend{hw.Delay(m, hw.Name("tile", i, j), a.Mul(b), 1), x.Tile * (i + j)}
			if row := &beside[i%2]; i < 2 {
				*row = t
			} else {
				*row = plus(*row, t, x.A+x.B)
			}
		}

		sum = append(sum, beside[:min(2, x.tiles(long.Width()))]...)
	}

	// Neighbours by place add up with the least width.
	slices.SortStableFunc(sum, func(a, b addend) int { return cmp.Compare(a.at, b.at) })
	for depth := 0; len(sum) > 1; depth++ {
		var next []addend
		for i := 0; i < len(sum); i += 2 {
			s := sum[i]
			if i+1 < len(sum) {
				s = plus(s, sum[i+1], x.A+x.B)
			}
			next = append(next, addend{hw.Delay(m, hw.Name("sum", depth, i/2), s.v, 1), s.at})
		}
		sum = next
	}

	p.Out.Set(Resize(sum[0].v, x.A+x.B))
}

// cut is the tiles of an operand, the lowest first.
func (x Product) cut(v hw.UInt) (tiles []hw.UInt) {
	for low := 0; low < v.Width(); low += x.Tile {
		tiles = append(tiles, v.Range(min(low+x.Tile, v.Width())-1, low))
	}
	return tiles
}

// plus is the sum of two addends, of which a begins lower, cut to a number below
// 2^most: an adder only as far as both have bits.
func plus(a, b addend, most int) addend {
	// No bits in common: the numbers are put side by side without an adder.
	above := b.at - a.at
	if a.v.Width() <= above {
		return addend{Resize(hw.Cat(b.v, Resize(a.v, above)), min(above+b.v.Width(), most-a.at)), a.at}
	}

	// The same place: an adder over the whole width.
	if above == 0 {
		width := min(max(a.v.Width(), b.v.Width())+1, most-a.at)
		return addend{Resize(a.v, width).Add(Resize(b.v, width)), a.at}
	}

	// Else only the part of a above b's place is added; the part below passes.
	high := a.v.Range(a.v.Width()-1, above)
	width := min(max(high.Width(), b.v.Width())+1, most-b.at)
	return addend{hw.Cat(Resize(high, width).Add(Resize(b.v, width)), a.v.Range(above-1, 0)), a.at}
}

func (x Product) Validate() error {
	if n := x.Multipliers(); n > 1024 {
		return fmt.Errorf("%d multipliers, want at most 1024", n)
	}
	return nil
}
