//go:build !unix

package benchtool

import "time"

// processor is the time on the clock, for lack of another.
func processor() time.Duration { return time.Since(began) }

var began = time.Now()
