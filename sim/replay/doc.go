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
// Replay goes forwards only, so going back restores a checkpoint, kept on the way, and replays from
// there. There are at most 64 of them at equal distances, and 16 more before the moments that the run
// has gone back to lately.
//
// Recordings are small. These are the longest runs of the examples' tests, without the design, which
// takes 1 to 48 kB of a file (ETCH_RECORD=all go test -short ./designs/examples/... -artifacts):
//
//	design                     cycles   bytes   a cycle
//	protocol, a link           30,528   11,880     0.4
//	i2c, a board                2,796      107     0.04
//	rv32i, a core               1,910    1,727     0.9
//	protocol, a receiver        1,388      104     0.07
//	crossing, a bridge          1,115    1,687     1.5
//	fifo                          409    1,666     4.1
//	regfile                       300    3,487    11.6   random words and addresses in each cycle
//	arbiter                       201      623     3.1
//	pixel, a stage                101      819     8.1
//	systolic array                 18      167     9.3
//
// A set that changes up to 16 bits takes at most 4 bytes, one that changes nothing none.
//
// A Run is not safe for concurrent use. The package imports sim, ir and
// ir/text/printer.
package replay
