package scan

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// Bounds on the parts of a file that are held in memory. Together they keep a reader below about
// 130 MB, whatever the length of its file. The writer of GTKWave and Verilator ends a block after
// 128 MB of its own notes, six bytes and more for a change that takes one here.
const (
	MaxVars  = 1 << 19  // nets, and variables
	MaxText  = 32 << 20 // bytes of the unpacked hierarchy
	MaxWidth = 1 << 20  // bits of a net
	MaxBlock = 32 << 20 // bytes of a block's values or times, and of one net's changes, unpacked
	MaxFile  = 16 << 30 // bytes of a file that is packed as a whole, unpacked
)

// Kinds of blocks.
const (
	blockHeader    = 0
	blockChanges   = 1
	blockBlackout  = 2
	blockGeometry  = 3
	blockGzip      = 4 // hierarchy
	blockAlias     = 5
	blockLZ4       = 6 // hierarchy
	blockLZ4Twice  = 7 // hierarchy
	blockAlias2    = 8
	blockWhole     = 254 // the file, packed
	blockUnwritten = 255 // of a writer that ended early
)

// File is an open trace. Its fields are complete after Open. It is not safe for concurrent use.
type File struct {
	Begin, End uint64 // times of the first and the last moment
	Scale      int    // a unit of time is 10^Scale seconds
	Scopes     []Scope
	Vars       []Var
	Nets       int // number of nets

	name   string
	in     io.ReaderAt
	size   int64
	close  func() error
	temp   *os.File // a file that was packed as a whole, unpacked; else nil
	little bool     // doubles are little-endian

	widths []uint32 // by net, in bits; real and text are special
	blocks []block
	loaded map[int]*loaded // blocks whose lists have been read, of mostLoaded bytes together
	held   int64           // bytes of them
}

// Widths of nets that are no vectors.
const (
	realWidth = 0
	textWidth = math.MaxUint32
)

// block is a block of changes.
type block struct {
	kind       byte
	at, end    int64 // of its contents in the file
	begin, fin uint64
}

// Open opens a trace. Errors name the file, and the offset of a broken part.
func Open(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err == nil {
		var f *File
		if f, err = New(path, in, info.Size()); err == nil {
			f.close = in.Close
			return f, nil
		}
	}
	in.Close()
	return nil, err
}

// Close closes a file of Open, and removes what a packed file was unpacked to.
func (f *File) Close() error {
	if f.temp != nil {
		f.temp.Close()
		os.Remove(f.temp.Name())
	}
	if f.close == nil {
		return nil
	}
	return f.close()
}

// New reads the declarations of a trace of so many bytes. The name is for errors.
func New(name string, in io.ReaderAt, size int64) (*File, error) {
	f := &File{name: name, in: in, size: size, little: true}
	if err := f.index(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// fail is an error at an offset.
func (f *File) fail(at int64, format string, args ...any) error {
	return fmt.Errorf("%s: at byte %d: %s", f.name, at, fmt.Sprintf(format, args...))
}

// read reads n bytes at an offset, which must be in the file and at most as many as a block may have.
func (f *File) read(at, n int64) ([]byte, error) {
	if n < 0 || at < 0 || at > f.size || n > f.size-at {
		return nil, f.fail(at, "%d bytes are wanted, the file has %d", n, f.size)
	}
	if n > MaxText {
		return nil, f.fail(at, "a part of %d bytes; at most %d are read", n, MaxText)
	}
	b := make([]byte, n)
	if _, err := f.in.ReadAt(b, at); err != nil {
		return nil, f.fail(at, "%v", err)
	}
	return b, nil
}

// number reads a number of eight bytes, most significant first.
func (f *File) number(at int64) (uint64, error) {
	b, err := f.read(at, 8)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}

// index goes through the blocks. Declarations may come behind the changes.
func (f *File) index() error {
	var geometry, hierarchy *contents
	seen := false
	for at := int64(0); at < f.size; {
		p, err := f.block(at)
		if err != nil {
			return err
		}

		switch p.kind {
		case blockWhole:
			if at != 0 {
				return f.fail(at, "a packed file inside of a file")
			}
			return f.unpackWhole(p)
		case blockHeader:
			seen = true
			err = f.header(p)
		// Widths and names may stand in any order, so they are read at the end.
		case blockGeometry:
			geometry = &p
		case blockGzip, blockLZ4, blockLZ4Twice:
			hierarchy = &p
		case blockChanges, blockAlias, blockAlias2:
			err = f.changes(p)
		// Blackouts, and blocks of a writer that ended early, are passed over.
		case blockBlackout, blockUnwritten:
		default:
			err = f.fail(at, "a block of unknown kind %d", p.kind)
		}
		if err != nil {
			return err
		}
		at = p.end
	}

	switch {
	case !seen:
		return f.fail(0, "the file is empty")
	case geometry == nil:
		return f.fail(f.size, "the file ends before its widths: it was not closed")
	case hierarchy == nil:
		return f.fail(f.size, "the file ends before its names: it was not closed")
	}

	if err := f.geometry(*geometry); err != nil {
		return err
	}
	return f.hierarchy(*hierarchy)
}

// block reads the head of a block: its kind, and its length, which counts itself but not the kind.
func (f *File) block(at int64) (p contents, err error) {
	head, err := f.read(at, 1)
	if err != nil {
		return p, err
	}
	if at == 0 && head[0] != blockHeader && head[0] != blockWhole {
		return p, f.fail(0, "this is no FST file")
	}

	length, err := f.number(at + 1)
	if err != nil {
		return p, err
	}
	if length < 8 || length > uint64(f.size-at-1) {
		return p, f.fail(at, "a block of %d bytes, where the file has %d more", length, f.size-at-1)
	}
	return contents{kind: head[0], at: at + 9, end: at + 1 + int64(length)}, nil
}

// contents is a block's kind, and where its contents are.
type contents struct {
	kind    byte
	at, end int64
}

// header reads the times, the scale and the order of bytes.
func (f *File) header(p contents) error {
	// The header has the same size in all files.
	b, err := f.read(p.at, min(p.end-p.at, 321))
	if err != nil {
		return err
	}
	if len(b) < 321 {
		return f.fail(p.at, "a header of %d bytes, want 321", len(b))
	}
	f.Begin, f.End = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])

	// The writer stores e in its own order of bytes, by which the order is told.
	switch math.E {
	case math.Float64frombits(binary.LittleEndian.Uint64(b[16:])):
	case math.Float64frombits(binary.BigEndian.Uint64(b[16:])):
		f.little = false
	default:
		return f.fail(p.at+16, "the order of bytes cannot be told")
	}
	f.Scale = int(int8(b[64]))
	return nil
}

