package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Limits on the tree that a pickle gives. Shared parts are walked as often as
// they are referred to, so their number must be bounded too.
const (
	maxDepth = 32
	maxNodes = 1 << 20
	maxName  = 512
)

// flatten returns the tensors of a tree of dictionaries, lists and tuples, each
// a copy named by its path. Numbers, and lists of numbers alone, become tensors
// of float64. Text, booleans and None are passed over. Of an instance of a class
// the attributes count, with a boolean as 0 or 1; the second result gives the
// classes of all instances by path. A tensor alone is named "tensor".
func flatten(root any) ([]*Tensor, map[string]string, error) {
	f := &flattener{classes: map[string]string{}}
	switch root.(type) {
	case *dict, *list, tuple, *object:
	case *Tensor, *npArray:
		root = &dict{keys: []string{"tensor"}, values: map[string]any{"tensor": root}}
	default:
		return nil, nil, fmt.Errorf("holds %s, not a dictionary of tensors", kindOf(root))
	}

	err := f.walk("", root, 0)
	return f.tensors, f.classes, err
}

type flattener struct {
	tensors []*Tensor
	classes map[string]string
	open    []*object // being walked
	nodes   int
}

func (f *flattener) walk(name string, v any, depth int) error {
	if f.nodes++; f.nodes > maxNodes {
		return fmt.Errorf("more than %d values", maxNodes)
	}
	if depth > maxDepth {
		return fmt.Errorf("dictionaries and lists nest more than %d deep", maxDepth)
	}

	// Containers give their parts a longer name; numbers become tensors.
	switch v := v.(type) {
	case *dict:
		for _, k := range v.keys {
			if len(k) > maxName {
				return fmt.Errorf("a key of %d bytes; at most %d", len(k), maxName)
			}
			if err := f.walk(join(name, k), v.values[k], depth+1); err != nil {
				return err
			}
		}
		return nil
	case *list:
		return f.sequence(name, v.items, depth)
	case tuple:
		return f.sequence(name, v, depth)
	case *Tensor:
		return f.add(name, v)
	case *object:
		return f.object(name, v, depth)
	case *npArray:
		if v.foreign {
			return nil
		}
		if v.tensor == nil {
			return fmt.Errorf("%s: a numpy array without contents", clip(name))
		}
		return f.add(name, v.tensor)
	case int64:
		return f.add(name, numbers([]float64{float64(v)}, []int{}))
	case float64:
		return f.add(name, numbers([]float64{v}, []int{}))
	}
	return nil
}

func (f *flattener) sequence(name string, items []any, depth int) error {
	if f.nodes += len(items); f.nodes > maxNodes {
		return fmt.Errorf("more than %d values", maxNodes)
	}

	// A list of numbers only is one tensor.
	values := make([]float64, 0, min(len(items), 16))
	for _, v := range items {
		switch v := v.(type) {
		case int64:
			values = append(values, float64(v))
		case float64:
			values = append(values, v)
		}
	}
	if len(values) == len(items) && len(items) > 0 {
		return f.add(name, numbers(values, []int{len(values)}))
	}

	// Indexes become names, as in the state dictionary of an nn.Sequential.
	for i, v := range items {
		if err := f.walk(join(name, fmt.Sprint(i)), v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (f *flattener) add(name string, t *Tensor) error {
	if len(f.tensors) == maxTensors {
		return fmt.Errorf("more than %d tensors", maxTensors)
	}
	if len(name) > maxName {
		return fmt.Errorf("a tensor's name is longer than %d bytes", maxName)
	}

	// A copy: one tensor may stand under two names.
	named := *t
	named.Name = name
	f.tensors = append(f.tensors, &named)
	return nil
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	if len(prefix) > maxName {
		return prefix // add reports it
	}
	return prefix + "." + name
}

// numbers returns a tensor in memory.
func numbers(v []float64, shape []int) *Tensor {
	raw := make([]byte, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return &Tensor{DType: F64, Shape: shape, stride: contiguous(shape), src: bytes.NewReader(raw), order: binary.LittleEndian}
}
