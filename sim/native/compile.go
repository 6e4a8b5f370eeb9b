package native

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/switches"
	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// ErrUnsupported reports that this processor or system has no native engine.
var ErrUnsupported = fmt.Errorf("native: no machine code on %s/%s, only on linux, darwin and windows with amd64 that has POPCNT, or arm64", runtime.GOOS, runtime.GOARCH)

// Supported reports whether code for features f can be compiled and run on this machine.
func Supported(f cpu.Features) bool {
	return emit.Here != nil && exec.Supported() && emit.Here.Runs(f)
}

// maxCode bounds the machine code of one net, in bytes.
const maxCode = 512 << 20

// Code is a net compiled to machine code that runs any number of cycles. Several goroutines may
// use it at once, each with a state of its own.
type Code struct {
	mem     *exec.Memory
	scratch int
	size    int
	nodes   int
	keeps   bool    // see Keeper
	banks   int     // banks of look-ups
	gates   int     // regions behind gates
	parts   int     // parts of a partition
	packs   int     // runs of registers in vectors
	cycle   float64 // see CycleEffort
}

// Compile makes plain code of a net: one body for all states, packed where that pays. Errors:
// ErrUnsupported; the system grants no executable memory.
func Compile(n *net.Net, f cpu.Features) (*Code, error) {
	return compilePlain(n, Options{Features: f}, 0)
}

// compilePlain is Compile with options, and with packs only if they save at least some share of the
// work.
func compilePlain(n *net.Net, o Options, leastShare float32) (*Code, error) {
	f := o.Features
	if !Supported(f) {
		return nil, ErrUnsupported
	}

	// A repetition in the net that pays as packs takes precedence.
	if emit.Here.Vectors(f) {
		if k, rest := pack.Find(n, &o.policy().Packs); k != nil && k.Share >= leastShare {
			return compilePacked(k, rest, o)
		}
	}

	// Otherwise schedule the whole net, as one body.
	c := plainCode(emit.Here, n, o.policy())
	text, err := emit.Plain(emit.Here, c, f)
	if err != nil {
		return nil, err
	}
	code, err := newCode(text, int(c.Scratch), len(n.N))
	if err == nil {
		code.banks, code.cycle = len(c.N.Banks), o.policy().PlainCycle(c.N, len(text))
	}
	return code, err
}

// plainCode schedules a whole net for one body.
func plainCode(t emit.Target, n *net.Net, pol *choose.Policy) *schedule.Code {
	s := schedule.Scheduler{Costs: &pol.Branches}
	c := schedule.Prepare(&s, n.Verified("New").Gather(&pol.Net.Banks), net.Assume{}, emit.FirstScratch)
	c.Allocate(&schedule.Allocator{}, t.Registers(emit.InPlain))
	return c
}

// newCode copies machine code into executable memory.
func newCode(text []byte, scratch, nodes int) (*Code, error) {
	if len(text) > maxCode {
		return nil, errors.New("native: the design takes more than 512 MB of machine code")
	}
	mem, err := exec.New(len(text))
	if err != nil {
		return nil, err
	}
	if switches.Dump != "" {
		os.WriteFile(switches.Dump, text, 0o644)
	}

	// The pages are writable until Seal and executable after it, never both.
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

// CycleEffort implements [Runner].
func (c *Code) CycleEffort() float64 { return c.cycle }

// Run runs up to cycles cycles, at least 1, on the state at base. It returns the number of
// cycles left when the net stopped, else 0.
func (c *Code) Run(base unsafe.Pointer, cycles uint64) uint64 {
	// The code is reached through its address alone: without KeepAlive the collector may free it
	// while it runs.
	left := exec.Call(c.mem.Addr(), base, cycles, 0)
	runtime.KeepAlive(c)
	return left
}

// Close frees the code. Nothing may be running it.
func (c *Code) Close() error { return c.mem.Close() }

// Adapts reports whether New and NewClass specialise code on this platform.
func Adapts() bool { return emit.Here != nil }
