package hexfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"etch/ir/bits"
	"etch/ir/input"
)

// Raw reads memory contents as raw bytes, such as a program for a processor: words follow each
// other, their lowest byte first, in as many bytes as their width takes. Bytes that are missing
// in the last word are 0. Errors: the width is no multiple of 8; more words than the memory has.
func Raw(data []byte, m Memory, put func(addr int, v bits.Value) error) error {
	if m.Width%8 != 0 {
		return fmt.Errorf("raw bytes need words of whole bytes, not of %d bits", m.Width)
	}

	// The last word may be short.
	bytes := m.Width / 8
	if words := (len(data) + bytes - 1) / bytes; words > m.Depth {
		return fmt.Errorf("%d bytes are more than %d words of %d bytes", len(data), m.Depth, bytes)
	}
	for addr := 0; len(data) > 0; addr++ {
		words := make([]uint64, bits.WordCount(m.Width))
		for i, b := range data[:min(bytes, len(data))] {
			words[i/8] |= uint64(b) << (i % 8 * 8)
		}
		if err := put(addr, bits.FromWords(m.Width, words)); err != nil {
			return err
		}
		data = data[min(bytes, len(data)):]
	}
	return nil
}

// ReadFile reads the contents of a memory from a file of at most a number of bytes: by Raw if its
// name ends in .bin, else by Read. Errors name the file.
func ReadFile(path string, most int64, m Memory, put func(addr int, v bits.Value) error) error {
	var err error
	if filepath.Ext(path) == ".bin" {
		var data []byte
		if data, err = rawFile(path, most); err == nil {
			err = Raw(data, m, put)
		}
	} else {
		var text []byte
		if text, err = input.ReadFile(path, most); err != nil {
			return err
		}
		err = Read(text, m, put)
	}
	if err != nil {
		return fmt.Errorf("%s, for memory %s of %d words of %d bits: %w", path, m.Name, m.Depth, m.Width, err)
	}
	return nil
}

// rawFile reads a file of at most most bytes. A longer file is an error.
func rawFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	// One byte more than allowed tells a file that is too large.
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("more than %s", input.Size(most))
	}
	return data, err
}
