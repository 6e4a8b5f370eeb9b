package input

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// chunk is the number of bytes read at a time.
const chunk = 1 << 16

// ReadAll reads a text of at most most bytes. Its errors: one of r; the text is longer; a
// byte is 0, which text never has, with its line number.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	// A regular file says its size: one allocation.
	var text []byte
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= most {
			text = make([]byte, 0, info.Size()+chunk)
		}
	}

	for {
		if cap(text)-len(text) < chunk {
			text = append(make([]byte, 0, 2*cap(text)+2*chunk), text...)
		}

		n, err := r.Read(text[len(text) : len(text)+chunk])
		more := text[len(text) : len(text)+n]
		// Zero bytes mark binary files. Only the new bytes are searched.
		if at := bytes.IndexByte(more, 0); at >= 0 {
			line := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(more[:at], []byte("\n"))
			return nil, fmt.Errorf("line %d has a byte that is 0: this is no text", line)
		}

		if text = text[:len(text)+n]; int64(len(text)) > most {
			return nil, fmt.Errorf("more than %s", Size(most))
		}
		// Bytes that come with an error count before it does.
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// ReadFile is ReadAll of a file. Its errors name the file.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	text, err := ReadAll(f, most)
	if _, named := err.(*os.PathError); err != nil && !named {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, err
}

// Size is a number of bytes as text, "1 GiB".
func Size(n int64) string {
	for _, u := range []struct {
		name string
		n    int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.n && n%u.n == 0 {
			return fmt.Sprintf("%d %s", n/u.n, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Lines returns r with an error if a line is longer than most bytes, or if a byte is 0, for
// readers that work line by line.
func Lines(r io.Reader, most int) io.Reader { return &lines{r: r, most: most, line: 1} }

type lines struct {
	r                io.Reader
	most, line, long int
}

// Read passes bytes on up to the first that breaks a limit.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		switch l.long++; {
		case c == '\n':
			l.long = 0
			l.line++
		case c == 0:
			return i, fmt.Errorf("line %d has a byte that is 0: this is no text", l.line)
		case l.long > l.most:
			return i, fmt.Errorf("line %d has more than %s", l.line, Size(int64(l.most)))
		}
	}
	return n, err
}
