package checkpoint

import "fmt"

// rebuildTensor is _rebuild_tensor_v2(storage, offset, size, stride,
// requires_grad, hooks[, metadata]); of these the last three do not matter.
// The older _rebuild_tensor has the first four.
func (m *machine) rebuildTensor(args tuple) (any, error) {
	if len(args) < 4 || len(args) > 7 {
		return nil, fmt.Errorf("%d arguments", len(args))
	}
	s, ok := args[0].(*storage)
	if !ok {
		return nil, fmt.Errorf("the storage is %s", kindOf(args[0]))
	}
	offset, ok := args[1].(int64)
	if !ok {
		return nil, fmt.Errorf("the offset is %s", kindOf(args[1]))
	}

	// Shape and stride are checked against the storage by newTensor.
	shape, err := ints(args[2])
	if err != nil {
		return nil, fmt.Errorf("size: %w", err)
	}
	stride, err := ints(args[3])
	if err != nil {
		return nil, fmt.Errorf("stride: %w", err)
	}
	return newTensor(s.dtype, shape, stride, offset, s.numel, s.src, s.order)
}

// rebuildParameter is _rebuild_parameter(tensor, requires_grad, hooks).
func (m *machine) rebuildParameter(args tuple) (any, error) {
	if len(args) == 3 {
		if t, ok := args[0].(*Tensor); ok {
			return t, nil
		}
	}
	return nil, fmt.Errorf("expected a tensor")
}

// ints returns the elements of a tuple of small integers.
func ints(v any) ([]int, error) {
	t, ok := v.(tuple)
	if !ok {
		return nil, fmt.Errorf("expected a tuple, found %s", kindOf(v))
	}
	if len(t) > maxDims {
		return nil, fmt.Errorf("%d dimensions; at most %d", len(t), maxDims)
	}

	// Bounds keep products of sizes far from overflow.
	out := make([]int, len(t))
	for i, v := range t {
		n, ok := v.(int64)
		if !ok {
			return nil, fmt.Errorf("element %d is %s", i, kindOf(v))
		}
		if n < 0 || n > maxElements {
			return nil, fmt.Errorf("element %d, %d, is out of range", i, n)
		}
		out[i] = int(n)
	}
	return out, nil
}
