package checkpoint

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"

	"etch/designs/dwc/model"
)

// layout is where a checkpoint keeps a policy: prefix + net.1 … net.L are LUT
// layers, net.(L+1) sums groups and has no parameters, net.(L+2) is the head.
type layout struct {
	ck     *Checkpoint
	prefix string // "fc_mean.", "actor_mean.", …
	layers int    // L
}

var lutsName = regexp.MustCompile(`^(|.*\.)net\.([0-9]{1,4})\.luts$`)

// findController finds the policy of the controllers' authors' scripts.
func findController(ck *Checkpoint, opt *Options) (*source, bool, error) {
	l, err := findLayout(ck)
	if err != nil {
		return nil, l != nil, err
	}

	// The scripts sac.py and ddpg.py call the actor fc_mean, ppo.py actor_mean.
	kind := model.HeadKind(opt.Head)
	if kind == "" {
		kind = map[string]model.HeadKind{"fc_mean.": model.SAC, "actor_mean.": model.PPO}[l.prefix]
	}

	// The head is part of the layout unless it needs no parameters.
	s := &source{layout: l.prefix + "net", head: kind, inputs: l.inputs(), layers: l.all}
	s.logAlpha, s.beta, err = l.head()
	switch noAffine := l.ck.Tensor(l.name(l.layers+2, "log_alpha")) == nil && l.ck.Tensor(l.name(l.layers+2, "beta")) == nil; {
	case err == nil:
		s.groups = len(s.beta)
	case noAffine && (kind == model.Counts || kind == model.Argmax):
		s.groups = opt.Classes
	default:
		return nil, true, err
	}
	return s, true, nil
}

// all reads the layers in order.
func (l *layout) all(inputs int) ([]model.Layer, error) {
	var out []model.Layer

	// The layers of tables begin at net.1; each reads the one before.
	for i := 1; i <= l.layers; i++ {
		layer, err := readLuts(l.ck, fmt.Sprintf("%snet.%d.", l.prefix, i), inputs)
		if err != nil {
			return nil, err
		}
		out = append(out, layer)
		inputs = layer.Width()
	}
	return out, nil
}

// findLayout finds the one policy in a checkpoint. Where there are several,
// the names that the authors' scripts use decide. With an error a layout tells
// that some of its tensors are there.
func findLayout(ck *Checkpoint) (*layout, error) {
	// The numbers of the layers by prefix, and the prefixes in the order of the tensors.
	var prefixes []string
	found := map[string]map[int]bool{}
	for _, t := range ck.Tensors {
		part := lutsName.FindStringSubmatch(t.Name)
		if part == nil {
			continue
		}
		i, _ := strconv.Atoi(part[2]) // digits, by the expression
		if found[part[1]] == nil {
			prefixes = append(prefixes, part[1])
			found[part[1]] = map[int]bool{}
		}
		found[part[1]][i] = true
	}
	if len(prefixes) == 0 {
		return nil, fmt.Errorf("no tensor is named net.1.luts, with or without a prefix: not a LUT controller of the authors' scripts")
	}

	// Of several networks the actor is meant.
	prefix := prefixes[0]
	if len(prefixes) > 1 {
		switch {
		case found["fc_mean."] != nil:
			prefix = "fc_mean."
		case found["actor_mean."] != nil:
			prefix = "actor_mean."
		default:
			return &layout{}, fmt.Errorf("several networks, none of them fc_mean or actor_mean: %s and %s", clip(prefixes[0]+"net"), clip(prefixes[1]+"net"))
		}
	}

	// Layers count from 1 without a gap.
	l := &layout{ck: ck, prefix: prefix, layers: len(found[prefix])}
	for i := 1; i <= l.layers; i++ {
		if !found[prefix][i] {
			return l, fmt.Errorf("%d layers, but no %s", l.layers, l.name(i, "luts"))
		}
	}
	return l, nil
}

func (l *layout) name(i int, part string) string {
	return fmt.Sprintf("%snet.%d.%s", l.prefix, i, part)
}

// inputs returns the number of bits that layer 1 reads where the checkpoint
// tells, which is where the layer's mapping was learnable; else 0.
func (l *layout) inputs() int {
	if w := l.ck.Tensor(l.name(1, "mapping.weights")); w != nil && len(w.Shape) == 2 {
		return w.Shape[0]
	}
	return 0
}

// head returns the affine map of the regression head.
func (l *layout) head() (logAlpha, beta []float64, err error) {
	for _, part := range []struct {
		name string
		to   *[]float64
	}{{"log_alpha", &logAlpha}, {"beta", &beta}} {
		name := l.name(l.layers+2, part.name)
		t := l.ck.Tensor(name)
		if t == nil {
			return nil, nil, fmt.Errorf("no %s: with %d LUT layers the head should be there", name, l.layers)
		}
		if len(t.Shape) != 1 || t.Shape[0] < 1 || t.Shape[0] > model.MaxGroups {
			return nil, nil, fmt.Errorf("%s: shape %v; must be one number for each of 1..%d actions", name, t.Shape, model.MaxGroups)
		}
		v, err := t.Float64s()
		if err != nil {
			return nil, nil, err
		}
		*part.to = v
	}

	// Element i of both belongs to action i.
	if len(logAlpha) != len(beta) {
		return nil, nil, fmt.Errorf("%s has %d numbers, beta %d", l.name(l.layers+2, "log_alpha"), len(logAlpha), len(beta))
	}
	return logAlpha, beta, nil
}

