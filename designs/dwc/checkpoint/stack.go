package checkpoint

import (
	"bytes"
	"fmt"
)

// floor returns the stack height that pops may not pass: the innermost mark.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) top() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, fmt.Errorf("takes from an empty stack")
	}
	return m.stack[len(m.stack)-1], nil
}

func (m *machine) pop() (any, error) {
	v, err := m.top()
	if err == nil {
		m.stack = m.stack[:len(m.stack)-1]
	}
	return v, err
}

// popN removes n values and returns a copy of them in the order of pushing.
func (m *machine) popN(n int) ([]any, error) {
	if len(m.stack)-m.floor() < n {
		return nil, fmt.Errorf("takes %d values from a stack of %d", n, len(m.stack)-m.floor())
	}
	at := len(m.stack) - n
	items := append([]any(nil), m.stack[at:]...)
	m.stack = m.stack[:at]

	// The copy keeps its values when later pushes reuse the stack.
	return items, nil
}

// popMark removes the innermost mark and returns the values above it.
func (m *machine) popMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, fmt.Errorf("no mark is open")
	}
	items, err := m.popN(len(m.stack) - m.floor())
	m.marks = m.marks[:len(m.marks)-1]
	return items, err
}

// line reads up to a line feed, which it drops.
func (m *machine) line() (string, error) {
	i := bytes.IndexByte(m.in[m.pos:], '\n')
	if i < 0 || i > 256 {
		return "", fmt.Errorf("a name without an end")
	}

	b, err := m.take(i + 1)
	if err != nil {
		return "", err
	}
	return string(b[:i]), nil
}
