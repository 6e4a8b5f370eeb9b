package lanes

import (
	"fmt"

	"etch/sim"
)

// Stop is the stop of one lane.
type Stop struct {
	Lane int
	sim.Stop
}

// String is the stop in one line, with its lane.
func (s Stop) String() string { return fmt.Sprintf("lane %d: %s", s.Lane, s.Stop) }

// Stops returns the first stop of every lane that has one, by cycle, then by lane.
func (l *Lanes) Stops() []Stop { return l.stops }

// firstStops adds the stops of lanes that had none before.
func firstStops(have, more []Stop) []Stop {
	had := map[int]bool{}
	for _, s := range have {
		had[s.Lane] = true
	}
	for _, s := range more {
		if !had[s.Lane] {
			had[s.Lane] = true
			have = append(have, s)
		}
	}
	return have
}
