// Package runfile opens files of runs, as a failing test leaves them, see package replay.
//
//	r, err := runfile.Open("uart_tx-1.run")
//
// It is apart from package replay because it reads the text form of a design, with a parser that
// test binaries need not link. It imports sim, sim/replay and ir/text.
package runfile

import (
	"bytes"
	"fmt"
	"os"

	"etch/ir/text"
	"etch/sim"
	"etch/sim/replay"
)

// Open opens the run in a file. Errors: those of [Read], and of the file.
func Open(path string) (*replay.Run, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	return Read(b, path)
}

// Read opens the run in the bytes of a file; name is the file's, for errors. Errors: b is no
// run, is of another version, is cut short or damaged.
func Read(b []byte, name string) (*replay.Run, error) {
	design, recording, err := replay.Split(b, name)
	if err != nil {
		return nil, err
	}
	return read(design, recording, name)
}

// read opens the run in the two parts of a file.
func read(design, recording []byte, name string) (*replay.Run, error) {
	d, err := text.Parse(bytes.NewReader(design), name)
	if err != nil {
		return nil, fmt.Errorf("replay: %s: its design: %w", name, err)
	}
	p, err := sim.ReadPlayer(d, recording)
	if err != nil {
		return nil, fmt.Errorf("replay: %s: %w", name, err)
	}
	return replay.New(p), nil
}
