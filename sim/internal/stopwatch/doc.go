// Package stopwatch measures durations of a few microseconds, for the contests of two kinds of
// code and the bound of a call.
//
// On Windows time.Now advances by half a millisecond or more at once: a contest of short runs
// would compare zero with zero, and neither kind would be found faster. There the processor's
// counter is read instead.
package stopwatch
