//go:build !((linux || darwin || windows) && (amd64 || arm64))

package exec

import (
	"errors"
	"unsafe"
)

// MaxSize is the most bytes that one Memory can have.
const MaxSize = 1 << 30

// The part of the stack that the code may use: none here.
const (
	SpillOffset = 0
	SpillBytes  = 0
)

var errUnsupported = errors.New("exec: no machine code on this platform")

// Memory is pages that are writable or executable; there are none here.
type Memory struct{}

// Supported tells whether this platform has New and Call; it has not.
func Supported() bool { return false }

// New fails on this platform.
func New(int) (*Memory, error) { return nil, errUnsupported }

// Bytes is nil on this platform.
func (*Memory) Bytes() []byte { return nil }

// Text is nil on this platform.
func (*Memory) Text() []byte { return nil }

// Addr is 0 on this platform.
func (*Memory) Addr() uintptr { return 0 }

// Seal fails on this platform.
func (*Memory) Seal() error { return errUnsupported }

// Unseal fails on this platform.
func (*Memory) Unseal() error { return errUnsupported }

// Close has nothing to free.
func (*Memory) Close() error { return nil }

// Call panics on this platform.
func Call(uintptr, unsafe.Pointer, uint64, uint64) uint64 { panic(errUnsupported) }
