package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/pack"
	"etch/sim/net"
)

// Options configure New.
type Options struct {
	Features cpu.Features
	Plain    bool           // no specialisation
	Policy   *choose.Policy // nil: Standard
	Recover  bool           // a panic while compiling is noted in the Report, and the present code goes on
	// First is the first of PartScratch scratch words that no other code on the same state uses; 0:
	// there are none. With them, code with parts may go on where its last call ended ([Lasting]).
	First int
}

func (o *Options) policy() *choose.Policy {
	if o.Policy == nil {
		return choose.Standard()
	}
	return o.Policy
}

// Runner is machine code that advances a state.
type Runner interface {
	// Run runs up to cycles cycles, at least 1, on the state at base. It returns the number of
	// cycles left when the net stopped, else 0.
	Run(base unsafe.Pointer, cycles uint64) (left uint64)
	// Scratch is the number of words below base that the code uses.
	Scratch() int
	// Size is the number of bytes of machine code at present.
	Size() int
	// CycleEffort estimates a cycle at present, in machine cycles. Callers bound calls by it.
	CycleEffort() float64
	// Close frees the code.
	Close() error
}

// New compiles a net: packed where most work repeats, adaptive where there is control state,
// else plain. Errors: those of Compile.
func New(n *net.Net, o Options) (Runner, error) {
	if !Supported(o.Features) {
		return nil, ErrUnsupported
	}

	// Packs come first: a net whose work is mostly repetition has no use for bodies.
	pol := o.policy()
	if emit.Here.Vectors(o.Features) {
		if k, rest := pack.Find(n, &pol.Packs); k != nil && k.Share > pol.Packs.Most {
			return compilePacked(k, rest, o)
		}
	}

	if o.Plain {
		return compilePlain(n, o, 0)
	}

	// Independent machines need bodies of their own, because their states multiply.
	if e := newTeam(n, o); e != nil {
		return e, e.start()
	}
	e := newEngine(n, o)
	if e == nil {
		return compileGated(n, o)
	}

	// One machine. Large nets try parts before bodies.
	if err := e.start(); err != nil || len(n.N) < pol.Parts.LeastNodes {
		return e, err
	}
	return newScout(n, e, o)
}
