package simtest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/drive"
)

// Sig is the signal with a full name, which exists.
func Sig(t testing.TB, s *sim.Sim, path string) sim.Signal {
	t.Helper()
	x, err := s.Signal(path)
	require.NoError(t, err)
	return x
}

// HasClock reports whether the top has a clock.
func HasClock(d *ir.Design) bool {
	for i := range d.Top.Ports {
		if d.Top.TypeOf(d.Top.Ports[i].Type).Kind == ir.Clock {
			return true
		}
	}
	return false
}

// Full is a Writer that has no room from some byte on.
type Full struct {
	Left int // bytes that still fit
}

// ErrFull is the error of a Full without room.
var ErrFull = errors.New("no room")

// Write fails where b does not fit, and from then on.
func (f *Full) Write(b []byte) (int, error) {
	if f.Left -= len(b); f.Left < 0 {
		return 0, ErrFull
	}
	return len(b), nil
}

// BeforeCompile has f called before anything is compiled, until the result is called.
func BeforeCompile(f func()) (restore func()) {
	old := drive.BeforeCompile
	drive.BeforeCompile = f
	return func() { drive.BeforeCompile = old }
}