// readLuts reads the LUT layer whose tensors' names start with prefix and a
// given number of input bits. A table of one input becomes one of two that reads
// its bit twice.
func readLuts(ck *Checkpoint, prefix string, inputs int) (model.Layer, error) {
	out := model.Layer{Inputs: inputs}
	luts := ck.Tensor(prefix + "luts")
	if len(luts.Shape) != 2 || luts.Shape[0] < 1 || luts.Shape[0] > model.MaxWidth {
		return out, fmt.Errorf("%s: shape %v; must be [LUTs, 2^n] with 1..%d LUTs", luts.Name, luts.Shape, model.MaxWidth)
	}

	// The width of a row says how many inputs a table has.
	entries := luts.Shape[1]
	out.N = bits.Len(uint(entries)) - 1
	if entries != 1<<out.N || out.N < 1 || out.N > model.MaxLUTInputs {
		return out, fmt.Errorf("%s: %d entries a LUT; must be 2^n with n in 1..%d", luts.Name, entries, model.MaxLUTInputs)
	}

	var err error
	if out.Tables, err = tables(luts); err != nil {
		return out, err
	}
	if out.Pins, err = pins(ck, prefix+"mapping", inputs, out.Width(), out.N); err != nil {
		return out, err
	}

	// The netlist has no table of one input: its input is connected twice.
	if out.N == 1 {
		// Only the addresses 00 and 11 occur.
		out.N = 2
		for j, t := range out.Tables {
			out.Tables[j] = t&1 | t>>1<<3
			out.Pins[j] = []int{out.Pins[j][0], out.Pins[j][0]}
		}
	}
	return out, nil
}

// tables sets an entry where the trained value is above 0.
func tables(luts *Tensor) ([]uint64, error) {
	out := make([]uint64, luts.Shape[0])
	err := luts.Rows(func(j int, values []float64) error {
		for a, v := range values {
			switch {
			case math.IsNaN(v):
				return fmt.Errorf("%s: entry [%d, %d] is NaN", luts.Name, j, a)
			case v > 0:
				out[j] |= 1 << a
			}
		}
		return nil
	})
	return out, err
}

// pins reads a layer's mapping. The tensor _LUTLayer__dummy_mapping, which has
// the shape of a mapping, is none and is never looked at.
func pins(ck *Checkpoint, name string, inputs, luts, n int) ([][]int, error) {
	weights, fixed := ck.Tensor(name+".weights"), ck.Tensor(name)
	var flat []int
	var err error
	switch {
	case weights != nil && fixed != nil:
		return nil, fmt.Errorf("both %s and %s are there", weights.Name, fixed.Name)
	case weights != nil:
		flat, err = argmaxColumns(weights, inputs, luts*n)
	case fixed != nil:
		flat, err = fixedMapping(fixed, inputs, luts, n)
	default:
		return nil, fmt.Errorf("neither %s nor %s.weights is there", name, name)
	}
	if err != nil {
		return nil, err
	}

	// Pin k of table j is entry j·n + k.
	pins := make([][]int, luts)
	for j := range pins {
		pins[j] = flat[j*n : (j+1)*n : (j+1)*n]
	}
	return pins, nil
}

func fixedMapping(t *Tensor, inputs, luts, n int) ([]int, error) {
	if len(t.Shape) != 2 || t.Shape[0] != luts || t.Shape[1] != n {
		return nil, fmt.Errorf("%s: shape %v; must be [%d, %d]", t.Name, t.Shape, luts, n)
	}

	flat, err := t.Ints()
	if err != nil {
		return nil, err
	}

	// A pin beyond the inputs would read outside of the layer before.
	for k, bit := range flat {
		if bit < 0 || bit >= inputs {
			return nil, fmt.Errorf("%s: entry [%d, %d] is input %d, out of range 0..%d", t.Name, k/n, k%n, bit, inputs-1)
		}
	}
	return flat, nil
}

// argmaxColumns returns the row of the largest weight of every column, the
// lowest row on ties: the input that a learnable mapping has settled on. It
// reads the matrix, which may be larger than memory, row by row.
func argmaxColumns(t *Tensor, rows, columns int) ([]int, error) {
	if len(t.Shape) != 2 || t.Shape[0] != rows || t.Shape[1] != columns {
		return nil, fmt.Errorf("%s: shape %v; must be [%d, %d]: inputs, LUTs × n", t.Name, t.Shape, rows, columns)
	}

	best, at := make([]float64, columns), make([]int, columns)
	err := t.Rows(func(row int, values []float64) error {
		for c, v := range values {
			if v != v {
				return fmt.Errorf("%s: entry [%d, %d] is NaN", t.Name, row, c)
			}
			// The first row sets every column, since all weights may be negative.
			if v > best[c] || row == 0 {
				best[c], at[c] = v, row
			}
		}
		return nil
	})
	return at, err
}
