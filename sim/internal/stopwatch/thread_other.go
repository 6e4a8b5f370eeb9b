//go:build !linux

package stopwatch

import "time"

// Processor is the time since the program began: these systems tell the processor time of a thread
// not at all, or in steps longer than a run of a contest.
func Processor() time.Duration { return began.Elapsed() }

var began = Start()
