package train

// A layer's backward pass goes LUT by LUT, and all that a LUT's update needs is
// its own: so gradients live in a small scratch space and the update follows
// at once. Only the derivatives by the layer's inputs are gathered across
// LUTs, one sum per shard, added in a fixed order.

// layerErrs holds derivatives around one layer for the batch's blocks.
type layerErrs struct {
	// out[b][j] is the derivative of the loss by LUT j's output.
	out [][]*[lanes]float32
	// in[shard][b][i] is the shard's sum of derivatives by input i; nil for
	// the first layer, whose inputs nobody trains.
	in [shards][][][lanes]float32
}

// scratch is one shard's working space for a layer.
type scratch struct {
	f, table [64]float32
	addr     [lanes]uint8
	pins     [6][lanes]float32
	scores   []float32 // [n][inputs]
	hist     []float32
}

func newScratch(layers []*lutLayer, perDim int) *scratch {
	s := &scratch{hist: make([]float32, perDim+1)}
	most := 0
	for _, l := range layers {
		most = max(most, l.n*l.inputs)
	}
	s.scores = make([]float32, most)
	return s
}

// gradients computes LUT j's derivatives over all blocks: by its table into
// sc.table, by its mapping scores into sc.scores, and by the layer's inputs
// into errs.in. at is the layer's index.
func (l *lutLayer) gradients(sc *scratch, j, at, shard int, blocks []*block, errs *layerErrs) {
	size := 1 << l.n

	// F depends on the table alone, so one transform serves all blocks.
	butterfly(&sc.f, l.table[j*size:(j+1)*size])
	clear(sc.table[:size])
	scores := sc.scores[:l.n*l.inputs]
	if l.scores != nil {
		clear(scores)
	}

	// A block is 64 samples, a lane each: all of a LUT's derivatives come from its 64 addresses
	// and output gradients.
	var words [6]uint64
	for b, blk := range blocks {
		out := errs.out[b][j]
		addresses(&sc.addr, l.gather(&words, blk.bits[at], j))
		tableGradient(&sc.table, &sc.addr, out)

		// The first layer passes nothing back; without scores there are no gradients of pins
		// either.
		if l.scores == nil && at == 0 {
			continue
		}
		pinGradients(sc.pins[:l.n], &sc.f, &sc.addr, out)
		for i := range l.n {
			p := &sc.pins[i]
			if at > 0 {
				l.inputGradient(errs.in[shard][b], j*l.n+i, p)
			}
			if l.scores != nil {
				scoreGradient(scores[i*l.inputs:(i+1)*l.inputs], sc.hist, blk, at, p)
			}
		}
	}
}

// inputGradient adds column c's derivative by the layer's inputs.
func (l *lutLayer) inputGradient(in [][lanes]float32, c int, p *[lanes]float32) {
	if l.scores == nil {
		addScaled(&in[l.pins[c]], 1, p)
		return
	}
	scatter(in, l.scores[c*l.inputs:(c+1)*l.inputs], l.pins[c], p)
}

// scoreGradient adds one pin's derivative by its mapping scores, in layer at.
func scoreGradient(grad, hist []float32, blk *block, at int, p *[lanes]float32) {
	if at > 0 {
		bitScores(grad, blk.bits[at], p)
		return
	}

	// The bits of the first layer are thermometers: one pass over the levels serves all thresholds of
	// a dimension.
	perDim := len(grad) / len(blk.levels)
	for d := range blk.levels {
		thermometerScores(grad[d*perDim:(d+1)*perDim], hist, &blk.levels[d], p)
	}
}

// learn updates the shard's LUTs of the layer by one Adam step.
func (l *lutLayer) learn(sc *scratch, at, shard int, blocks []*block, errs *layerErrs, tables, scores adamStep) {
	if at > 0 {
		for b := range errs.in[shard] {
			clear(errs.in[shard][b])
		}
	}

	// A LUT's parameters belong to one shard, so the shards write to nothing in common.
	size, cols := 1<<l.n, l.n*l.inputs
	from, to := part(shard, l.width)
	for j := from; j < to; j++ {
		l.gradients(sc, j, at, shard, blocks, errs)
		tables.apply(l.table[j*size:(j+1)*size], sc.table[:size],
			l.tableAdam.m[j*size:], l.tableAdam.v[j*size:])
		if l.scores != nil {
			scores.apply(l.scores[j*cols:(j+1)*cols], sc.scores[:cols],
				l.scoreAdam.m[j*cols:], l.scoreAdam.v[j*cols:])
		}
		l.settle(j)
	}
}
