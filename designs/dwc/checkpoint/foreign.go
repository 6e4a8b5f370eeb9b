package checkpoint

import (
	"fmt"
	"strings"
)

// object is an instance of a class that the machine does not know: a module, a
// version string, a configuration. Its class is a name and stays one; of its
// contents the attributes and, for classes made from dict, the entries are kept.
type object struct {
	class   global
	state   any
	entries dict
}

// programs are the modules whose names a pickle of data has no use for. That a
// name is not among them does not make it safe: nothing is called in any case.
// The list only makes the message for a hostile file plain.
var programs = map[string]bool{
	"builtins": true, "__builtin__": true, "os": true, "posix": true, "nt": true, "subprocess": true, "sys": true,
	"pty": true, "runpy": true, "importlib": true, "ctypes": true, "socket": true, "shutil": true,
}

// passive are callables that plain values beside tensors are pickled by. Their
// results are passed over.
var passive = func() map[global]bool {
	set := map[global]bool{}
	for module, names := range map[string]string{
		"copyreg": "_reconstructor", "copy_reg": "_reconstructor",
		"collections": "defaultdict Counter deque", "datetime": "datetime date timedelta", "decimal": "Decimal", "fractions": "Fraction",
		"pathlib": "Path PosixPath WindowsPath PurePosixPath", "uuid": "UUID",
		"torch": "device", "torch.torch_version": "TorchVersion",
	} {
		for name := range strings.FieldsSeq(names) {
			set[global(module+"."+name)] = true
		}
	}
	// Python 2's name of the module is that of protocol 2.
	for name := range strings.FieldsSeq("set frozenset complex slice range xrange bytearray object list dict tuple int float bool str bytes unicode long") {
		set[global("builtins."+name)], set[global("__builtin__."+name)] = true, true
	}
	return set
}()

func refused(g global, hint string) error {
	return fmt.Errorf("refers to %s, which tensors do not need; refused, nothing was run%s", clip(string(g)), hint)
}

// instance makes an object of a class and n−1 arguments, which are dropped.
func (m *machine) instance(n int) (any, error) {
	items, err := m.popN(n)
	if err != nil {
		return nil, err
	}

	// Classes that have a meaning here must come by their own way.
	g, ok := items[0].(global)
	if !ok || storageTypes[g] != "" || constants[g] || reducers[g] != nil {
		return nil, fmt.Errorf("makes an instance of %s", kindOf(items[0]))
	}
	return &object{class: g}, nil
}

// moduleParts are the attributes under which a torch.nn.Module keeps its
// parameters, buffers and submodules. In a state dictionary they have no name.
var moduleParts = map[string]bool{"_parameters": true, "_buffers": true, "_modules": true}

// object walks the attributes of an instance. Objects may refer to each other in
// circles, so one that is being walked already is passed over.
func (f *flattener) object(name string, o *object, depth int) error {
	for _, open := range f.open {
		if open == o {
			return nil
		}
	}
	f.open = append(f.open, o)
	defer func() { f.open = f.open[:len(f.open)-1] }()

	f.classes[name] = string(o.class)

	// An instance of a class made from dict has entries beside its attributes.
	if err := f.walk(name, &o.entries, depth+1); err != nil {
		return err
	}

	// Attributes, of which the parts of a module keep the name that a state dictionary has.
	states, isPair := o.state.(tuple) // with __slots__: (attributes, slots)
	if !isPair {
		states = tuple{o.state}
	}
	for _, s := range states {
		attributes, ok := s.(*dict)
		if !ok {
			continue
		}
		for _, k := range attributes.keys {
			v, at := attributes.values[k], join(name, k)
			// An attribute such as ste of a LUTLayer is a number to its reader.
			if b, ok := v.(bool); ok {
				v = map[bool]int64{true: 1}[b]
			}
			if moduleParts[k] {
				at = name
			}
			if err := f.walk(at, v, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
