package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
)

// The machine's values are Go's nil, bool, int64, float64, string and
// []byte, and the following.
type (
	// tuple is immutable, list and dict are shared by reference as in Python.
	tuple []any
	list  struct{ items []any }
	// dict keeps the order in which keys were first set; see key.
	dict struct {
		keys   []string
		values map[string]any
	}
	// global is a name that the machine knows: module and name with a dot.
	global string
	// storage is the raw data of one or several tensors.
	storage struct {
		dtype DType
		numel int64
		src   io.ReaderAt
		order binary.ByteOrder
	}
	// npType is a numpy dtype; order is nil for single bytes. An empty dtype is
	// that of text or objects.
	npType struct {
		dtype DType
		order binary.ByteOrder
	}
	// npArray is a numpy array: empty until its state is set. foreign is one
	// whose elements are no numbers.
	npArray struct {
		tensor  *Tensor
		foreign bool
	}
)

// key returns the text of a dictionary key. Integers and strings that look
// alike clash; state dictionaries have strings alone.
func key(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	return "", fmt.Errorf("a dictionary key is %s, not text or an integer", kindOf(v))
}

func (d *dict) set(k, v any) error {
	name, err := key(k)
	if err != nil {
		return err
	}

	// Order of first insertion, as Python's.
	if d.values == nil {
		d.values = map[string]any{}
	}
	if _, known := d.values[name]; !known {
		d.keys = append(d.keys, name)
	}
	d.values[name] = v
	return nil
}

// kindOf names the kind of a value for an error message.
func kindOf(v any) string {
	// Containers, text and numbers are named by kind alone: their contents are a stranger's and may
	// be large.
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case string:
		return "text"
	case []byte:
		return "bytes"
	case tuple:
		return "a tuple"
	case *list:
		return "a list"
	case *dict:
		return "a dictionary"
	case *Tensor:
		return "a tensor"
	case *npArray, *npType:
		return "a numpy object"
	case *storage:
		return "a storage"
	case *object:
		return "an instance of " + string(v.class)
	case global:
		return "the name " + string(v)
	}
	return "something unknown"
}
