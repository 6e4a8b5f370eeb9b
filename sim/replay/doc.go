// Package replay opens a recorded run and goes to any of its cycles, forwards or backwards: there
// every node of every instance can be read, named or not, though nothing was dumped.
//
//	r, err := replay.Of(s.Recorded())
//	err = r.Go(15)                          // behind 15 edges, as the test saw it before the next
//	line, err := r.Sim().Signal("line")
//	fmt.Println(r.Sim().Get(line))
//	err = r.Go(3)
//
// A run is a design and a [sim.Recording] of all calls to it. [Of] takes one from the
// simulator that makes it, [Create] makes a file of it, and package runfile reads the file: a line
// with the format's version, the lengths of its two parts and their checksum (CRC-32), the
// design as package ir/text prints it, and the recording. A file of another version, cut short
// or changed is refused with one error.
//
// Replay goes forwards only, so going back restores a checkpoint, kept on the way, and replays
// from there. There are at most 128 of them; their distance doubles when they are full.
//
// A Run is not safe for concurrent use. The package imports sim, ir and
// ir/text/printer.
package replay
