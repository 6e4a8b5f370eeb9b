package learner

import "etch/hw"

// stack is a network under construction: its memories, and the buffers between its
// stages by the layer in front.
type stack struct {
	tiling
	Passes
	b              *core
	online, target network

	// through: besides the gradient of the loss there is that of the value by the
	// network's inputs, which changes none of its weights. It belongs to other lanes, and
	// its pass meets the words of weights together with the loss's.
	through bool

	activations []*buffer // of the lanes that learn
	passing     []*buffer // of the others, for forward passes only
	signs       []*buffer // which activations were positive, for the gradient that goes through
	gradients   []*buffer // of the last layer the loss's
	byInputs    []*buffer // of the gradient that goes through
}

// newStack makes the memories of a network, whose first layer has a number for the host.
func newStack(b *core, name string, t tiling, p Passes, first int) *stack {
	t.tally = b.tally
	s := &stack{tiling: t, Passes: p, b: b}
	s.gradients, s.byInputs = make([]*buffer, t.layers()), make([]*buffer, t.layers())
	for l := range t.layers() {
		chosen := b.host.Layer.Is(first + l)
		s.online = append(s.online, t.newLayer(b.m.Scope(name+"online", l), l, Weight, b.host, chosen.AndNot(b.host.Target)))
		s.target = append(s.target, t.newLayer(b.m.Scope(name+"target", l), l, t.targetKind(), b.host, chosen.And(b.host.Target)))
	}
	return s
}

// buffer makes one behind a layer, which has its outputs; a backward pass writes it in
// tiles of the next layer's inputs.
func (s *stack) buffer(name string, l, slots, lanes int, code hw.UInt, backward bool) *buffer {
	write, read := s.tile(l).Out, s.tile(l+1).In
	if backward {
		write, read = read, write
	}
	return s.newBuffer(s.b.m, hw.Name(s.Forward[l].Name+"_"+name), code, slots, lanes, s.sizes[l+1], write, read)
}

// streams are the lanes of a network's forward passes. The online network runs on now,
// which it learns from, and with the same words on other inputs, if there are any; the
// target network runs on next states.
type streams struct{ now, next, other lanes }

// forwards makes the forward passes of all layers. Inputs of the first one are there at
// stage 1 of its walk, outputs at stage 6 of the last one's.
func (s *stack) forwards(learning bool, inputs func(walk) streams) (w walk, out streams) {
	for l, stage := range s.Forward {
		w = s.b.walk(s.tiling, stage, learning)
		m := s.b.m.Scope(stage.Name)

		in := inputs(w)
		if l == s.last() && s.through {
			in.other = nil // their values are not wanted
		}

		// The online network's words meet all its lanes; the target's words are others.
		valid, online := s.forward(m.Scope("online"), w, s.online[l], append(in.now[:s.dp:s.dp], in.other...), true)
		_, next := s.forward(m.Scope("target"), w, s.target[l], in.next, false)
		out = streams{online[:s.dp], next, online[s.dp:]}

		if l < s.last() {
			s.pass(l, w, valid, out)
			inputs = s.passed
		}
	}
	return w, out
}

// pass stores the outputs of a layer. Outputs that a backward pass reads too have a
// memory of their own.
func (s *stack) pass(l int, w walk, valid hw.Bit, out streams) {
	code, sample, tile := s.arithmetic().Code(Activation), w.sample.At(6), w.output.At(6)
	activations := s.buffer("kept", l, s.Activations[l], s.dp, code, false)
	activations.write(valid, sample, tile, out.now)
	s.activations = append(s.activations, activations)

	// A gradient that goes through needs of the other lanes only where they were positive.
	forward := out.next[:s.dp:s.dp]
	if s.through {
		signs := s.buffer("signs", l, s.Activations[l], s.dp, hw.Unsigned(1), false)
		signs.write(valid, sample, tile, s.positive(out.other).codes())
		s.signs = append(s.signs, signs)
	}

	if !s.through || l+1 < s.last() {
		forward = append(forward, out.other...)
	}
	passing := s.buffer("passing", l, s.Passing[l], len(forward), code, false)
	passing.write(valid, sample, tile, forward)
	s.passing = append(s.passing, passing)
}

// passed is the input of a layer behind the first at stage 1.
func (s *stack) passed(w walk) streams {
	l, sample, tile := w.stage.Layer-1, w.sample.At(0), w.input.At(0)
	now := w.inputsInside(1, s.activations[l].read("forward", w.valid.At(0), sample, tile))
	passing := w.inputsInside(1, s.passing[l].read("forward", w.valid.At(0), sample, tile))
	return streams{now, passing[:s.dp], passing[s.dp:]}
}

// descent holds the inputs of a network's backward passes besides its own buffers.
type descent struct {
	inputs func(walk) lanes                  // of the first layer, at stage 1
	hot    func(walk) hw.Vec[hw.Vec[hw.Bit]] // at stage 1, the action taken; nil: outputs have a gradient each
	wanted []column                          // columns of the first layer's tile through which a gradient goes
}

