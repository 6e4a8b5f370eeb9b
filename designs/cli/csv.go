package cli

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

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

// RecordError is the error of reading a record of a CSV file. Of one with too few or too many
// fields it says how many there are, and which columns the header has.
func RecordError(err error, record, header []string) error {
	var at *csv.ParseError
	if !errors.As(err, &at) || !errors.Is(err, csv.ErrFieldCount) {
		return err
	}
	fields := "fields"
	if len(record) == 1 {
		fields = "field"
	}
	return fmt.Errorf("line %d: %d %s; the header has %d: %s", at.Line, len(record), fields, len(header), input.Excerpt(strings.Join(header, ",")))
}
