package hw

import (
	"runtime"
	"strings"

	"etch/hw/internal/caller"
)

// run calls a user's method; ok is false if it panicked. A panic becomes a mistake
// at the user's line, beside those found before it: a mistake has often caused it.
func run(m *Module, f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Errors: // of [body.stray]
			for _, x := range r {
				m.b.d.report(x)
			}
			m.b.blind = true
		default:
			m.panicked(r)
		}
	}()
	f()
	return true
}

// panicked reports a panic of a user's method, while it is under way. If statements were
// skipped because of a mistake, the panic adds nothing and is not reported.
func (m *Module) panicked(r any) {
	if m.b.blind {
		return
	}

	var notes []Note

	if m.b.d.count > 0 {
		notes = append(notes, Note{Msg: "most likely because of a mistake above"})
	}

	if name := panickedIn(); name != "" {
		notes = append(notes, Note{Msg: "in " + name + ": it was given a nil module, memory or port, or this is a bug of etch"})
	}

	m.b.d.report(newDiag("panic", notes, "%s panicked: %v", m.b.m.Origin, r))
	m.b.blind = true
}

// panickedIn is the function of this package in which the panic under way began, "" if it
// began in the user's code. It is the first frame outside the runtime below gopanic.
func panickedIn() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])

	begun := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			begun = true
		case !begun || strings.HasPrefix(f.Function, "runtime."):
		case caller.Inside(f.File):
			return strings.TrimPrefix(f.Function, caller.Home[:strings.LastIndexByte(caller.Home, '/')+1])
		default:
			return ""
		}
		if !more {
			return ""
		}
	}
}

// stray reports the mistake of a statement that may have no module, for which b is
// nil. Such a statement would vanish without a trace, and there is nothing that
// the mistake could flow into, so that it stops the Build: it unwinds to run.
func (b *body) stray(x Diag) {
	if b == nil {
		panic(Errors{x})
	}
	b.d.report(x)
}

// meetStray is meet for the operand of a statement that may have no module.
func (b *body) meetStray(s sig) {
	switch {
	case s.x != nil && s.x.diag != nil:
		b.stray(*s.x.diag)
	case b == nil:
		b.stray(newDiag("unset", nil, "a statement without hardware: %s", describe(s)))
	}
}
