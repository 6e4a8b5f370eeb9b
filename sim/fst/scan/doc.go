// Package scan reads fast signal traces (FST, GTKWave's compact format) of any writer: the
// declarations at once, then the values of chosen signals at a time or over a range.
//
//	f, err := scan.Open("uart.fst")
//	defer f.Close()
//	for _, v := range f.Vars { fmt.Println(f.Path(v), v.Width) }
//	err = f.Changes(net, from, to, func(c scan.Change) error { … })
//
// The file is a list of blocks, each of a stretch of time: the values of all nets at its begin, and a
// packed chain of changes for each net that has any. A block that a question does not concern is
// skipped, and of the others the chains of the asked nets are read only. So memory grows with the
// declarations and with one block's list of chains, whatever the length of the file: at most 130 MB,
// by MaxVars, MaxText and MaxBlock, of which larger parts are an error. A file that is packed as a
// whole is unpacked to a temporary one until Close.
//
// Read are value change blocks of all three kinds (VCDATA, with aliases, with aliases of the second
// kind), chains packed by zlib, FastLZ and LZ4, the hierarchy packed by gzip, LZ4 and LZ4 twice, and
// files that are packed as a whole. Blackouts are skipped.
//
// Values have the width of their net, with digits 0, 1, x, z, h, u, w, l, -; reals and texts as a dump
// has them. An error names the file and the offset in bytes.
//
//	scan.go       the file, its blocks and its header
//	hierarchy.go  scopes and variables
//	block.go      a block's values, times and list of chains
//	times.go      its times, as the file has them
//	chain.go      the changes of a chain
//	unpack.go     zlib, LZ4 and FastLZ
//
// The package imports the standard library only.
package scan
