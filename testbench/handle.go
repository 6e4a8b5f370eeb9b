package testbench

import (
	"unsafe"

	"etch/hw"
)

// A test that reads every port in every cycle asks millions of times a second which port a
// handle stands for. This file makes the answer cheap without a look into the handle: it
// compares the bytes of handles, and asks hw only for new ones.

// key is the bytes of a handle: handles with equal bytes are equal.
type key [unsafe.Sizeof(hw.Bit{}) / unsafe.Sizeof(uintptr(0))]uintptr

// boxed is the layout of an interface value in Go's runtime.
type boxed struct {
	kind uintptr
	data *key
}

// The kinds of handles that have a key; all have its size.
var bitKind, uintKind, sintKind = kindOf(hw.Bit{}), kindOf(hw.UInt{}), kindOf(hw.SInt{})

// kindOf returns the type word of a handle.
func kindOf(sig hw.Signal) uintptr { return (*boxed)(unsafe.Pointer(&sig)).kind }

// keyOf returns the key of a handle, nil for other kinds. It points into sig and is valid as
// long as sig.
func keyOf(sig *hw.Signal) *key {
	b := (*boxed)(unsafe.Pointer(sig))
	if b.kind == sintKind || b.kind == uintKind || b.kind == bitKind {
		return b.data
	}
	return nil
}

// place returns a hash of the key: the place where the table is searched first.
func (k *key) place() uintptr {
	at := (k[0]>>4 ^ k[1]) * 0x9e3779b1
	// The high bits are folded into the low ones, to which the table's mask cuts the place.
	return at ^ at>>16
}

// known is an entry of the table of handles.
type known struct {
	key  key
	p    *port
	keep hw.Signal // a copy of the handle: keeps alive the objects whose addresses are in key
}

// mostProbes is the number of places that are searched for a handle. A handle that finds all of
// them taken is not stored.
const mostProbes = 8

// knownSize returns the size of the table for n ports: a power of two, at most a quarter full.
func knownSize(n int) int {
	size := 16
	for size < 4*n {
		size *= 2
	}
	return size
}

// handle hides sig from the compiler's escape analysis. A handle is three words, and every call
// of a method that boxes one would allocate them; the callee must not keep the result.
func handle(sig hw.Signal) hw.Signal {
	words := *(*[2]uintptr)(unsafe.Pointer(&sig))
	return *(*hw.Signal)(unsafe.Pointer(&words))
}

// copied returns a copy of a handle that may be kept.
func copied(sig hw.Signal) hw.Signal {
	switch s := handle(sig).(type) {
	case hw.Bit:
		return s
	case hw.UInt:
		return s
	case hw.SInt:
		return s
	}
	return nil
}
