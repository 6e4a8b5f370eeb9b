package network

import (
	"etch/designs/dwc/model"
)

// Options choose reductions; the zero value is none.
type Options struct {
	Pins       bool // pins on one bit, pins on constants, pins a table does not depend on
	Unreached  bool // addresses that the order of a thermometer excludes are free to choose
	Constants  bool // tables that came out constant feed their value forward
	Duplicates bool // tables that came out equal are built once
	Dead       bool // tables and comparators that nothing reads are left out
}

// All is every reduction.
var All = Options{Pins: true, Unreached: true, Constants: true, Duplicates: true, Dead: true}

// Counts says how much each reduction removed.
type Counts struct {
	RepeatedPins    int   // pins on a bit that their table already reads
	AffectedLuts    int   // tables with a repeated pin
	ConstantPins    int   // pins on a constant
	IgnoredPins     int   // pins their table does not depend on
	Unreached       int   // addresses that cannot occur, by the order of thermometers
	UnreachedPins   int   // pins dropped thanks to those
	ConstantLuts    int   // tables that are constant, by layer summed
	DuplicateLuts   int   // tables equal to another of their layer
	DeadLuts        []int // tables that nothing reads, per layer
	ConstantBits    int   // encoder bits that are constant
	SharedBits      int   // encoder bits with another's threshold
	DeadComparators int   // comparators that nothing reads
	VotesFixed      int   // last-layer outputs counted as constants
}

// Reduce returns a network with the same counts for all codes, and the numbers of removed cells.
func (n *Network) Reduce(o Options) (*Network, Counts) {
	// Facts about the outputs of a layer reduce the tables of the next one, so layers go from the
	// encoder on. Dead cells are removed last, from the votes back.
	r := &reduction{o: o, in: n, out: &Network{Model: n.Model}}
	facts := r.encoder()
	for i := range n.Layers {
		facts = r.layer(i, facts)
	}
	r.groups(facts)

	r.counts.DeadLuts = make([]int, len(n.Layers))
	if o.Dead {
		r.removeDead()
	}
	return r.out, r.counts
}

type reduction struct {
	o       Options
	in, out *Network
	counts  Counts
}

func (r *reduction) encoder() []fact {
	r.out.Comparators = append([]Comparator(nil), r.in.Comparators...)
	facts := comparatorFacts(r.in.Comparators)

	for i := range facts {
		if r.in.Comparators[i].Kind != model.Compare {
			r.counts.ConstantBits++
		} else if facts[i].root != i && r.o.Duplicates {
			r.counts.SharedBits++
		}

		// Without Duplicates an equal threshold stays a signal of its own.
		if !r.o.Duplicates {
			facts[i].root = i
		}
	}
	return facts
}

// layer reduces one layer, given the known properties of its inputs, and returns those of its
// outputs.
func (r *reduction) layer(at int, in []fact) []fact {
	type key struct {
		pins  [6]int
		n     int
		table uint64
	}

	// A table after its own reduction may be equal to an earlier one, or constant.
	first := map[key]int{}
	var luts []Lut
	facts := make([]fact, len(r.in.Layers[at]))
	for j, l := range r.in.Layers[at] {
		l = r.lut(l, in)
		facts[j] = fact{root: j, value: unknown, dim: -1}
		k := key{n: len(l.Pins), table: l.Table}

		copy(k.pins[:], l.Pins)
		if dup, ok := first[k]; ok && r.o.Duplicates && !l.Constant() {
			facts[j].root = dup
			r.counts.DuplicateLuts++
		} else {
			first[k] = j
		}
		if l.Constant() {
			r.counts.ConstantLuts++
			if r.o.Constants {
				facts[j].value = int8(l.Table & 1)
			}
		}

		// Duplicates and constants keep their place, which facts refer to, until removeDead.
		luts = append(luts, l)
	}
	r.out.Layers = append(r.out.Layers, luts)
	return facts
}

