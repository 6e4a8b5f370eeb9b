package testbench

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"strings"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// Thread is a part of a test that runs beside it, see [Bench.Go].
//
// A thread is a coroutine: one part of a test runs at a time, and this file, not Go's scheduler,
// decides which is next. The bench resumes a thread, which gives control
// back when it waits.
type Thread struct {
	b       *Bench
	started [depth]uintptr // the calls that lead to Go
	sets    uint64         // sets of inputs up to this one are known to it
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	ended   bool
	due     bool // it is its turn

	waits  waiting
	left   int     // edges that it still waits for
	clocks []*port // of one of these clocks, nil for any
	other  *Thread // that it waits for
}

// depth is how many calls are kept to find the user's line.
const depth = 12

// waiting is the event that a thread waits for.
type waiting uint8

const (
	forEdge   waiting = iota
	forLook           // until all have set their inputs for the next edge
	forThread         // until another thread has ended
)

// Go starts f as a thread: it runs beside the test and steps with the bench's Step,
// Tick and StepUntil, Send and Take, which wait in it for edges that the test makes.
// The package's section on threads has the order. Go returns when f first
// waits or ends. A failure in f, also by Fatal, fails the test there. When the test
// ends before f does, f ends where it waits, with its deferred calls.
func (b *Bench) Go(f func()) *Thread {
	b.t.Helper()
	if f == nil {
		b.t.Fatal("Go: the function is nil")
	}

	// The thread runs now until it waits for the first time.
	th := b.newThread(f)
	runtime.Callers(2, th.started[:])
	b.addThread(th)
	b.resume(th)
	th.Ended()
	b.forgetThreads()
	return th
}

// newThread makes a thread of f that has not started yet.
func (b *Bench) newThread(f func()) *Thread {
	th := &Thread{b: b, sets: b.sets}
	th.next, th.stop = iter.Pull(func(yield func(struct{}) bool) {
		th.yield = yield
		defer th.explain()
		f()
	})
	return th
}

// explain says in a panic of a thread where it comes from: it goes on in the
// goroutine of the test, whose stack says nothing about it.
func (th *Thread) explain() {
	if p := recover(); p != nil {
		panic(fmt.Sprintf("%v\n\nin the thread that was started at %s:\n%s", p, lineOf(th.started[:]), debug.Stack()))
	}
}

// addThread makes the bench look at threads in every step.
func (b *Bench) addThread(th *Thread) {
	if len(b.threads) == 0 {
		b.t.Cleanup(b.endThreads)
		b.heed()
		for i := range b.ports {
			b.ports[i].slow = true // each Set is looked at
		}
	}
	b.threads = append(b.threads, th)
}

// heed makes the bench do more in Step than to step, and notice edges that it does not
// make.
func (b *Bench) heed() {
	if !b.busy {
		b.busy, b.cycles = true, b.Sim.Cycles()
	}
}

// resume lets a thread run until it waits. A Goexit or a panic in it goes on here.
func (b *Bench) resume(th *Thread) {
	before := b.current
	b.current = th
	defer func() { b.current = before }()

	// next returns when the thread waits, or at its end.
	if _, alive := th.next(); !alive {
		th.ended = true
		b.current = before
		b.resumeWaiting(th)
	}
}

// resumeWaiting lets the threads run that wait for the end of another, at once or, if
// it has ended in Settle, behind the edge.
func (b *Bench) resumeWaiting(ended *Thread) {
	for _, th := range b.threads {
		switch {
		case th.ended || th.waits != forThread || th.other != ended:
		case b.looking: // nothing may be set before the edge
			th.waits, th.left, th.clocks, th.other = forEdge, 1, nil, nil
		default:
			b.resume(th)
		}
	}
}

// forgetThreads drops the threads that have ended, unless somebody goes over them now.
func (b *Bench) forgetThreads() {
	if b.current != nil || b.walking {
		return
	}

	alive := b.threads[:0]
	for _, th := range b.threads {
		if !th.ended {
			alive = append(alive, th)
		}
	}

	// Threads that have ended are not kept alive by the list's rest.
	clear(b.threads[len(alive):])
	if b.threads = alive; len(alive) > 0 {
		return
	}

	// Without threads ports may be set the quick way again.
	b.busy = len(b.agents) > 0
	for i := range b.ports {
		p := &b.ports[i]
		p.slow = p.wide || p.pulse || p.driver != ""
	}
}

// suspend gives control back. When the test has ended meanwhile, so does the thread.
func (th *Thread) suspend() {
	if !th.yield(struct{}{}) {
		runtime.Goexit()
	}
}

// sleep waits for n edges of one of these clocks, nil for any.
func (th *Thread) sleep(n int, clocks []*port) {
	if n == 0 {
		return
	}
	th.waits, th.left, th.clocks = forEdge, n, clocks
	th.suspend()
}

// Settle waits in a thread until the test, its threads and agents have set their inputs for the
// next edge: from there to its next Step the thread sees the values that registers will see at
// that edge, and must set nothing. In the test itself, which is the last to set, it does nothing.
func (b *Bench) Settle() {
	if th := b.current; th != nil {
		th.waits = forLook
		th.suspend()
	}
}

// Ended reports whether the thread's function has returned. If so, the caller's later sets come
// after all sets of the thread.
func (th *Thread) Ended() bool {
	if th.ended {
		*th.b.knownSets() = th.b.sets
	}
	return th.ended
}

