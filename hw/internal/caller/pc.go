package caller

import (
	"runtime"
	"slices"
	"sync"
)

// Stack is the innermost return addresses of the calls under way, 0 past the last.
type Stack [12]uintptr

// Hash multiplies by 2^64/φ (Fibonacci hashing, Knuth, vol. 3, 6.4) and mixes the good top
// bits down.
func (c *Stack) Hash() uint64 {
	h := uint64(0)
	for _, pc := range c {
		h = (h ^ uint64(pc)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// PC is the program counter of the user's line on the stack, 0 for none. It
// must have a frame of its own.
//
//go:noinline
func PC() uintptr {
	var pcs Stack
	Frames(&pcs)

	// Outwards from the innermost call. A stack deeper than pcs is walked again without the cache.
	for i := range pcs {
		user := userAt(pcs[i:])
		if user == unknown {
			break
		}
		if user != 0 {
			return user
		}
	}
	return deepPC()
}

// userPCs remembers userAt for all designs: facts about the running program.
var userPCs = struct {
	sync.RWMutex
	of map[uintptr]uintptr
}{of: map[uintptr]uintptr{}}

// unknown is no program counter.
const unknown = ^uintptr(0)

// userAt is the program counter of the user's line at the first of pcs, which are return
// addresses on the stack; 0 if that frame lies in the language. The line differs from
// pcs[0] if calls were inlined.
func userAt(pcs []uintptr) uintptr {
	// Almost always known: a design asks at few places, often.
	userPCs.RLock()
	user, ok := userPCs.of[pcs[0]]
	userPCs.RUnlock()
	if ok {
		return user
	}

	if user = inlinedUser(pcs); user != unknown {
		userPCs.Lock()
		userPCs.of[pcs[0]] = user
		userPCs.Unlock()
	}
	return user
}

// inlinedUser computes userAt without the cache. The list of runtime.Callers has every
// return address, followed by those of the calls inlined around it. A wrapper made by the
// compiler is missing from it and counts as inside.
func inlinedUser(pcs []uintptr) uintptr {
	if pcs[0] == 0 || len(pcs) == 1 {
		return unknown

	}
	at := -1
	var deep [128]uintptr
	for i, pc := range deep[:runtime.Callers(2, deep[:])] {
		switch {
		case pc == pcs[0]:
			at = i
		// The next physical frame: everything inlined at the first one was inside.
		case at >= 0 && slices.Contains(pcs[1:], pc):
			return 0
		}
		if at >= 0 && !insidePC(pc) {
			return pc
		}
	}

	if at >= 0 {
		return unknown // the stack is deeper than the list
	}
	return 0
}

// deepPC computes PC for any depth, without the cache.
func deepPC() uintptr {
	var deep [128]uintptr
	for _, pc := range deep[:runtime.Callers(2, deep[:])] {
		if !insidePC(pc) {
			return pc
		}
	}
	return 0
}
