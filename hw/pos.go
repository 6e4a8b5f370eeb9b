package hw

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"etch/ir"
)

// home is the path of this package and folder where its files are.
var home, folder = func() (string, string) {
	_, file, _, _ := runtime.Caller(0)
	return reflect.TypeFor[Module]().PkgPath(), file[:strings.LastIndexByte(file, '/')+1]
}()

// insideFile reports whether a file belongs to the language, that is to this
// package or one below it; the first frame on the stack that does not is the
// user's line. Commands and tests are users. The function's name would not do: a
// closure is named after the function that it was inlined into.
func insideFile(file string) bool {
	rest, ok := strings.CutPrefix(file, folder)
	return ok && !strings.HasPrefix(rest, "cmd/") && !strings.HasSuffix(rest, "_test.go")
}

// insidePC is insideFile of a program counter as runtime.Callers gives it.
func insidePC(pc uintptr) bool {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return insideFile(f.File)
}

// pos is the user's line that called into the language. Every operation asks, so
// that what is known of a return address is kept. It must have a frame of its
// own, where the list of frames begins.
//
//go:noinline
func (d *design) pos() ir.Pos {
	var pcs [12]uintptr
	frames(&pcs)
	for i, pc := range pcs {
		e := &d.places[pc>>1%uintptr(len(d.places))]
		if e.pc != pc {
			user := userAt(pcs[i:])
			if user == unknown {
				break
			}
			*e = place{pc: pc, inside: user == 0}
			if user != 0 {
				e.pos = d.src.PC(user)
			}
		}
		if !e.inside {
			return e.pos
		}
	}
	if pc := deepUserPC(); pc != 0 {
		return d.src.PC(pc)
	}
	return 0
}

// place is what a design knows of a return address.
type place struct {
	pc     uintptr
	pos    ir.Pos
	inside bool // of the language
}

// userPC is the program counter of the user's line on the stack, 0 for none. It
// must have a frame of its own.
//
//go:noinline
func userPC() uintptr {
	var pcs [12]uintptr
	frames(&pcs)
	for i := range pcs {
		user := userAt(pcs[i:])
		if user == unknown {
			break
		}
		if user != 0 {
			return user
		}
	}
	return deepUserPC()
}

// userPCs remembers userAt for all designs: facts about the running program.
var userPCs = struct {
	sync.RWMutex
	of map[uintptr]uintptr
}{of: map[uintptr]uintptr{}}

// unknown is no program counter.
const unknown = ^uintptr(0)

// userAt is the program counter of the user's line at the first of pcs, which
// are return addresses on the stack; 0 where that lies in the language. The two
// addresses differ where calls were inlined.
func userAt(pcs []uintptr) uintptr {
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

// inlinedUser is userAt without memory. The list of runtime.Callers has every
// return address, followed by those of the calls inlined around it. A wrapper
// made by the compiler is missing from it and counts as inside.
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

// deepUserPC is userPC for any depth, without memory.
func deepUserPC() uintptr {
	var deep [128]uintptr
	for _, pc := range deep[:runtime.Callers(2, deep[:])] {
		if !insidePC(pc) {
			return pc
		}
	}
	return 0
}

// shapePos is the user's line where a shape was written.
func (d *design) shapePos(x *proto) ir.Pos {
	if x.pc == 0 {
		return 0
	}
	return d.src.PC(x.pc)
}

// userFrames are the locations of the user's functions on the stack, innermost
// first, up to the component being built: where the mistake is, and the calls of
// the user's own helpers that lead there. A function that the language called
// back, such as the body of a When, leads nowhere new. Outside of a component it
// is the call of Build.
func userFrames() []ir.Location {
	var pcs [128]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var out []ir.Location
	helper := true // the frame below is the user's, or there is none
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "testing.tRunner", f.Function == "runtime.goexit", f.Function == "runtime.main",
			len(out) > 0 && (strings.HasPrefix(f.Function, home+".elaborate") || strings.HasPrefix(f.Function, home+".Build")):
			return out
		case strings.HasPrefix(f.Function, "runtime."):
		case insideFile(f.File):
			helper = false
			if strings.HasPrefix(f.Function, home+".Build") {
				f, _ = frames.Next()
				return []ir.Location{{File: f.File, Line: f.Line}}
			}
		default:
			if helper || len(out) == 0 {
				out = append(out, ir.Location{File: f.File, Line: f.Line})
			}
			helper = true
		}
		if !more {
			return out
		}
	}
}
