package tools

import (
	"context"
	"fmt"
	"time"
)

// lockPoll is the time between two attempts of a waiting process.
const lockPoll = 100 * time.Millisecond

// lock takes the lock file at path, waiting until ctx ends. waiting is called
// once if another process holds it.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	for first := true; ; first = false {
		unlock, ok, err := TryLock(path)
		if err != nil || ok {
			return unlock, err
		}
		if first {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another process holds %s: %w", path, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}