// backwards makes the backward passes, gradients and updates of all layers, from the
// last one on. If a gradient goes through, it returns that by the inputs, at stage 6 of
// the first layer's walk.
func (s *stack) backwards(d descent) (w walk, valid hw.Bit, byInputs lanes) {
	for l := s.last(); l >= 0; l-- {
		stage := s.Backward[l]
		w = s.b.walk(s.tiling, stage, true)
		m, at := s.b.m.Scope(stage.Name), w.valid.At(0)

		// Operands: inputs of the layer, gradients of its outputs, weights.
		inputs := d.inputs
		if l > 0 {
			inputs = func(w walk) lanes {
				return w.inputsInside(1, s.activations[l-1].read("backward", at, w.sample.At(0), w.input.At(0)))
			}
		}
		x := hw.Delay(m, "input", inputs(w), 1)
		g := gradients{by: s.operands(m.Scope("loss"), w, s.gradients[l])}

		// Of DQN's last layer the weights of the action taken. Otherwise columns: all columns of a
		// hidden layer, and of the first layer the columns that a gradient goes through.
		columns := d.wanted
		if l > 0 {
			columns = s.whole(l)
		}
		var weights word
		var outgoing func(lane, input int) word
		switch {
		case d.hot != nil && l == s.last():
			hot := d.hot(w)
			g.cold = hw.Delay(m, "cold", inverted(hot), 1)
			if l > 0 {
				outgoing = s.taken(m, w, hot)
			}
		case len(columns) > 0:
			weights = s.columns(m, w, columns)
			outgoing = s.columnsOf(l, weights)
		}

		// Gradients of the inputs, of the loss and of the value, and the sums of the weights'.
		if l > 0 {
			valid, back := s.backward(m.Scope("back"), w, outgoing, g, s.positive(x), columns)
			s.gradients[l-1] = s.back("gradients", l, w, valid, back)
		}
		if s.through {
			valid, byInputs = s.goThrough(m.Scope("through"), w, weights, columns)
			if l > 0 {
				s.byInputs[l-1] = s.back("through", l, w, valid, byInputs)
			}
		}
		s.gradient(m.Scope("gradient"), w, g, x, update{s.online[l], s.target[l], s.b.synchronise, s.b.tau, s.b.busy})
	}
	return w, valid, byInputs
}

// columns are columns of the words of weights for backward passes, at stage 2; the others
// are unset.
func (s *stack) columns(m *hw.Module, w walk, columns []column) word {
	x := s.online[w.stage.Layer].weights.mem.SyncRead("backward", w.word.At(0), hw.Undefined)
	weights, tile := make(word, len(x)), s.tile(w.stage.Layer)
	for o := range tile.Out {
		for _, c := range columns {
			at := o*tile.In + c.at
			weights[at] = hw.Delay(m, hw.Name("weight", at), x[at], 1)
		}
	}
	return weights
}

// inverted are the bits of all lanes, inverted: as registers they may reset others with no
// inverter between.
func inverted(lanes hw.Vec[hw.Vec[hw.Bit]]) hw.Vec[hw.Vec[hw.Bit]] {
	not := make(hw.Vec[hw.Vec[hw.Bit]], len(lanes))
	for n, bits := range lanes {
		for _, b := range bits {
			not[n] = append(not[n], b.Not())
		}
	}
	return not
}

// taken gives the weights of DQN's last layer that belong to the action taken, or 0 where
// it is none of the tile: a register for each, which stands behind the choice.
func (s *stack) taken(m *hw.Module, w walk, hot hw.Vec[hw.Vec[hw.Bit]]) func(lane, input int) word {
	l := w.stage.Layer
	column := s.columnsOf(l, s.online[l].weights.mem.SyncRead("backward", w.word.At(0), hw.Undefined))
	taken := make(lanes, len(hot))
	for n := range hot {
		for i := range s.tile(l).In {
			x := hw.OneHotMux(hw.FromBits(hot[n]...), column(n, i))
			taken[n] = append(taken[n], hw.Delay(m.Scope("lane", n), hw.Name("weight", i), x, 1))
		}
	}
	return func(lane, input int) word { return taken[lane][input : input+1] }
}

// goThrough is the pass of the gradient that goes through a layer.
func (s *stack) goThrough(m *hw.Module, w walk, weights word, columns []column) (valid hw.Bit, back lanes) {
	// The mask of its own lanes, as a buffer of signs has it.
	l := w.stage.Layer
	var positive masks
	if l > 0 {
		signs := w.inputsInside(1, s.signs[l-1].read("backward", w.valid.At(0), w.sample.At(0), w.input.At(0)))
		for n, x := range hw.Delay(m, "signs", signs, 1) {
			positive = append(positive, nil)
			for _, v := range x {
				positive[n] = append(positive[n], v.Any())
			}
		}
	}

	if l == s.last() {
		return s.fromOne(m, w, weights, positive, columns)
	}
	return s.backward(m, w, s.columnsOf(l, weights), gradients{by: s.operands(m, w, s.byInputs[l])}, positive, columns)
}

// operands are gradients by a tile of outputs, at stage 2.
func (s *stack) operands(m *hw.Module, w walk, from *buffer) lanes {
	by := from.read("backward", w.valid.At(0), w.sample.At(0), w.output.At(0))
	return hw.Delay(m, "by", w.outputsInside(1, by), 1)
}

// back stores gradients by the inputs of a layer, which are the gradients of its
// predecessor's outputs.
func (s *stack) back(name string, l int, w walk, valid hw.Bit, values lanes) *buffer {
	x := s.buffer(name, l-1, s.Gradients[l-1], s.dp, s.arithmetic().Code(Gradient), true)
	x.write(valid, w.sample.At(6), w.input.At(6), values)
	return x
}
