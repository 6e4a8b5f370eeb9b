package cli

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"etch/ir/input"
)

// maxCSVLine bounds a line of a CSV file, in bytes.
const maxCSVLine = 1 << 20

// CSV returns a reader of the CSV text in r, behind a byte order mark if there is
// one. It has an error where the text is UTF-16, a line has more than 1 MiB, or a byte
// is 0.
func CSV(r io.Reader) (*csv.Reader, error) {
	in := bufio.NewReader(input.Lines(r, maxCSVLine))
	switch mark, _ := in.Peek(3); {
	case bytes.Equal(mark, []byte("\ufeff")):
		in.Discard(len(mark))
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, errors.New("the text is UTF-16; want UTF-8")
	}
	return csv.NewReader(in), nil
}
