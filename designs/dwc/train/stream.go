package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
)

// stream carries a checkpoint's fields, in one fixed order, out of a trainer
// or into one: each method writes its argument, or fills it. All numbers are
// little-endian. The first error sticks and names its field; after it the
// methods do nothing.
type stream struct {
	w   io.Writer // writing if not nil
	r   io.Reader
	sum hash.Hash // of every byte before the checksum
	err error
	buf [1 << 12]byte
}

func newWriter(w io.Writer) *stream {
	sum := sha256.New()
	return &stream{w: io.MultiWriter(w, sum), sum: sum}
}

func newReader(r io.Reader) *stream {
	sum := sha256.New()
	return &stream{r: io.TeeReader(r, sum), sum: sum}
}

func (s *stream) reading() bool { return s.w == nil }

func (s *stream) failf(field, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("train: checkpoint: %s: %s", field, fmt.Sprintf(format, args...))
	}
}

// bytes carries exactly len(b) bytes.
func (s *stream) bytes(field string, b []byte) {
	if s.err != nil {
		return
	}

	var err error
	if s.reading() {
		_, err = io.ReadFull(s.r, b)
	} else {
		_, err = s.w.Write(b)
	}

	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		s.failf(field, "the file ends here")
	case err != nil:
		s.failf(field, "%v", err)
	}
}

// constant carries bytes that must have one value.
func (s *stream) constant(field, want string) {
	b := []byte(want)
	s.bytes(field, b)
	if s.err == nil && string(b) != want {
		s.failf(field, "%q, want %q", b, want)
	}
}

// integer carries *v, which must lie in lo..hi.
func (s *stream) integer(field string, v *int, lo, hi int) {
	b := s.buf[:8]
	binary.LittleEndian.PutUint64(b, uint64(*v))
	s.bytes(field, b)

	// A writer checks its value as well, so that Resume accepts every file of Save.
	n := int64(binary.LittleEndian.Uint64(b))
	if s.err == nil && (n < int64(lo) || n > int64(hi)) {
		s.failf(field, "%d is not in %d..%d", n, lo, hi)
	}
	if s.err == nil {
		*v = int(n)
	}
}

// float carries *v, which must be finite.
func (s *stream) float(field string, v *float64) {
	b := s.buf[:8]
	binary.LittleEndian.PutUint64(b, math.Float64bits(*v))
	s.bytes(field, b)
	x := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if s.err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		s.failf(field, "%v", x)
	}
	if s.err == nil {
		*v = x
	}
}

// floats carries all of v, each of which must be finite.
func (s *stream) floats(field string, v []float32) {
	numbers(s, field, v, 4,
		func(b []byte, x float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(x)) },
		func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) },
		func(x float32) bool { return x-x == 0 })
}

// shorts carries all of v, each of which must lie in ±limit.
func (s *stream) shorts(field string, v []int16, limit int) {
	numbers(s, field, v, 2,
		func(b []byte, x int16) { binary.LittleEndian.PutUint16(b, uint16(x)) },
		func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) },
		func(x int16) bool { return int(x) <= limit && int(x) >= -limit })
}

// indices carries all of v, each of which must lie in 0..n−1.
func (s *stream) indices(field string, v []int32, n int) {
	numbers(s, field, v, 4,
		func(b []byte, x int32) { binary.LittleEndian.PutUint32(b, uint32(x)) },
		func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) },
		func(x int32) bool { return x >= 0 && int(x) < n })
}

// tables carries all of v, none of which may have a bit at or above size.
func (s *stream) tables(field string, v []uint64, size int) {
	numbers(s, field, v, 8, binary.LittleEndian.PutUint64, binary.LittleEndian.Uint64,
		func(x uint64) bool { return size >= 64 || x>>size == 0 })
}

// numbers carries all of v, width bytes each, through the stream's buffer.
func numbers[T any](s *stream, field string, v []T, width int, put func([]byte, T), get func([]byte) T, ok func(T) bool) {
	for at := 0; at < len(v) && s.err == nil; {
		n := min(len(v)-at, len(s.buf)/width)
		b := s.buf[:n*width]
		for i := range n {
			put(b[i*width:], v[at+i])
		}

		// Writing has put the numbers into the buffer; reading takes them out and checks each one.
		s.bytes(field, b)
		for i := range n {
			x := get(b[i*width:])
			if s.err == nil && !ok(x) {
				s.failf(fmt.Sprintf("%s[%d]", field, at+i), "%v is out of range", x)
			}
			if s.err == nil {
				v[at+i] = x
			}
		}

		at += n
	}
}

// finish carries the checksum; a reader must then be at its end.
func (s *stream) finish() error {
	if s.err != nil {
		return s.err
	}

	// The sum is taken before its own bytes go through the stream.
	sum := s.sum.Sum(nil)
	got := bytes.Clone(sum)
	s.bytes("checksum", got)
	if s.err == nil && !bytes.Equal(got, sum) {
		s.failf("checksum", "does not match the contents")
	}

	if s.err == nil && s.reading() {
		if n, _ := s.r.Read(s.buf[:1]); n > 0 {
			s.failf("checksum", "more bytes follow")
		}
	}
	return s.err
}
