package replay

import (
	"fmt"
	"math/bits"

	"etch/designs/replay/model"
	"etch/hw/arith"
)

// Config is a tree's size and shape, whatever its form.
type Config struct {
	model.Params
	K      int `help:"children of a node" range:"2..64, a power of two"`
	Read   int `help:"cycles of a memory read" range:"1..2"`
	Strata int `help:"strata that a batch of draws may have" range:"2..65536, a power of two"`
}

// Validate refuses sizes that no tree has.
func (c Config) Validate() error {
	if err := c.Params.Validate(); err != nil {
		return err
	}
	if c.DrawBits() < 1 || c.K < 2 || c.K&(c.K-1) != 0 {
		return fmt.Errorf("K = %d, want a power of two from 2 to 64", c.K)
	}
	return nil
}

// digitBits is the width of a child's number.
func (c Config) digitBits() int { return bits.Len(uint(c.K - 1)) }

// stratumBits is the width of a stratum's number.
func (c Config) stratumBits() int { return bits.Len(uint(c.Strata - 1)) }

// strataBits is the width of the logarithm of the number of strata.
func (c Config) strataBits() int { return bits.Len(uint(c.stratumBits())) }

// indexWidth is the width of a slot's number as a port: one bit even for a single
// slot.
func (c Config) indexWidth() int { return max(1, c.IndexBits()) }

// Level is a level of the tree, the root's first. A row holds the running sums of a
// node's children but the last, which is the node's own total.
type Level struct {
	Digit int // bits of a child's number: less than all at the root, if the capacity says so
	Below int // bits of an index below the child's number
	Sum   int // bits of the node's total
	Rows  int // rows that a tree of the capacity has
}

// Levels are the levels of the tree: of a single slot, none.
func (c Config) Levels() (levels []Level) {
	m, n := c.digitBits(), c.IndexBits()
	for left := n; left > 0; {
		digit := left - (left-1)/m*m
		left -= digit
		levels = append(levels, Level{Digit: digit, Below: left, Sum: c.Leaf + left + digit, Rows: (c.Capacity-1)>>(left+digit) + 1})
	}
	return levels
}

// Words is the number of words in a row.
func (l Level) Words() int { return 1<<l.Digit - 1 }

// WordBits is the width of word j of a row, which is the sum of j + 1 children.
func (l Level) WordBits(j int) int { return l.Sum - l.Digit + bits.Len(uint(j)) }

// RowBits is the width of a row.
func (l Level) RowBits() (n int) {
	for j := range l.Words() {
		n += l.WordBits(j)
	}
	return n
}

// MemoryBits is the size in bits of the memories of a pipelined tree: all rows but the root's, which
// is in registers, and the head's copy of the leaves.
func (c Config) MemoryBits() (rows, leaves int) {
	for i, l := range c.Levels() {
		if i > 0 {
			rows += l.Rows * l.RowBits()
		}
	}
	return rows, c.Capacity * c.Leaf
}

// targetShift and targetPower let a target of [model.Find] go through the product
// that makes targets of draws: (x·2^targetShift)·2^targetPower is x·2^DrawBits.
func (c Config) targetShift() int { return max(0, c.DrawBits()-c.SumBits()+1) }
func (c Config) targetPower() int { return c.DrawBits() - c.targetShift() }

// fractionBits is the width of the product's first operand: stratum and random bits
// of a draw, or a shifted target.
func (c Config) fractionBits() int {
	return max(c.DrawBits()+c.stratumBits(), c.SumBits()+c.targetShift())
}

// product is the circuit that multiplies a draw's fraction by the sum.
func (c Config) product() arith.Product {
	return arith.Product{A: c.fractionBits(), B: max(c.SumBits(), c.targetPower()+1), Tile: 17}
}

// Multipliers is the number of multipliers of 17 bits that a draw's product takes.
func (c Config) Multipliers() int { return c.product().Multipliers() }
