package learner

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/pipe"
)

// walk is the work of a stage along its pipeline: the word that it addresses at stage 0,
// by its tiles, and the sample.
type walk struct {
	tiling
	stage Stage

	valid  pipe.Value[hw.Bit]  // there is a word; reset
	acting pipe.Value[hw.Bit]  // of a single sample that is none of a step
	input  pipe.Value[hw.UInt] // tile of inputs
	output pipe.Value[hw.UInt] // tile of outputs
	word   pipe.Value[hw.UInt]
	sample pipe.Value[hw.UInt] // 0 to beats − 1, of DP samples each
}

// counter counts a loop of n turns; one of a single turn takes no register.
func counter(m *hw.Module, name string, n int) hw.UInt {
	if n == 1 {
		return hw.Zeros(1)
	}
	return hw.Reg(m, name, hw.AddressOf(n))
}

// count sets a counter if it has a register.
func count(x hw.UInt, n int, to hw.UInt) {
	if n > 1 {
		x.Set(to)
	}
}

// walk makes the counters of a stage. They start with launch and run for all samples
// of a step, or for a single one. A stage whose layer has few words may rest in its last
// beat when the next step begins, and is stopped by that.
func (t tiling) walk(m *hw.Module, beat int, g Stage, begin, launch, single hw.Bit) walk {
	v := m.Scope(g.Name)

	// Counters of the loops: tiles within words, words within a beat, beats within a step.
	in, out, words, beats := t.inputTiles(g.Layer), t.outputTiles(g.Layer), t.words(g.Layer), t.beats()
	on := hw.Reg(v, "on", hw.Bit{}, hw.Low)
	within := hw.Reg(v, "within", hw.Bit{}) // not yet past the last word
	cycle := hw.Reg(v, "cycle", hw.AddressOf(beat))
	input, output := counter(v, "input", in), counter(v, "output", out)
	word, sample := counter(v, "word", words), counter(v, "sample", beats)
	restart := func() {
		within.Set(hw.High)
		cycle.Set(cycle.Lit(0))
		count(input, in, hw.U(0))
		count(output, out, hw.U(0))
		count(word, words, hw.U(0))
	}

	// Words lie along the inputs: with the outputs inside, the next word is a row further.
	inner, turns, outer, outerTurns := input, in, output, out
	next, wrapped := word.Inc(), word.Inc()
	if g.InputsOutside {
		inner, turns, outer, outerTurns = output, out, input, in
		next, wrapped = word.Add(word.Lit(in%max(words, 2))), arith.Resize(input, word.Width()).Inc()
	}
	v.When(on, func() {
		// The two loops within a beat, then the beats.
		cycle.Set(cycle.Inc())
		end := inner.Is(turns - 1)
		count(inner, turns, hw.Mux(end, inner.Lit(0), inner.Inc()))
		count(word, words, hw.Mux(end, wrapped, next))
		v.When(end, func() {
			count(outer, outerTurns, outer.Inc())
			within.SetIf(outer.Is(outerTurns-1), hw.Low)
		})
		v.When(cycle.Is(beat-1), func() {
			restart()
			count(sample, beats, sample.Inc())
			on.SetIf(single.Or(sample.Is(beats-1)), hw.Low)
		})
	})

	// A step's beginning stops the rest of the last one; a launch in that cycle comes behind it
	// and wins.
	v.When(begin, func() { on.Set(hw.Low) })
	v.When(launch, func() {
		restart()
		on.Set(hw.High)
		count(sample, beats, hw.U(0))
	})

	return walk{
		tiling: t, stage: g,
		valid:  pipe.Of(v, "valid", 0, on.And(within), hw.Low),
		acting: pipe.Of(v, "acting", 0, single),
		input:  pipe.Of(v, "input", 0, input),
		output: pipe.Of(v, "output", 0, output),
		word:   pipe.Of(v, "word", 0, word),
		sample: pipe.Of(v, "sample", 0, sample),
	}
}

// summed reports whether a stage has the last tile of inputs of a sum along them,
// lastOutput whether it has the last tile of outputs.
func (w walk) summed(stage int) hw.Bit {
	return w.valid.At(stage).And(w.input.At(stage).Is(w.inputTiles(w.stage.Layer) - 1))
}

func (w walk) lastOutput(stage int) hw.Bit {
	return w.output.At(stage).Is(w.outputTiles(w.stage.Layer) - 1)
}

// inputsInside sets inputs past the end of the layer to 0, of a tile that is there at a
// stage; outputsInside does so with outputs.
func (w walk) inputsInside(stage int, x lanes) lanes {
	l := w.stage.Layer
	return inside(x, w.sizes[l], w.tile(l).In, w.input.At(stage).Is(w.inputTiles(l)-1))
}

func (w walk) outputsInside(stage int, x lanes) lanes {
	l := w.stage.Layer
	return inside(x, w.sizes[l+1], w.tile(l).Out, w.output.At(stage).Is(w.outputTiles(l)-1))
}

// flagsInside are flags of outputs, low past the end of the layer.
func (w walk) flagsInside(stage int, flags []hw.Bit) []hw.Bit {
	var v word
	for _, f := range flags {
		v = append(v, f.UInt())
	}
	var all []hw.Bit
	for _, f := range w.outputsInside(stage, lanes{v})[0] {
		all = append(all, f.Bit(0))
	}
	return all
}

func inside(x lanes, size, tile int, last hw.Bit) lanes {
	// Only the last tile may be too long.
	rest := size % tile
	if rest == 0 || len(x[0]) < tile { // of DQN's values only one has a gradient
		return x
	}

	y := make(lanes, len(x))
	for n, v := range x {
		y[n] = append(y[n], v[:rest]...)
		for _, e := range v[rest:] {
			y[n] = append(y[n], hw.Gate(last.Not(), e))
		}
	}
	return y
}