// changes notes a block of changes.
func (f *File) changes(p contents) error {
	b, err := f.read(p.at, min(p.end-p.at, 24))
	if err != nil {
		return err
	}
	if len(b) < 24 {
		return f.fail(p.at, "a block of changes of %d bytes", p.end-p.at)
	}

	// Blocks are only noted: their lists are read when a time in them is asked for.
	x := block{kind: p.kind, at: p.at + 24, end: p.end, begin: binary.BigEndian.Uint64(b), fin: binary.BigEndian.Uint64(b[8:])}
	if x.begin > x.fin || len(f.blocks) > 0 && x.begin < f.blocks[len(f.blocks)-1].begin {
		return f.fail(p.at, "a block of times %d to %d behind one of %d", x.begin, x.fin, f.lastBegin())
	}
	f.blocks = append(f.blocks, x)
	return nil
}

func (f *File) lastBegin() uint64 {
	if n := len(f.blocks); n > 0 {
		return f.blocks[n-1].begin
	}
	return 0
}

// unpackWhole unpacks a file that is packed as a whole to a temporary one, which is read in its place.
func (f *File) unpackWhole(p contents) error {
	size, err := f.number(p.at)
	if err != nil {
		return err
	}
	if size > MaxFile {
		return f.fail(p.at, "the file is packed as a whole and has %d bytes; at most %d are read: gunzip it by fst tools", size, int64(MaxFile))
	}
	z, err := gzip.NewReader(io.NewSectionReader(f.in, p.at+8, p.end-p.at-8))
	if err != nil {
		return f.fail(p.at+8, "%v", err)
	}
	temp, err := os.CreateTemp("", "etch-*.fst")
	if err != nil {
		return fmt.Errorf("%s: to unpack it: %w", f.name, err)
	}
	f.temp = temp

	// One byte more than promised tells a file that is longer.
	n, err := io.Copy(temp, io.LimitReader(z, int64(size)+1))
	if err != nil {
		return f.fail(p.at+8, "%v", err)
	}

	// A packed file within a packed one could go on for ever.
	f.in, f.size = temp, n
	first, err := f.read(0, min(n, 1))
	if err != nil {
		return err
	}
	if uint64(n) != size || n > 0 && first[0] == blockWhole {
		return f.fail(p.at, "%d bytes are packed, want %d of a file", n, size)
	}
	return f.index()
}

// Path returns the names of a variable's scopes and its own, joined by points.
func (f *File) Path(v Var) string {
	names := []string{v.Name}
	for s := v.Scope; s >= 0; s = f.Scopes[s].Parent {
		names = append([]string{f.Scopes[s].Name}, names...)
	}
	return strings.Join(names, ".")
}
