package testbench

import (
	"unsafe"

	"etch/hw"
)

// A test that touches every port in every cycle asks millions of times a second
// which port a handle stands for. This file makes the answer cheap without
// knowing what is in a handle.

// key is a handle's bytes: handles with equal bytes are equal.
type key [unsafe.Sizeof(hw.Bit{}) / unsafe.Sizeof(uintptr(0))]uintptr

// boxed is how Go lays out an interface value.
type boxed struct {
	kind uintptr
	data *key
}

// The kinds of handle that are remembered; all have the size of a key.
var bitKind, uintKind, sintKind = kindOf(hw.Bit{}), kindOf(hw.UInt{}), kindOf(hw.SInt{})

func kindOf(sig hw.Signal) uintptr { return (*boxed)(unsafe.Pointer(&sig)).kind }

// keyOf returns the key of a handle, nil for kinds that are not remembered. It
// is good while sig is.
func keyOf(sig *hw.Signal) *key {
	b := (*boxed)(unsafe.Pointer(sig))
	if b.kind == sintKind || b.kind == uintKind || b.kind == bitKind {
		return b.data
	}
	return nil
}

// place is where to look for a key first.
func (k *key) place() uintptr {
	at := (k[0]>>4 ^ k[1]) * 0x9e3779b1
	return at ^ at>>16
}

// known is what a bench remembers of a handle.
type known struct {
	key  key
	p    *port
	keep hw.Signal // a copy: what the key points to stays where it is
}

// mostProbes is how many places a handle may be in; one that finds all of them
// taken is asked for every time.
const mostProbes = 8

// knownSize is the number of places to remember handles of n ports in: a power
// of two with room between them.
func knownSize(n int) int {
	size := 16
	for size < 4*n {
		size *= 2
	}
	return size
}

// handle is sig in a form that the compiler does not keep on the heap: a handle
// is three words, and a call that boxes it would allocate them every time. The
// callee must not keep it.
func handle(sig hw.Signal) hw.Signal {
	words := *(*[2]uintptr)(unsafe.Pointer(&sig))
	return *(*hw.Signal)(unsafe.Pointer(&words))
}

// copied is a copy of a handle that may be kept.
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
