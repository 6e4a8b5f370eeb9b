package simtest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
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

// full is a Writer that has no room from some byte on.
type Full struct{ Left int }

// ErrFull is its error.
var ErrFull = errors.New("no room")

func (f *Full) Write(b []byte) (int, error) {
	if f.Left -= len(b); f.Left < 0 {
		return 0, ErrFull
	}
	return len(b), nil
}
