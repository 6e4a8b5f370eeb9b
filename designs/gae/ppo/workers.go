package ppo

import "sync"

// workers is the number of parts that divided work is cut into: halves of the
// environments, actor and critic. It is fixed, so results do not depend on how many
// processors work on them.
const workers = 2

// both calls work(0) and work(1), side by side, and returns when both have.
func both(work func(part int)) {
	var wg sync.WaitGroup
	wg.Go(func() { work(1) })
	work(0)
	wg.Wait()
}

// part is the part of 0..n−1 that belongs to a worker.
func part(worker, n int) (from, to int) { return n * worker / workers, n * (worker + 1) / workers }
