// Package stopwatch measures durations of a few microseconds: real time for the bound of a call
// ([Start]), processor time of the thread for contests of two kinds of code ([Processor]).
//
// On Windows time.Now advances by half a millisecond or more at once: a contest of short runs
// would compare zero with zero, and neither kind would be found faster. There the processor's
// counter is read instead.
package stopwatch