// lut reduces one table.
func (r *reduction) lut(l Lut, in []fact) Lut {
	p := partial{n: len(l.Pins), table: l.Table, care: entries(len(l.Pins))}

	// A pin on a duplicate reads the signal that it equals.
	pins := make([]int, len(l.Pins))
	for i, pin := range l.Pins {
		pins[i] = in[pin].root
	}
	if !r.o.Pins {
		return Lut{Pins: pins, Table: l.Table, Index: l.Index}
	}

	// Equal and constant pins go first; the order of thermometers then frees more
	// addresses, so that fewer pins may do.
	r.countPins(pins, in)
	p.care = reachable(pins, in, false)
	small, keep := p.smallest()
	distinct := r.distinct(pins, in)
	r.counts.IgnoredPins += distinct - small.n

	if r.o.Unreached {
		before := p.care
		p.care = reachable(pins, in, true)
		r.counts.Unreached += ones(before) - ones(p.care)
		ordered, orderedKeep := p.smallest()
		r.counts.UnreachedPins += small.n - ordered.n
		small, keep = ordered, orderedKeep
	}

	out := Lut{Table: small.table, Index: l.Index}
	for i, pin := range pins {
		if keep>>i&1 == 1 {
			out.Pins = append(out.Pins, pin)
		}
	}
	return out
}

func ones(x uint64) int {
	n := 0
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// distinct is the number of different signals among pins that are not constant.
func (r *reduction) distinct(pins []int, in []fact) int {
	n := 0
	for i, p := range pins {
		if in[p].value == unknown && !contains(pins[:i], p) {
			n++
		}
	}
	return n
}

func contains(xs []int, x int) bool {
	for _, y := range xs {
		if x == y {
			return true
		}
	}
	return false
}

func (r *reduction) countPins(pins []int, in []fact) {
	repeated := 0
	for i, p := range pins {
		switch {
		case in[p].value != unknown:
			r.counts.ConstantPins++
		case contains(pins[:i], p):
			repeated++
		}
	}
	r.counts.RepeatedPins += repeated

	if repeated > 0 {
		r.counts.AffectedLuts++
	}
}

// groups redirects the votes to the tables that remain; constant ones are added
// up now.
func (r *reduction) groups(facts []fact) {
	for _, g := range r.in.Groups {
		out := Group{Base: g.Base}
		for _, b := range g.Bits {
			if f := facts[b]; f.value != unknown {
				out.Base += int(f.value)
				r.counts.VotesFixed++
				continue
			}
			out.Bits = append(out.Bits, facts[b].root)
		}
		r.out.Groups = append(r.out.Groups, out)
	}
}

// removeDead leaves out everything that nothing reads, from the last layer back.
func (r *reduction) removeDead() {
	// Only votes are read of the last layer.
	n := r.out
	last := len(n.Layers) - 1
	used := make([]bool, len(n.Layers[last]))
	for _, g := range n.Groups {
		for _, b := range g.Bits {
			used[b] = true
		}
	}
	place := r.compact(last, used)
	for i := range n.Groups {
		for j, b := range n.Groups[i].Bits {
			n.Groups[i].Bits[j] = place[b]
		}
	}

	// Of every layer before it, and of the comparators, keep only signals that a remaining table
	// reads.
	for at := last; at >= 0; at-- {
		width := len(n.Comparators)
		if at > 0 {
			width = len(n.Layers[at-1])
		}
		used := make([]bool, width)
		for j := range n.Layers[at] {
			for _, p := range n.Layers[at][j].Pins {
				used[p] = true
			}
		}

		// Pins follow their signals to the new places.
		if at > 0 {
			place = r.compact(at-1, used)
		} else {
			place = r.compactComparators(used)
		}
		for j := range n.Layers[at] {
			for l, p := range n.Layers[at][j].Pins {
				n.Layers[at][j].Pins[l] = place[p]
			}
		}
	}
}

// compact keeps the used tables of a layer and returns their new places.
func (r *reduction) compact(at int, used []bool) []int {
	place := make([]int, len(used))
	var kept []Lut
	for j, l := range r.out.Layers[at] {
		if !used[j] {
			r.counts.DeadLuts[at]++
			continue
		}
		place[j] = len(kept)
		kept = append(kept, l)
	}
	r.out.Layers[at] = kept
	return place
}

func (r *reduction) compactComparators(used []bool) []int {
	place := make([]int, len(used))
	var kept []Comparator
	for i, c := range r.out.Comparators {
		if !used[i] {
			r.counts.DeadComparators++
			continue
		}
		place[i] = len(kept)
		kept = append(kept, c)
	}
	r.out.Comparators = kept
	return place
}
