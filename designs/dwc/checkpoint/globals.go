package checkpoint

import (
	"fmt"
	"strings"
)

// storageTypes are PyTorch's storage classes.
var storageTypes = map[global]DType{
	"torch.DoubleStorage":   F64,
	"torch.FloatStorage":    F32,
	"torch.HalfStorage":     F16,
	"torch.BFloat16Storage": BF16,
	"torch.LongStorage":     I64,
	"torch.IntStorage":      I32,
	"torch.ShortStorage":    I16,
	"torch.CharStorage":     I8,
	"torch.ByteStorage":     U8,
	"torch.BoolStorage":     Bool,
}

// reducers are the callables that a pickle may name, with their results.
// Nothing of Python's is called: each is re-stated here.
var reducers = map[global]func(m *machine, args tuple) (any, error){
	"collections.OrderedDict":             (*machine).orderedDict,
	"torch._utils._rebuild_tensor":        (*machine).rebuildTensor,
	"torch._utils._rebuild_tensor_v2":     (*machine).rebuildTensor,
	"torch._utils._rebuild_parameter":     (*machine).rebuildParameter,
	"torch.Size":                          (*machine).size,
	"numpy.dtype":                         (*machine).npDType,
	"numpy.core.multiarray._reconstruct":  (*machine).npReconstruct,
	"numpy._core.multiarray._reconstruct": (*machine).npReconstruct,
	"numpy.core.multiarray.scalar":        (*machine).npScalar,
	"numpy._core.multiarray.scalar":       (*machine).npScalar,
	"_codecs.encode":                      (*machine).encode,
}

// constants are names that only ever stand as arguments.
var constants = map[global]bool{"numpy.ndarray": true}

// global reads a name. Names that only programs need are refused at once; others
// that are not known may stand for the class of a foreign object.
func (m *machine) global(op byte) (any, error) {
	var module, name string
	var err error

	// GLOBAL has two lines of text, STACK_GLOBAL takes two strings from the stack.
	if op == 'c' {
		if module, err = m.line(); err == nil {
			name, err = m.line()
		}
	} else {
		var items []any
		if items, err = m.popN(2); err == nil {
			var ok1, ok2 bool
			module, ok1 = items[0].(string)
			name, ok2 = items[1].(string)
			if !ok1 || !ok2 {
				err = fmt.Errorf("a name that is not text")
			}
		}
	}
	if err != nil {
		return nil, err
	}

	// Names are only looked at; those of modules that can do harm are refused.
	g := global(module + "." + name)
	if strings.HasPrefix(module, "__torch__") {
		return nil, refused(g, " (this looks like TorchScript: save the state dictionary instead)")
	}
	if root, _, _ := strings.Cut(module, "."); programs[root] && !passive[g] {
		return nil, refused(g, "")
	}
	return g, nil
}

// reduce carries out a call: one of the reducers on a tuple.
func (m *machine) reduce() (any, error) {
	items, err := m.popN(2)
	if err != nil {
		return nil, err
	}

	// The classes of storages and the constants stand as arguments; nobody calls them.
	g, isName := items[0].(global)
	args, isTuple := items[1].(tuple)
	switch {
	case !isName || !isTuple || storageTypes[g] != "" || constants[g]:
		return nil, fmt.Errorf("calls %s with %s", kindOf(items[0]), kindOf(items[1]))
	case passive[g]:
		return &object{class: g}, nil
	case reducers[g] == nil:
		return nil, refused(g, "")
	}

	// Known functions only, which this package implements itself.
	v, err := reducers[g](m, args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g, err)
	}
	return v, nil
}

// orderedDict is OrderedDict() or OrderedDict(pairs).
func (m *machine) orderedDict(args tuple) (any, error) {
	d := &dict{}
	if len(args) == 0 {
		return d, nil
	}
	pairs, ok := args[0].(*list)
	if !ok || len(args) != 1 {
		return nil, fmt.Errorf("expected a list of pairs")
	}

	// A copy costs memory, which a small file must not multiply without bound. A pair counts as 64
	// bytes.
	if m.copied += 64 * len(pairs.items); m.copied > maxCopy {
		return nil, fmt.Errorf("copies too much")
	}

	for _, p := range pairs.items {
		k, v, ok := pair(p)
		if !ok {
			return nil, fmt.Errorf("expected a list of pairs")
		}
		if err := d.set(k, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func pair(p any) (k, v any, ok bool) {
	switch p := p.(type) {
	case tuple:
		if len(p) == 2 {
			return p[0], p[1], true
		}
	case *list:
		if len(p.items) == 2 {
			return p.items[0], p.items[1], true
		}
	}
	return nil, nil, false
}

func (m *machine) size(args tuple) (any, error) {
	if len(args) == 1 {
		if t, ok := args[0].(tuple); ok {
			return t, nil
		}
	}
	return nil, fmt.Errorf("expected a tuple")
}

// build sets the state of an object: attributes of a dictionary, which a state
// dictionary uses for version notes, are dropped; numpy objects take theirs.
func (m *machine) build(target, state any) error {
	switch t := target.(type) {
	case *dict:
		if _, ok := state.(*dict); !ok {
			return fmt.Errorf("a dictionary's attributes are %s", kindOf(state))
		}
		return nil
	case *npType:
		return t.setState(state)
	case *npArray:
		return m.setArray(t, state)
	case *object:
		t.state = state
		return nil
	}
	return fmt.Errorf("sets the state of %s", kindOf(target))
}

// persistent resolves ('storage', type, key, location, elements).
func (m *machine) persistent(id any) (any, error) {
	t, ok := id.(tuple)
	if !ok || len(t) < 5 || t[0] != any("storage") {
		return nil, fmt.Errorf("a persistent id that is not a storage")
	}

	if len(t) > 5 && t[5] != nil {
		return nil, fmt.Errorf("a view of a storage, from an old version of PyTorch, is not supported")
	}

	// The location, t[3], is a device such as cuda:0 and means nothing here.
	class, ok1 := t[1].(global)
	key, ok2 := t[2].(string)
	numel, ok3 := t[4].(int64)
	dtype, ok4 := storageTypes[class]
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, fmt.Errorf("a storage's type, key or size is wrong")
	}
	return m.storages.storage(key, dtype, numel)
}
