package train

// shards is the number of parts that divided work is cut into. It is fixed, so
// results do not depend on how many processors work on them.
const shards = 2

// crew runs the two shards of a piece of work side by side. A nil crew runs
// them one after the other, with the same result.
type crew struct {
	jobs chan func(shard int)
	done chan struct{}
}

func newCrew() *crew {
	c := &crew{jobs: make(chan func(int)), done: make(chan struct{})}

	// One goroutine: the caller does the other shard itself.
	go func() {
		for job := range c.jobs {
			job(1)
			c.done <- struct{}{}
		}
	}()
	return c
}

// stop ends the crew's goroutine.
func (c *crew) stop() { close(c.jobs) }

// both calls work(0) and work(1) and returns when both have.
func (c *crew) both(work func(shard int)) {
	if c == nil {
		work(0)
		work(1)
		return
	}
	c.jobs <- work
	work(0)
	<-c.done
}

// part returns the shard's half of 0..n−1.
func part(shard, n int) (from, to int) {
	return n * shard / shards, n * (shard + 1) / shards
}
