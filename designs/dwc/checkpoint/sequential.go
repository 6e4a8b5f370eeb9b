package checkpoint

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"etch/designs/dwc/model"
)

// sequence is an nn.Sequential: modules prefix0, prefix1, … of which some are
// layers and the rest has no parameters.
type sequence struct {
	ck     *Checkpoint
	prefix string // "", "model.", …
	layers []int  // indexes of the layers, ascending
}

// findSequence finds the modules whose tensor is accepted by is, all of them in
// one nn.Sequential. It returns nil if there is none.
func findSequence(ck *Checkpoint, part string, is func(*Tensor) bool) (*sequence, error) {
	name := regexp.MustCompile(`^(|.*\.)([0-9]{1,4})\.` + part + `$`)
	var s *sequence
	for _, t := range ck.Tensors {
		match := name.FindStringSubmatch(t.Name)
		if match == nil || !is(t) {
			continue
		}
		if s == nil {
			s = &sequence{ck: ck, prefix: match[1]}
		}

		// One network only: which of two is meant cannot be guessed.
		if s.prefix != match[1] {
			return s, fmt.Errorf("two networks, %s and %s: save one of them", clip(s.prefix+"*."+part), clip(match[1]+"*."+part))
		}
		i, _ := strconv.Atoi(match[2]) // digits, by the expression
		s.layers = append(s.layers, i)
	}
	if s != nil {
		slices.Sort(s.layers)
	}
	return s, nil
}

func (s *sequence) name(i int, part string) string {
	return fmt.Sprintf("%s%d.%s", s.prefix, i, part)
}

// attributes of modules that have no say in the network's logic. A whole module
// has them, a state dictionary does not.
var attributes = map[string]bool{
	"training": true, "k": true, "tau": true, "randperm": true, "p": true, "inplace": true, "start_dim": true, "end_dim": true,
	"_is_full_backward_hook": true, "call_super_init": true, "dump_patches": true,
}

// transparent are classes, by their last name, that pass bits on or add them up.
var transparent = map[string]bool{"GroupSum": true, "Flatten": true, "Identity": true, "Dropout": true, "STE": true}

// check refuses parts that the circuit would leave out: parameters of modules that are
// no layers, and modules of other classes. known are the parts of a layer.
func (s *sequence) check(class string, known ...string) error {
	// A name without an index, such as thresholds, does not belong to the sequence.
	for _, t := range s.ck.Tensors {
		i, part, ok := s.split(t.Name)
		layer := slices.Contains(s.layers, i)
		switch {
		case !ok, attributes[part], strings.HasPrefix(part, "_"):
		case !layer:
			return fmt.Errorf("%s is a parameter of a module that is no %s: the circuit would leave it out", t.Name, class)
		case !slices.ContainsFunc(known, func(k string) bool { return part == k || strings.HasPrefix(part, k+".") }):
			return fmt.Errorf("%s is not a part of a %s", t.Name, class)
		}
	}

	// Modules without parameters show in the classes only.
	var paths []string
	for path := range s.ck.Classes {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		i, _, ok := s.split(path + ".")
		name := s.ck.Classes[path]
		if last := name[strings.LastIndex(name, ".")+1:]; ok && path == fmt.Sprintf("%s%d", s.prefix, i) && last != class && !transparent[last] {
			return fmt.Errorf("%s is a %s, which the circuit would leave out", path, name)
		}
	}
	return nil
}

// split takes a name of the sequence apart: index and the rest.
func (s *sequence) split(name string) (i int, part string, ok bool) {
	rest, ok := strings.CutPrefix(name, s.prefix)
	if !ok {
		return 0, "", false
	}
	digits, part, ok := strings.Cut(rest, ".")
	i, err := strconv.Atoi(digits)
	return i, part, ok && err == nil
}

