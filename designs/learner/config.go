package learner

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"etch/designs/learner/model"
)

// Tile is the multipliers of a layer: In inputs by Out outputs.
type Tile struct{ In, Out int }

// Config is a DQN learner: what it computes, and with how many multipliers.
type Config struct {
	Sizes []int `help:"observations, hidden layers, actions" range:"1..4096"`
	Tiles []int `help:"inputs and outputs of a word of weights, for each layer" range:"1..4096"`
	model.Step
	Rate   int  `help:"learning rate 2^-rate" range:"-16..32"`
	Double bool `help:"the online network picks the next action"`
	DP     int  `help:"samples side by side, a power of two" range:"1..4096"`
}

// CartPole is the learner of CartPole with a beat of so many cycles, from 8 to 64 and
// a power of two.
func CartPole(beat int) Config {
	d, side := model.DQN4x64x2(), 64/beat
	return Config{Sizes: d.Sizes, Tiles: []int{4, side, side, 2}, Step: d.Step, Rate: d.Rate, DP: 1}
}

// Model is the model's configuration.
func (c Config) Model() model.DQNConfig {
	return model.DQNConfig{Sizes: c.Sizes, Step: c.Step, Rate: c.Rate, Double: c.Double}
}

// Validate refuses shapes that no learner has. Of tiles it asks that they divide their
// layer, and that the outputs of one and the inputs of the next divide one another.
func (c Config) Validate() error {
	if err := c.Model().Validate(); err != nil {
		return err
	}
	if len(c.Tiles) != 2*c.layers() {
		return fmt.Errorf("tiles are %d numbers for %d layers of weights, want two for each", len(c.Tiles), c.layers())
	}
	var all []error
	for l := range c.layers() {
		t := c.tile(l)
		in, out := c.Sizes[l], c.Sizes[l+1]
		switch {
		case t.In < 1 || in%t.In != 0:
			all = append(all, fmt.Errorf("layer %d: a tile of %d inputs does not divide %d", l, t.In, in))
		case t.Out < 1 || out%t.Out != 0:
			all = append(all, fmt.Errorf("layer %d: a tile of %d outputs does not divide %d", l, t.Out, out))
		case t.In*t.Out > maxTile:
			all = append(all, fmt.Errorf("layer %d: a tile of %d·%d multipliers, more than %d", l, t.In, t.Out, maxTile))
		case l > 0 && c.tile(l-1).Out > 0 && t.In%c.tile(l-1).Out != 0 && c.tile(l-1).Out%t.In != 0:
			all = append(all, fmt.Errorf("layer %d: a tile of %d inputs behind one of %d outputs; one must divide the other", l, t.In, c.tile(l-1).Out))
		}
	}
	if c.DP < 1 || c.DP&(c.DP-1) != 0 || c.DP > c.Batch {
		all = append(all, fmt.Errorf("DP = %d, want a power of two up to the batch of %d", c.DP, c.Batch))
	}
	return errors.Join(all...)
}

// maxTile is the greatest number of multipliers of a tile.
const maxTile = 4096

// tile is that of a layer.
func (c Config) tile(l int) Tile { return Tile{c.Tiles[2*l], c.Tiles[2*l+1]} }

// layers is the number of layers of weights.
func (c Config) layers() int { return len(c.Sizes) - 1 }

// last is the last layer of weights, the one of values.
func (c Config) last() int { return len(c.Sizes) - 2 }

// actions is the number of outputs.
func (c Config) actions() int { return c.Sizes[len(c.Sizes)-1] }

// inputTiles and outputTiles are the numbers of tiles along both sides of a layer.
func (c Config) inputTiles(l int) int  { return c.Sizes[l] / c.tile(l).In }
func (c Config) outputTiles(l int) int { return c.Sizes[l+1] / c.tile(l).Out }

// words is the number of words of a layer's weights. Word o·inputTiles + i is the tile
// of input tile i and output tile o; within it weight (input i, output o) is number
// o·In + i.
func (c Config) words(l int) int { return c.inputTiles(l) * c.outputTiles(l) }

// beats is the number of samples that a stage has in a step.
func (c Config) beats() int { return c.Batch / c.DP }

// soft reports whether target networks are soft, which takes a multiplier a weight.
func (c Config) soft() bool { return c.Tau > 0 }

// clip is the bound of a TD error as a raw value.
func (c Config) clip() int { return int(math.Round(math.Ldexp(c.Clip, c.Activation.Frac+model.Unit))) }

// logBatch is the binary logarithm of the batch.
func (c Config) logBatch() int { return bits.TrailingZeros(uint(c.Batch)) }

// hostElements is the number of values that the host writes or reads at once.
func (c Config) hostElements() (n int) {
	for l := range c.layers() {
		t := c.tile(l)
		n = max(n, t.In*t.Out)
	}
	return n
}

// hostWords is the greatest number of words of a layer.
func (c Config) hostWords() (n int) {
	for l := range c.layers() {
		n = max(n, c.words(l))
	}
	return n
}
