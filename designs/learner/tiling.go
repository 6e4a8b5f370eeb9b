package learner

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"etch/designs/learner/model"
	"etch/hw"
)

// Tile is the multipliers of a layer: In inputs by Out outputs.
type Tile struct{ In, Out int }

// common is the part of a configuration that all learners share.
type common struct {
	model.Step
	dp      int  // samples side by side
	watched bool // the schedule is watched
	tally   *tally
}

// beats is the number of samples that a stage has in a step.
func (c common) beats() int { return c.Batch / c.dp }

// soft reports whether target networks are soft, which takes a multiplier a weight.
func (c common) soft() bool { return c.Tau > 0 }

// clip is the bound of a TD error as a raw value.
func (c common) clip() int { return int(math.Round(math.Ldexp(c.Clip, c.Activation.Frac+model.Unit))) }

// logBatch is the binary logarithm of the batch.
func (c common) logBatch() int { return bits.TrailingZeros(uint(c.Batch)) }

// validate refuses samples side by side that do not divide the batch.
func (c common) validate() error {
	if c.dp < 1 || c.dp&(c.dp-1) != 0 || c.dp > c.Batch {
		return fmt.Errorf("DP = %d, want a power of two up to the batch of %d", c.dp, c.Batch)
	}
	return nil
}

// arithmetic is that of a configuration.
func (c common) arithmetic() Arithmetic {
	f := fixedPoint{c.Formats}
	if c.Float != "" {
		return floatPoint{f}
	}
	return f
}

// codes is the shape of n codes of a kind.
func (c common) codes(k Kind, n int) word { return hw.VecOf(n, c.arithmetic().Code(k)) }

// targetKind is how target networks are stored.
func (c common) targetKind() Kind {
	if c.soft() {
		return Target
	}
	return Weight
}

// tiling is a network cut into tiles.
type tiling struct {
	common
	sizes []int // inputs, hidden layers, outputs
	tiles []int // inputs and outputs of a tile, for each layer
	rate  int   // learning rate 2^-rate
}

// maxTile is the greatest number of multipliers of a tile.
const maxTile = 4096

// validate asks that a tile is no larger than its layer, and that the outputs of one and
// the inputs of the next divide one another.
func (t tiling) validate() error {
	if len(t.tiles) != 2*t.layers() {
		return fmt.Errorf("tiles are %d numbers for %d layers of weights, want two for each", len(t.tiles), t.layers())
	}

	// A buffer between two layers has words of the wider tile in chunks of the narrower one (buffer),
	// so one of the two must divide the other. A tile of the first layer has nothing before it.
	var all []error
	for l := range t.layers() {
		x := t.tile(l)
		in, out := t.sizes[l], t.sizes[l+1]
		switch {
		case x.In < 1 || x.In > in:
			all = append(all, fmt.Errorf("layer %d: a tile of %d inputs for %d", l, x.In, in))
		case x.Out < 1 || x.Out > out:
			all = append(all, fmt.Errorf("layer %d: a tile of %d outputs for %d", l, x.Out, out))
		case x.In*x.Out > maxTile:
			all = append(all, fmt.Errorf("layer %d: a tile of %d·%d multipliers, more than %d", l, x.In, x.Out, maxTile))
		case l > 0 && t.tile(l-1).Out > 0 && x.In%t.tile(l-1).Out != 0 && t.tile(l-1).Out%x.In != 0:
			all = append(all, fmt.Errorf("layer %d: a tile of %d inputs behind one of %d outputs; one must divide the other", l, x.In, t.tile(l-1).Out))
		}
	}
	return errors.Join(all...)
}

// tile is that of a layer.
func (t tiling) tile(l int) Tile { return Tile{t.tiles[2*l], t.tiles[2*l+1]} }

// layers is the number of layers of weights.
func (t tiling) layers() int { return len(t.sizes) - 1 }

// last is the last layer of weights.
func (t tiling) last() int { return len(t.sizes) - 2 }

// outputs is the number of outputs of the last layer.
func (t tiling) outputs() int { return t.sizes[len(t.sizes)-1] }

// inputTiles and outputTiles are the numbers of tiles along both sides of a layer. The
// last one is filled up with inputs of 0, and outputs that nobody reads.
func (t tiling) inputTiles(l int) int  { return tilesOf(t.sizes[l], t.tile(l).In) }
func (t tiling) outputTiles(l int) int { return tilesOf(t.sizes[l+1], t.tile(l).Out) }

func tilesOf(size, tile int) int { return (size + tile - 1) / tile }

// words is the number of words of a layer's weights. Word o·inputTiles + i is the tile
// of input tile i and output tile o; within it weight (input i, output o) is number
// o·In + i.
func (t tiling) words(l int) int { return t.inputTiles(l) * t.outputTiles(l) }

// mostWords is the greatest number of words of a layer, mostElements that of values in
// a word.
func (t tiling) mostWords() (n int) {
	for l := range t.layers() {
		n = max(n, t.words(l))
	}
	return n
}

func (t tiling) mostElements() (n int) {
	for l := range t.layers() {
		n = max(n, t.tile(l).In*t.tile(l).Out)
	}
	return n
}
