package replay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"etch/ir"
	"etch/ir/text/printer"
	"etch/sim"
)

// head begins a file; its number is the version of the format.
const head = "etch run 5\n"

// fixed is the size in bytes of the part before the design: head, the lengths of design and
// recording, the checksum of both.
const fixed = len(head) + 8 + 8 + 4

// Write writes the run that r has recorded up to now. Errors: the recording cannot be saved; the
// writer's.
func Write(w io.Writer, d *ir.Design, r *sim.Recording) error {
	recording, err := r.Encode()
	if err != nil {
		return err
	}
	var design bytes.Buffer
	if err := printer.Print(&design, d); err != nil {
		return err
	}

	// Numbers are little-endian; one checksum is over both parts.
	b := binary.LittleEndian.AppendUint64([]byte(head), uint64(design.Len()))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(recording)))
	sum := crc32.Update(crc32.ChecksumIEEE(design.Bytes()), crc32.IEEETable, recording)
	b = binary.LittleEndian.AppendUint32(b, sum)

	for _, part := range [][]byte{b, design.Bytes(), recording} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Create writes a run to a file, which appears when it is complete. Errors: those of Write, and
// of the file.
func Create(path string, d *ir.Design, r *sim.Recording) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".run-*")
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	defer os.Remove(f.Name()) // nothing is there after the rename

	// The file is closed in any case, and the first error counts.
	err = Write(f, d, r)
	if err2 := f.Chmod(0o644); err == nil {
		err = err2
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}

	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("replay: %s: %w", path, err)
	}
	return nil
}

// Split returns the two parts of a file of [Create]: the design as text, and the recording. name
// is the file's, for errors: b is no run, is of another version, is cut short or damaged.
func Split(b []byte, name string) (design, recording []byte, err error) {
	if !bytes.HasPrefix(b, []byte(head)) {
		// Another number in the head is another etch's file, not a foreign one.
		if kind, _, _ := bytes.Cut(b[:min(len(b), 40)], []byte("\n")); bytes.HasPrefix(kind, []byte("etch run ")) {
			return nil, nil, fmt.Errorf("replay: %s is of another version: it begins with %q, and this etch reads %q", name, kind, head[:len(head)-1])
		}
		return nil, nil, fmt.Errorf("replay: %s is no run: it does not begin with %q", name, head[:len(head)-1])
	}

	if len(b) < fixed {
		return nil, nil, fmt.Errorf("replay: %s is cut short, in its first %d bytes", name, fixed)
	}

	// The lengths of both parts must be those of the file, and their checksum that in it.
	n, m := binary.LittleEndian.Uint64(b[len(head):]), binary.LittleEndian.Uint64(b[len(head)+8:])
	rest := b[fixed:]
	switch size := uint64(len(rest)); {
	// Without a sum of n and m, which may overflow.
	case n > size || m > size-n:
		return nil, nil, fmt.Errorf("replay: %s is cut short: it has %d bytes of at least %d", name, len(b), uint64(fixed)+max(n, m))
	case n+m < size:
		return nil, nil, fmt.Errorf("replay: %s has %d bytes behind its end", name, size-n-m)
	}

	if crc32.ChecksumIEEE(rest) != binary.LittleEndian.Uint32(b[fixed-4:]) {
		return nil, nil, fmt.Errorf("replay: %s is damaged: its checksum is wrong", name)
	}
	return rest[:n:n], rest[n:], nil
}