// groupSum sets how the outputs are summed, where a whole module GroupSum tells.
func (s *sequence) groupSum(to *source, width int) error {
	for _, t := range s.ck.Tensors {
		switch i, part, ok := s.split(t.Name); {
		case !ok || i <= s.layers[len(s.layers)-1]:
		case part == "k" && len(t.Shape) == 0:
			v, err := t.Float64s()
			if err != nil {
				return err
			}
			to.groups = int(v[0])

		// The permutation of the outputs before they are summed in groups.
		case part == "randperm":
			order, err := t.Ints()
			if err != nil {
				return err
			}
			if err := checkPermutation(t.Name, order, width); err != nil {
				return err
			}
			to.order = order
		}
	}
	return nil
}

// checkPermutation reports the first element by which order is no permutation of 0..width-1.
func checkPermutation(name string, order []int, width int) error {
	if len(order) != width {
		return fmt.Errorf("%s has %d elements for %d outputs", name, len(order), width)
	}
	seen := make([]int, width) // 1 + the index of the element that names an output
	for i, v := range order {
		switch {
		case v < 0 || v >= width:
			return fmt.Errorf("%s: element %d is output %d, out of range 0..%d", name, i, v, width-1)
		case seen[v] > 0:
			return fmt.Errorf("%s: elements %d and %d are both output %d", name, seen[v]-1, i, v)
		}
		seen[v] = i + 1
	}
	return nil
}

// findDWN finds an nn.Sequential of torch_dwn's LUTLayer.
func findDWN(ck *Checkpoint, opt *Options) (*source, bool, error) {
	s, err := findSequence(ck, "luts", func(*Tensor) bool { return true })
	switch {
	case s == nil:
		return nil, false, fmt.Errorf("no tensor is named 0.luts, with or without a prefix")
	case err != nil:
		return nil, true, err
	}
	if err := s.check("LUTLayer", "luts", "mapping", "input_size", "output_size", "n", "ste", "clamp_luts", "alpha", "beta"); err != nil {
		return nil, true, err
	}

	// Trained without the straight-through estimator, a layer gives numbers between 0 and 1.
	for _, i := range s.layers {
		if t := ck.Tensor(s.name(i, "ste")); t != nil {
			if v, err := t.Float64s(); err != nil || len(v) != 1 || v[0] != 1 {
				return nil, true, fmt.Errorf("%s is off: the layer's outputs are no bits", t.Name)
			}
		}
	}

	// The number of inputs: the height of a learnable mapping, or stored.
	out := &source{layout: "dwn " + s.prefix, layers: s.luts}
	first := s.layers[0]
	if w := ck.Tensor(s.name(first, "mapping.weights")); w != nil && len(w.Shape) == 2 {
		out.inputs = w.Shape[0]
	} else if out.inputs, err = s.count(first, "input_size"); err != nil {
		return nil, true, err
	}
	last := ck.Tensor(s.name(s.layers[len(s.layers)-1], "luts"))
	return out, true, s.groupSum(out, last.Shape[0])
}

func (s *sequence) luts(inputs int) ([]model.Layer, error) {
	var out []model.Layer

	for _, i := range s.layers {
		layer, err := readLuts(s.ck, s.name(i, ""), inputs)
		if err != nil {
			return nil, err
		}
		out = append(out, layer)
		inputs = layer.Width()
	}
	return out, nil
}

// count reads a whole number that a module has as attribute, 0 if it has not.
func (s *sequence) count(i int, part string) (int, error) {
	t := s.ck.Tensor(s.name(i, part))
	if t == nil {
		return 0, nil
	}

	// A number is a tensor of one element after flatten.
	v, err := t.Float64s()
	if err != nil || len(v) != 1 || v[0] < 1 || v[0] > model.MaxEncoderBits || v[0] != float64(int(v[0])) {
		return 0, fmt.Errorf("%s is not a number in 1..%d", t.Name, model.MaxEncoderBits)
	}
	return int(v[0]), nil
}
