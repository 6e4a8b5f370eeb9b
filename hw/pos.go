package hw

import (
	"runtime"
	"strings"

	"etch/ir"
)

// insideFunc reports whether a function belongs to the language itself; the
// first frame that does not is the user's line.
func insideFunc(name string) bool {
	name, _, _ = strings.Cut(name, "[") // type arguments hold paths too
	if rest, below := strings.CutPrefix(name, "etch/hw/"); below {
		pkg, _, _ := strings.Cut(rest[strings.LastIndex(rest, "/")+1:], ".")
		return !strings.HasPrefix(rest, "cmd/") && !strings.HasSuffix(pkg, "_test")
	}
	return strings.HasPrefix(name, "etch/hw.")
}

// pos is the user's line that called into the language. Program counters are
// looked up once each.
func (d *design) pos() ir.Pos {
	var pcs [8]uintptr
	n := runtime.Callers(3, pcs[:])
	for _, pc := range pcs[:n] {
		if !d.inside(pc) {
			return d.src.PC(pc)
		}
	}
	var deep [64]uintptr
	n = runtime.Callers(3, deep[:])
	for _, pc := range deep[:n] {
		if !d.inside(pc) {
			return d.src.PC(pc)
		}
	}
	return 0
}

func (d *design) inside(pc uintptr) bool {
	in, ok := d.insidePC[pc]
	if !ok {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		in = insideFunc(f.Function)
		d.insidePC[pc] = in
	}
	return in
}

// callers keeps where a shape was written, to be looked up only if asked.
func callers() (pcs [3]uintptr) {
	runtime.Callers(4, pcs[:])
	return pcs
}

// shapePos is the user's line among the callers of a shape.
func (d *design) shapePos(x *proto) ir.Pos {
	for _, pc := range x.pcs {
		if pc != 0 && !d.inside(pc) {
			return d.src.PC(pc)
		}
	}
	return 0
}

// userFrames are the locations outside the language on the stack, innermost
// first, up to the runner of the design.
func userFrames() []ir.Location {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var out []ir.Location
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "etch/hw.elaborate") || strings.HasPrefix(f.Function, "etch/hw.Build"):
			if len(out) > 0 {
				return out
			}
		case f.Function == "testing.tRunner" || strings.HasPrefix(f.Function, "runtime."):
			return out
		case !insideFunc(f.Function):
			out = append(out, ir.Location{File: f.File, Line: f.Line})
		}
		if !more {
			return out
		}
	}
}
