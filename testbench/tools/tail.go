package tools

import (
	"bytes"
	"sync"
)

// Tail is a writer that keeps the last Most bytes, for the error of a program that may print without
// end. Its methods may be called while the program runs.
type Tail struct {
	Most int

	mutex sync.Mutex
	buf   []byte
	cut   bool
}

// Write keeps the last bytes.
func (t *Tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()

	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.Most; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
	return len(p), nil
}

// String returns the bytes kept, a ? for each that is no UTF-8: the first character may be cut.
func (t *Tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(bytes.ToValidUTF8(t.buf, []byte("?")))
}

// Cut reports whether there were more bytes.
func (t *Tail) Cut() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.cut
}
