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

// library is the folder of Go's own packages, "" where paths are trimmed. They are
// never the user's line, though they call back.
var library = func() string {
	cut := reflect.ValueOf(strings.Cut).Pointer()
	file, _ := runtime.FuncForPC(cut).FileLine(cut)
	root, ok := strings.CutSuffix(file, "strings/strings.go")
	if !ok {
		return ""
	}
	return root
}()

// insideFile reports whether a file belongs to the language, that is to this package or one
// below it. The first frame on the stack outside is the user's line. Commands and tests
// count as users. The function's name would not do: a closure is named after the function
// that it was inlined into.
func insideFile(file string) bool {
	if rest, ok := strings.CutPrefix(file, folder); ok {
		return !strings.HasPrefix(rest, "cmd/") && !strings.HasSuffix(rest, "_test.go")
	}
	return buildsForUser(file) || helpsUser(file)
}

// helpers are files outside of the language whose functions stand for operations of it, as the
// dataflow form of floating point does: a mistake in a call of them is at the caller's line.
// Components beside them keep lines of their own.
var helpers = []string{"designs/float/kind.go", "designs/float/units.go"}

func helpsUser(file string) bool {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "hw/"))
	return ok && slices.Contains(helpers, rest)
}

// buildsForUser reports whether a file belongs to a package of etch that builds components
// for its caller (testbench, designs/cli). For testbench.New, the user's line is the call
// of New.
func buildsForUser(file string) bool {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "hw/"))
	return ok && (strings.HasPrefix(rest, "testbench/") || strings.HasPrefix(rest, "designs/cli/")) && !strings.HasSuffix(rest, "_test.go")
}

// insidePC is insideFile for a program counter as runtime.Callers gives it.
func insidePC(pc uintptr) bool {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return insideFile(f.File)
}

// callStack is the innermost return addresses of the calls under way, see frames.
type callStack [12]uintptr

// hash multiplies by 2^64/φ (Fibonacci hashing, Knuth, vol. 3, 6.4) and mixes the good top
// bits down.
func (c *callStack) hash() uint64 {
	h := uint64(0)
	for _, pc := range c {
		h = (h ^ uint64(pc)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// place is a call stack with the position that it stands for.
type place struct {
	stack callStack
	pos   ir.Pos
}

// pos is the user's line that called into the language, with the calls of the user's own
// helpers that led there. Every operation asks for it, so it is cached twice by the return
// addresses on the stack: in a small direct-mapped table, and in a map of all stacks seen.
// Stacks that agree in the innermost addresses are taken for one. It needs a frame of its
// own, where the list of frames begins.
//
//go:noinline
func (d *design) pos() ir.Pos {
	var stack callStack
	frames((*[12]uintptr)(&stack))
	e := &d.places[stack.hash()%uint64(len(d.places))]
	if e.stack == stack {
		return e.pos
	}

	pos, ok := d.byStack[stack]
	if !ok {
		pos = d.userPos()
		d.byStack[stack] = pos
	}

	*e = place{stack, pos}
	return pos
}

// userPos computes pos without the caches.
func (d *design) userPos() ir.Pos {
	var pos ir.Pos

	// Each position is chained to that of its caller, from the outermost one in.
	for _, f := range slices.Backward(userStack()) {
		pos = d.src.PC(f.pc, pos)
	}
	return pos
}

// userPC is the program counter of the user's line on the stack, 0 for none. It
// must have a frame of its own.
//
//go:noinline
func userPC() uintptr {
	var pcs [12]uintptr
	frames(&pcs)

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
	return deepUserPC()
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

// deepUserPC computes userPC for any depth, without the cache.
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
	return d.src.PC(x.pc, 0)
}

// userFrames are the locations of [userStack].
func userFrames() []ir.Location {
	var out []ir.Location
	for _, f := range userStack() {
		out = append(out, f.at)
	}
	return out
}

// userFrame is a call of the user's.
type userFrame struct {
	pc uintptr
	at ir.Location
}

// userStack is the user's functions on the stack, innermost first, up to the component
// being built: the line of the operation, and the calls of the user's own helpers that lead
// there. A function that the language called back, such as the body of a When, adds
// nothing. Outside of a component it is the line that calls Build.
func userStack() []userFrame {
	var pcs [128]uintptr
	var out []userFrame
	helper, asked := true, false // the frame below is the user's, or there is none; it is Build
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		switch {
		case f.Function == "testing.tRunner", f.Function == "runtime.goexit", f.Function == "runtime.main",
			len(out) > 0 && (strings.HasPrefix(f.Function, home+".elaborate") || strings.HasPrefix(f.Function, home+".Build")):
			return out
		case strings.HasPrefix(f.Function, "runtime."), library != "" && strings.HasPrefix(f.File, library):
		case insideFile(f.File):
			helper = false
			asked = strings.HasPrefix(f.Function, home+".Build") || asked && buildsForUser(f.File)
		case asked:
			return []userFrame{{pc, ir.Location{File: f.File, Line: f.Line}}}
		default:
			if helper || len(out) == 0 {
				out = append(out, userFrame{pc, ir.Location{File: f.File, Line: f.Line}})
			}
			helper = true
		}
	}
	return out
}
