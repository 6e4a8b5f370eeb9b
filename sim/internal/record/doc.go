// Package record holds the common part of the writers of wave files: the variables of a
// simulator by scope, the changes of their values in order of time, and the file that appears
// when it is complete. A format is an [Encoder]; a [Recorder] calls it.
//
// Time never goes back: after Restart or Restore of the simulator the record goes on from where
// it was. A clock's value in the simulator is always 0; the record gets its levels from the
// edges. Equal runs give equal calls.
//
// The package imports ir, ir/output, sim and the standard library.
package record
