package model

import "sort"

// Eval is the bit-exact model of the circuit: integer sensor codes in, counts,
// action words or a class out. It is independent of the hardware generator and
// optimises nothing away, so it may judge it. The slices that its methods
// return belong to the Eval and hold until the next call; an Eval is for one
// goroutine at a time.
type Eval struct {
	model *Model
	enc   []encoderDim
	net   network
	roms  [][]int
}

// encoderDim holds one dimension's comparators. A row has its Ones first and
// its Zeros last, so a code sets the first ones + |{T < code}| bits.
type encoderDim struct {
	ones int
	t    []int
}

// NewEval returns an evaluator of a folded model.
func NewEval(f *Folded) *Eval {
	e := &Eval{model: f.Model, net: newNetwork(f.Model), enc: make([]encoderDim, len(f.Bits))}

	// Constant bits need no comparison: those that are 1 count as a number at once.
	for d, row := range f.Bits {
		for _, b := range row {
			switch b.Kind {
			case One:
				e.enc[d].ones++
			case Compare:
				e.enc[d].t = append(e.enc[d].t, b.T)
			}
		}
	}

	if f.Model.Head.Kind.ROM() {
		e.roms = make([][]int, f.Model.Groups())
		for i := range e.roms {
			e.roms[i] = f.Model.ROM(i)
		}
	}
	return e
}

// Encode returns the D·B thermometer bits, a byte of 0 or 1 each, of D sensor
// codes.
func (e *Eval) Encode(codes []int) []uint8 {
	bits := e.net.values[0]
	clear(bits)
	b := e.model.B()

	// The bits that are set are the first of the row, so a binary search finds their number.
	for d := range e.enc {
		set := e.enc[d].ones + sort.SearchInts(e.enc[d].t, codes[d])
		row := bits[d*b : d*b+set]
		for k := range row {
			row[k] = 1
		}
	}
	return bits
}

// Layers returns the outputs, a byte of 0 or 1 each, of every LUT layer.
func (e *Eval) Layers(codes []int) [][]uint8 {
	e.Encode(codes)
	e.net.run()
	return e.net.values[1:]
}

// Counts returns the popcount of every group, 0..G, for D sensor codes.
func (e *Eval) Counts(codes []int) []int {
	e.Encode(codes)
	return e.net.run()
}

// Act sets out, one word a group, to the DAC codes for D sensor codes. The head
// must be a ROM head.
func (e *Eval) Act(codes []int, out []int) {
	for i, c := range e.Counts(codes) {
		out[i] = e.roms[i][c]
	}
}

// Class returns the index of the largest count, the lowest one on ties.
func (e *Eval) Class(codes []int) int { return argmax(e.Counts(codes)) }

func argmax(v []int) int {
	best := 0
	for i, c := range v {
		if c > v[best] {
			best = i
		}
	}
	return best
}

// network evaluates LUT layers and popcounts, a byte a bit.
type network struct {
	layers []flatLayer
	values [][]uint8 // values[0] is the encoder, values[i+1] layer i
	group  int
	counts []int
}

type flatLayer struct {
	n      int
	pins   []uint32 // n per LUT
	tables []uint64
}

func newNetwork(m *Model) network {
	n := network{
		values: [][]uint8{make([]uint8, m.EncoderBits())},
		group:  m.GroupSize(),
		counts: make([]int, m.Groups()),
	}

	// Flat pins: one slice a layer instead of one a table keeps the loop in the cache.
	for i := range m.Layers {
		l := &m.Layers[i]
		flat := flatLayer{n: l.N, tables: l.Tables, pins: make([]uint32, 0, l.N*l.Width())}
		for _, pins := range l.Pins {
			for _, bit := range pins {
				flat.pins = append(flat.pins, uint32(bit))
			}
		}
		n.layers = append(n.layers, flat)
		n.values = append(n.values, make([]uint8, l.Width()))
	}
	return n
}

// run evaluates the layers on values[0] and returns the counts.
func (n *network) run() []int {
	for i := range n.layers {
		n.layers[i].run(n.values[i], n.values[i+1])
	}

	// Outputs of a group are neighbours; their ones are its count.
	last := n.values[len(n.values)-1]
	for g := range n.counts {
		c := 0
		for _, bit := range last[g*n.group : (g+1)*n.group] {
			c += int(bit)
		}
		n.counts[g] = c
	}
	return n.counts
}

func (l *flatLayer) run(in, out []uint8) {
	if l.n == 6 {
		l.run6(in, out)
		return
	}

	for j := range out {
		address := 0
		for p, bit := range l.pins[j*l.n : (j+1)*l.n] {
			address |= int(in[bit]) << p
		}
		out[j] = uint8(l.tables[j] >> address & 1)
	}
}

// run6 is run for n = 6, unrolled: the usual arity, at less than half the time.
func (l *flatLayer) run6(in, out []uint8) {
	for j := range out {
		p := l.pins[j*6 : j*6+6 : j*6+6]
		address := in[p[0]] | in[p[1]]<<1 | in[p[2]]<<2 | in[p[3]]<<3 | in[p[4]]<<4 | in[p[5]]<<5
		// Inputs are 0 or 1, so the mask changes nothing; it spares the shift its check.
		out[j] = uint8(l.tables[j] >> (address & 63) & 1)
	}
}
