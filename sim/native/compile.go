package native

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	"etch/sim/net"
)

// ErrUnsupported says that this processor or system has no native engine.
var ErrUnsupported = errors.New("native: no machine code on this platform")

// Supported reports whether code for features f can be made and run here.
func Supported(f cpu.Features) bool {
	return here != nil && exec.Supported() && here.runs(f)
}

// Scratch words that all code has.
const (
	cyclesWord = iota // cycles that are still to do
	flagWord
	firstScratch
)

// maxCode bounds the machine code of one net, in bytes.
const maxCode = 512 << 20

// Code is a net as machine code that runs any number of its cycles. It may be
// used by several goroutines at once, each with a state of its own.
type Code struct {
	mem     *exec.Memory
	scratch int
	size    int
	nodes   int
	keeps   bool // see Keeper
}

// Compile makes straight code of a net: one body for all states. Errors:
// ErrUnsupported; the system gives no memory for code.
func Compile(n *net.Net, f cpu.Features) (*Code, error) {
	if !Supported(f) {
		return nil, ErrUnsupported
	}
	if here.vectors(f) {
		if k, rest := findPacks(n, narrowFrom); k != nil {
			return compilePacked(k, rest, f)
		}
	}
	c := plainCode(here, n)
	text, err := plainText(here, c, f)
	if err != nil {
		return nil, err
	}
	return newCode(text, int(c.scratch), len(n.N))
}

// plainCode schedules all of a net for one body.
func plainCode(t target, n *net.Net) *code {
	var s scheduler
	c := prepare(&s, n.Gather(), net.Assume{}, firstScratch)
	c.allocate(&allocator{}, t.registers(inPlain))
	return c
}

// prepare schedules a net and finds what its code keeps aside; scratch is the
// first scratch word that it may use.
func prepare(s *scheduler, n *net.Net, as net.Assume, scratch int32) *code {
	c := &code{n: n, scratch: scratch, out: s.run(n, as)}
	c.foldTests()
	c.hazards()
	return c
}

// newCode makes machine code executable.
func newCode(text []byte, scratch, nodes int) (*Code, error) {
	if len(text) > maxCode {
		return nil, errors.New("native: the design takes more than 512 MB of machine code")
	}
	mem, err := exec.New(len(text))
	if err != nil {
		return nil, err
	}
	if f := os.Getenv("ETCH_DUMP"); f != "" {
		os.WriteFile(f, text, 0o644)
	}
	copy(mem.Bytes(), text)
	if err := mem.Seal(); err != nil {
		mem.Close()
		return nil, err
	}
	return &Code{mem: mem, scratch: scratch, size: len(text), nodes: nodes}, nil
}

// Scratch is the number of words below the state that the code uses.
func (c *Code) Scratch() int { return c.scratch }

// Size is the number of bytes of machine code.
func (c *Code) Size() int { return c.size }

// Run does up to cycles cycles on the state at base, and returns how many are
// left because the net stopped before them. cycles is at least 1.
func (c *Code) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := exec.Call(c.mem.Addr(), base, cycles, 0)
	runtime.KeepAlive(c)
	return left
}

// Close frees the code. Nothing may be running it.
func (c *Code) Close() error { return c.mem.Close() }
