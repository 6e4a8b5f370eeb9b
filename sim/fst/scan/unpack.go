package scan

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
)

// Kinds of packing.
const (
	packGzip   = 'g'
	packZlib   = 'Z'
	packFastLZ = 'F'
	packLZ4    = '4'
)

// zipped reads n bytes at an offset that zlib has packed from size bytes, or that are as they were if
// the two are equal.
func (f *File) zipped(at, n, size int64) ([]byte, error) {
	b, err := f.read(at, n)
	if err != nil || n == size {
		return b, err
	}
	return f.unpacked(at, packZlib, b, size)
}

// unpacked unpacks bytes that were at an offset to exactly size bytes.
func (f *File) unpacked(at int64, pack byte, b []byte, size int64) ([]byte, error) {
	if size < 0 || size > MaxText {
		return nil, f.fail(at, "a part of %d bytes; at most %d are read", size, MaxText)
	}

	// The unpackers stop at size, so that a small file cannot ask for much memory.
	var out []byte
	var err error
	switch pack {
	case packGzip, packZlib:
		out, err = inflate(pack, b, size)
	case packLZ4:
		out, err = unpackLZ4(b, int(size))
	case packFastLZ:
		out, err = unpackFastLZ(b, int(size))
	default:
		return nil, f.fail(at, "changes are packed in an unknown way, %q", pack)
	}
	if err == nil && int64(len(out)) != size {
		err = errors.New("it is shorter than it should be")
	}
	if err != nil {
		return nil, f.fail(at, "a packed part of %d bytes: %v", len(b), err)
	}
	return out, nil
}

// inflate unpacks zlib or gzip, up to size bytes.
func inflate(pack byte, b []byte, size int64) ([]byte, error) {
	var z io.ReadCloser
	var err error
	if pack == packGzip {
		z, err = gzip.NewReader(bytes.NewReader(b))
	} else {
		z, err = zlib.NewReader(bytes.NewReader(b))
	}
	if err != nil {
		return nil, err
	}

	// No more than promised is unpacked, whatever the stream holds.
	var out bytes.Buffer
	out.Grow(int(min(size, 16*int64(len(b))) + bytes.MinRead)) // the promise may be a lie
	_, err = io.Copy(&out, io.LimitReader(z, size))
	return out.Bytes(), err
}

// errBroken is the error of packed bytes that point outside of themselves.
var errBroken = errors.New("its packing is broken")

// unpackLZ4 unpacks a block of LZ4: pieces of literal bytes, each but the last followed by a copy of
// bytes before.
func unpackLZ4(b []byte, size int) ([]byte, error) {
	// The promise may be a lie, so that memory grows with the input at first.
	out := make([]byte, 0, min(size, 64*len(b)+64))

	// A length of 15 goes on in bytes of 255 and one less.
	long := func(n int) (int, bool) {
		for n >= 15 {
			if len(b) == 0 {
				return 0, false
			}
			more := int(b[0])
			b = b[1:]
			if n += more; more < 255 {
				break
			}
		}
		return n, true
	}

	// A token has the length of the literal bytes in its upper half, that of the copy in its lower
	// half.
	for len(b) > 0 {
		token := b[0]
		b = b[1:]
		n, ok := long(int(token >> 4))
		if !ok || n > len(b) || n > size-len(out) {
			return nil, errBroken
		}
		out = append(out, b[:n]...)

		// The last piece has no copy.
		if b = b[n:]; len(b) == 0 {
			break
		}

		if len(b) < 2 {
			return nil, errBroken
		}
		back := int(binary.LittleEndian.Uint16(b))
		b = b[2:]
		if n, ok = long(int(token & 15)); !ok {
			return nil, errBroken
		}
		if out, ok = repeat(out, back, n+4, size); !ok {
			return nil, errBroken
		}
	}
	return out, nil
}

// repeat appends n bytes from back bytes before the end; the copy may overlap itself.
func repeat(out []byte, back, n, size int) ([]byte, bool) {
	if back < 1 || back > len(out) || n > size-len(out) {
		return nil, false
	}

	// Byte by byte, since a copy may read bytes that it has just written.
	for range n {
		out = append(out, out[len(out)-back])
	}
	return out, true
}

// unpackFastLZ unpacks FastLZ of level 1 or 2, which the top bits of the first byte tell. A control
// byte below 32 is that many literal bytes and one; any other has the length of a copy in its top three
// bits and the high part of its distance in the rest.
func unpackFastLZ(b []byte, size int) ([]byte, error) {
	if len(b) == 0 {
		return nil, nil
	}

	// The top bits are the level; the rest is the first control byte.
	level := int(b[0]>>5) + 1
	if level > 2 {
		return nil, errBroken
	}

	out := make([]byte, 0, min(size, 64*len(b)+64))
	control := int(b[0] & 31)
	in := lzBytes(b[1:])
	for {
		if control < 32 {
			n := control + 1
			if n > len(in) || n > size-len(out) {
				return nil, errBroken
			}
			out = append(out, in[:n]...)
			in = in[n:]
		} else {
			n, distance, ok := in.copied(control, level)
			if !ok {
				return nil, errBroken
			}
			if out, ok = repeat(out, distance, n, size); !ok {
				return nil, errBroken
			}
		}

		// The input ends where a control byte would stand.
		var ok bool
		if control, ok = in.next(); !ok {
			return out, nil
		}
	}
}

// lzBytes is what is left of FastLZ data.
type lzBytes []byte

func (b *lzBytes) next() (int, bool) {
	if len(*b) == 0 {
		return 0, false
	}
	x := int((*b)[0])
	*b = (*b)[1:]
	return x, true
}

// copied reads the rest of a copy behind its control byte.
func (b *lzBytes) copied(control, level int) (n, distance int, ok bool) {
	n, far := control>>5-1, control&31<<8

	// The longest length goes on in further bytes: one at level 1, up to one below 255 at
	// level 2.
	for more := 255; n >= 6 && more == 255; {
		if more, ok = b.next(); !ok {
			return 0, 0, false
		}
		n += more
		if level == 1 {
			break
		}
	}
	low, ok := b.next()
	if !ok {
		return 0, 0, false
	}

	// Level 2 has a longer distance behind the longest of 13 bits.
	if level == 2 && low == 255 && far == 31<<8 {
		high, ok1 := b.next()
		rest, ok2 := b.next()
		if !ok1 || !ok2 {
			return 0, 0, false
		}
		far, low = high<<8+rest+8191-255, 255
	}
	return n + 3, far + low + 1, true
}
