package scan

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"unsafe"
)

// File answers questions about any time of a dump. A dump has no index; so File keeps marks: offsets
// with the values of all nets there, left behind wherever a question has read. A later question
// begins at the last mark before its time. Not safe for concurrent use.
type File struct {
	*Reader
	Begin, End uint64 // times of the first change, and the last that the file ends with

	in    io.ReaderAt
	size  int64
	close func() error
	every int64 // bytes between two marks
	marks []mark
	held  int64 // bytes of the marks
	now   mark  // of the reader
}

// mark is a point between two changes.
type mark struct {
	at     int64 // bytes read
	line   int
	time   uint64
	values []string // by net, "" before its first
	bytes  int64    // that it takes: texts that the mark before has too are shared
}

// Bounds of the marks: bytes of all of them, and the least distance of two.
const (
	mostMarks  = 48 << 20
	leastEvery = 1 << 20
)

// tail is the number of bytes at the end of a file in which its last time is looked for.
const tail = 1 << 20

// Open opens a dump and reads its declarations.
func Open(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := in.Stat()

	// The file stays open, since changes are read when they are asked for.
	if err == nil {
		var f *File
		if f, err = NewFile(path, in, info.Size()); err == nil {
			f.close = in.Close
			return f, nil
		}
	}
	in.Close()
	return nil, err
}

// NewFile is Open for a dump of so many bytes. The name is for errors.
func NewFile(name string, in io.ReaderAt, size int64) (*File, error) {
	r, err := New(name, io.NewSectionReader(in, 0, size))
	if err != nil {
		return nil, err
	}
	f := &File{Reader: r, in: in, size: size, every: leastEvery}
	f.marks = []mark{{at: r.read, line: r.line, values: make([]string, len(r.nets))}}

	// The first change has the first time. The last is written at the end, except where the dump is
	// so strange that it must be read whole.
	c, err := r.Next()
	if err != nil && err != io.EOF {
		return nil, err
	}
	f.Begin, f.End = c.Time, r.Time()
	if last, ok, err := f.lastTime(); err != nil {
		return nil, err
	} else if ok {
		f.End = max(last, f.End)
		return f, nil
	}
	for err == nil {
		_, err = r.Next()
	}
	if err != io.EOF {
		return nil, err
	}
	f.End = r.Time()
	return f, nil
}

// Close closes a file of Open.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// lastTime is the last line of the form "#TIME" near the end of the file. It is not ok where only
// the whole file tells: there is no such line, or it may be part of a comment.
func (f *File) lastTime() (time uint64, ok bool, err error) {
	from := max(0, f.size-tail)
	b := make([]byte, f.size-from)
	if _, err := f.in.ReadAt(b, from); err != nil && err != io.EOF {
		return 0, false, err
	}

	// Only a # at the start of a line begins a time. A number that the end of the file may have cut
	// is none.
	i := bytes.LastIndex(b, []byte("\n#"))
	if i >= 0 && bytes.IndexByte(b[i+1:], '\n') < 0 {
		i = bytes.LastIndex(b[:i], []byte("\n#"))
	}
	if i < 0 {
		return 0, false, nil
	}

	// Within a comment, a $end follows.
	word, rest, _ := bytes.Cut(b[i+2:], []byte("\n"))
	t, err := strconv.ParseUint(string(bytes.TrimSpace(word)), 10, 64)
	if err != nil || bytes.Contains(rest, []byte("$end")) {
		return 0, false, nil
	}
	return t, true, nil
}

// Changes calls visit with the values of nets at a time, as changes at that time, and then with their
// changes after it up to another time, both included, in the order of the file. A net without a value
// at the first time has none to begin with. The error of visit ends it and is returned.
func (f *File) Changes(nets []int, from, to uint64, visit func(net int, time uint64, value string) error) error {
	f.seek(from)
	asked := make([]bool, len(f.nets))
	for _, n := range nets {
		asked[n] = true
	}

	// Up to the time, and with it, changes only make up the state.
	begun := false
	begin := func() error {
		begun = true
		for _, n := range nets {
			if v := f.now.values[n]; v != "" {
				if err := visit(n, from, v); err != nil {
					return err
				}
			}
		}
		return nil
	}

	for {
		c, err := f.Reader.Next()
		if err != nil && err != io.EOF {
			return err
		}

		// The first change after from, or the end, shows that the state at from is complete.
		if !begun && (err == io.EOF || c.Time > from) {
			if err := begin(); err != nil {
				return err
			}
		}

		if err == io.EOF || c.Time > to {
			return nil
		}

		// Places share texts: an equal value keeps the string that others have.
		if old := f.now.values[c.Net]; string(c.Value) != old {
			f.now.values[c.Net] = string(c.Value)
		}
		f.now.time, f.now.at, f.now.line = c.Time, f.Reader.read, f.Reader.line
		f.leave()

		if begun && asked[c.Net] {
			if err := visit(c.Net, c.Time, f.now.values[c.Net]); err != nil {
				return err
			}
		}
	}
}

// seek goes to the last mark at which no change later than a time has been read.
func (f *File) seek(time uint64) {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].time > time })
	p := f.marks[max(i-1, 0)]
	f.now = p
	f.now.values = slices.Clone(p.values)
	f.Reader.resume(io.NewSectionReader(f.in, p.at, f.size-p.at), p)
}

// leave keeps the present point as a mark if it is far enough behind the last one. Where the marks
// take too much, every other one goes.
func (f *File) leave() {
	last := f.marks[len(f.marks)-1]
	if f.now.at < last.at+f.every {
		return
	}
	p := f.now
	p.values = slices.Clone(p.values)
	p.bytes = p.beside(last)
	f.marks = append(f.marks, p)
	f.held += p.bytes
	if f.held < mostMarks || len(f.marks) < 3 {
		return
	}

	// Every other mark goes, and from now on they stand twice as far apart.
	f.every *= 2
	kept := f.marks[:0]
	f.held = 0
	for i, p := range f.marks {
		if i%2 == 0 {
			if i > 0 {
				p.bytes = p.beside(kept[len(kept)-1])
			}
			kept = append(kept, p)
			f.held += p.bytes
		}
	}
	clear(f.marks[len(kept):])
	f.marks = kept
}

// beside is the bytes that a mark takes besides the one before: a header for each value, and the texts
// that are not the same.
func (p *mark) beside(before mark) int64 {
	n := 16 * int64(len(p.values))
	for i, v := range p.values {
		if unsafe.StringData(v) != unsafe.StringData(before.values[i]) {
			n += int64(len(v))
		}
	}
	return n
}
