// Package record is what the writers of wave files share: the variables of a
// simulator by scope, the changes of their values in order of time, and the file
// that appears when it is complete. A format is an [Encoder]; a [Recorder] tells
// it what happens.
//
// Time never goes back: after Restart or Restore of the simulator the record goes
// on from where it was. A clock, whose value is 0, gets its level from the edges.
// Equal runs give equal calls.
//
// The package imports the standard library, ir, sim.
package record
