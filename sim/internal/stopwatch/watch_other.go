//go:build !windows

package stopwatch

import "time"

// Watch is the moment of a Start.
type Watch time.Time

// Start starts a stopwatch.
func Start() Watch { return Watch(time.Now()) }

// Elapsed is the time since the start.
func (w Watch) Elapsed() time.Duration { return time.Since(time.Time(w)) }
