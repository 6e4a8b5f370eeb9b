package cli

import (
	"bytes"
	"sync"
)

// locked is a buffer that two goroutines may use.
type locked struct {
	sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}