// mostWait is the number of edges that Wait makes at most; less in a test of it.
var mostWait = 1_000_000

// Wait waits until the thread has ended. In the test it steps meanwhile, all clocks
// together, or those that have a period as they come; it ends the test after a million
// edges. In another thread it waits for edges that the test makes.
func (th *Thread) Wait() {
	b := th.b
	b.t.Helper()

	if cur := b.current; cur != nil {
		if why := th.awaited(cur); why != "" {
			b.t.Fatal(why)
		}
		return
	}

	// The test itself drives the clocks while it waits.
	for n := 0; !th.Ended(); n++ {
		if n == mostWait {
			b.t.Fatalf("Wait: the thread that was started at %s has not ended after %d edges; it waits for %s", lineOf(th.started[:]), n, th.reason())
		}
		if why := b.anyEdge(); why != "" {
			b.t.Fatalf("Wait: %s", why)
		}
	}
}

// awaited has the thread cur wait for th, unless th waits for it.
func (th *Thread) awaited(cur *Thread) (why string) {
	if th.Ended() {
		return ""
	}

	// Follow the chain of waits: coming back to cur would be a deadlock.
	for x := th; x != nil; {
		if x == cur {
			return fmt.Sprintf("Wait: the thread that was started at %s waits for itself, by the one that was started at %s", lineOf(cur.started[:]), lineOf(th.started[:]))
		}
		if x.waits != forThread {
			break
		}
		x = x.other
	}

	cur.waits, cur.other = forThread, th
	cur.suspend()

	// Its end tells cur of all that th has set.
	th.Ended()
	return ""
}

// reason names the event that a thread waits for.
func (th *Thread) reason() string {
	switch {
	case th.waits == forThread:
		return fmt.Sprintf("the one that was started at %s", lineOf(th.other.started[:]))
	case th.waits == forLook:
		return "the next edge"
	case th.clocks == nil:
		return fmt.Sprintf("%d more edges", th.left)
	}
	var names []string
	for _, c := range th.clocks {
		names = append(names, c.sig.Name())
	}
	return "an edge of " + strings.Join(names, " or ")
}

// endThreads ends the threads that still run when the test ends, in order of creation.
func (b *Bench) endThreads() {
	b.walking, b.looking, b.resting = false, false, false
	for len(b.threads) > 0 {
		th := b.threads[0]
		b.threads = b.threads[1:]
		if !th.ended {
			th.end()
		}
	}
}

// end ends a thread where it waits. It ends by Goexit, which recover does not stop: a
// goroutine of its own takes it.
func (th *Thread) end() {
	th.b.current, th.ended = th, true
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		th.stop()
	}()
	<-done

	// A panic goes on in the test's goroutine.
	if th.b.current = nil; panicked != nil {
		panic(panicked)
	}
}

// mover says who has last set a port since there are threads.
type mover struct {
	seq  uint64 // number of the set, 0: none
	by   *Thread
	from [depth]uintptr
}

// knownSets is the number of the last setting of inputs that the test, or the current thread,
// knows of: by its creator before it was started, and by threads that it has seen end.
func (b *Bench) knownSets() *uint64 {
	if b.current != nil {
		return &b.current.sets
	}
	return &b.testSets
}

// claimSet notes that a port is set to v now by the test or the current thread. Two of
// them that set it to two values in one cycle, and do not know of each other, are a
// mistake: the order in which they run would decide.
func (b *Bench) claimSet(what string, p *port, v bits.Value) (why string) {
	if b.looking {
		return fmt.Sprintf("%s: %s is set behind Settle, and others have looked already; Step first", what, p.sig.Name())
	}

	// A rival is another setter whose setting this one cannot have seen.
	if p.last == nil {
		p.last = &mover{}
	}
	last, cur := p.last, b.current
	rival := last.by != cur && last.seq > max(b.edgeSets, *b.knownSets())
	if rival && !b.Sim.GetBits(p.sig).Equal(v) {
		return fmt.Sprintf("%s: %s has been set in this cycle at %s, to another value: two threads drive it; leave it to one, or Step between", what, p.sig.Name(), lineOf(last.from[:]))
	}

	b.sets++
	last.seq, last.by = b.sets, cur
	runtime.Callers(4, last.from[:])
	return ""
}

// lineOf is the user's line among calls, the first one outside this package.
func lineOf(calls []uintptr) string {
	n := 0
	for n < len(calls) && calls[n] != 0 {
		n++
	}

	frames := runtime.CallersFrames(calls[:n])
	for {
		f, more := frames.Next()
		if !more || !isOwn(f) {
			return fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
	}
}

// isOwn reports whether a call is one within this package or hw.
func isOwn(f runtime.Frame) bool {
	own := strings.HasPrefix(f.Function, "etch/testbench.") || strings.HasPrefix(f.Function, "etch/hw.")
	return own && !strings.HasSuffix(f.File, "_test.go")
}

// ticking returns the ports of clocks, or why a clock is no input of the top.
func (b *Bench) ticking(what string, clocks []hw.Clock) (ports []*port, why string) {
	for _, c := range clocks {
		p, why := b.direction(what, c, ir.In)
		if why != "" {
			return nil, why
		}
		ports = append(ports, p)
	}
	return ports, ""
}
