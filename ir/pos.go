package ir

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Pos is a position in the user's source: an index into [Sources]. 0 is unknown. It may
// have a chain of callers. It may also stand for several lines at once, if one node does
// the work of several statements.
type Pos uint32

// Location is a resolved position.
type Location struct {
	File string
	Line int
}

// String is "file.go:12", without the folder, or "?" when unknown.
func (l Location) String() string {
	if l.Line == 0 {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
}

// Sources is the table of positions of a design. Program counters are stored and resolved
// only on demand. It is safe for concurrent use.
type Sources struct {
	mu      sync.Mutex
	entries []source // entry 0 is the unknown position
	byCall  map[call]Pos
	byLine  map[Location]Pos
	byParts map[string]Pos
}

// source is one entry: a call, a line, or a list of those.
type source struct {
	call
	loc   Location // of a call not resolved yet: line 0
	name  string   // package path and file name, "" for a line given as text
	parts []Pos    // sorted; none of them has parts
}

// call is a program counter, as runtime.Callers gives it, with the place from
// which its function was called.
type call struct {
	pc     uintptr
	caller Pos
}

// NewSources returns an empty table.
func NewSources() *Sources {
	return &Sources{entries: make([]source, 1), byCall: map[call]Pos{}, byLine: map[Location]Pos{}, byParts: map[string]Pos{}}
}

// PC returns the position of a program counter as runtime.Callers gives it, in a function
// called from caller; caller is 0 if unknown.
func (s *Sources) PC(pc uintptr, caller Pos) Pos {
	s.mu.Lock()
	defer s.mu.Unlock()

	// Equal calls share a position: a design asks for the same lines again and again.
	return interned(s, s.byCall, call{pc, caller}, source{call: call{pc, caller}})
}

// Line returns the position of a line of a file.
func (s *Sources) Line(file string, line int) Pos {
	if line <= 0 {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Location{file, line}
	return interned(s, s.byLine, l, source{loc: l})
}

// maxJoined bounds the lines that one position stands for. A node that does the work of
// more statements keeps the first ones.
const maxJoined = 8

// Join returns the position that stands for the lines of all of pos. Positions that the
// table does not have are left out.
func (s *Sources) Join(pos ...Pos) Pos {
	// The common cases need no lock.
	if len(pos) == 2 && (pos[0] == 0 || pos[1] == 0 || pos[0] == pos[1]) {
		return max(pos[0], pos[1])
	}
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()

	// Flatten lists, so that no part has parts, and make the result independent of order.
	var parts []Pos
	for _, p := range pos {
		switch {
		case p == 0 || int(p) >= len(s.entries):
		case s.entries[p].parts != nil:
			parts = append(parts, s.entries[p].parts...)
		default:
			parts = append(parts, p)
		}
	}

	slices.Sort(parts)
	parts = slices.Compact(parts)
	parts = parts[:min(len(parts), maxJoined)]

	switch len(parts) {
	case 0:
		return 0
	case 1:
		return parts[0]
	}
	return interned(s, s.byParts, fmt.Sprint(parts), source{parts: parts})
}

// interned returns the entry of a key, and adds it if it is new.
func interned[K comparable](s *Sources, by map[K]Pos, key K, e source) Pos {
	p, ok := by[key]
	if !ok {
		s.entries = append(s.entries, e)
		p = Pos(len(s.entries) - 1)
		by[key] = p
	}
	return p
}

// At resolves a position; for several lines it gives the first.
func (s *Sources) At(p Pos) Location { return s.at(p, false) }

// Portable is At with a file name that is the same on every machine: the path of its
// package instead of the folder.
func (s *Sources) Portable(p Pos) Location { return s.at(p, true) }

// All returns the lines that a position stands for, each once, in the order in
// which they were first met; none for the unknown position.
func (s *Sources) All(p Pos) []Location { return s.all(p, false) }

// AllPortable is All with the file names of [Sources.Portable].
func (s *Sources) AllPortable(p Pos) []Location { return s.all(p, true) }

// Calls returns the lines that led to a position: its own, that of the call of its
// function, and so on up to the component's Build, as far as known.
func (s *Sources) Calls(p Pos) []Location {
	if s == nil || int(p) >= len(s.entries) {
		return nil
	}
	s.mu.Lock()
	// Of several lines, the first.
	defer s.mu.Unlock()
	if parts := s.entries[p].parts; parts != nil {
		p = parts[0]
	}

	// From the innermost call outwards.
	var out []Location
	for ; p != 0; p = s.entries[p].caller {
		out = append(out, s.resolve(p, false))
	}
	return out
}

func (s *Sources) at(p Pos, portable bool) Location {
	if s == nil || int(p) >= len(s.entries) {
		return Location{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if parts := s.entries[p].parts; parts != nil {
		p = parts[0]
	}
	return s.resolve(p, portable)
}

func (s *Sources) all(p Pos, portable bool) []Location {
	if s == nil || p == 0 || int(p) >= len(s.entries) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := s.entries[p].parts
	if parts == nil {
		parts = []Pos{p}
	}

	// Two positions may resolve to one line.
	out := make([]Location, 0, len(parts))
	for _, p := range parts {
		if l := s.resolve(p, portable); l.Line > 0 && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// resolve returns the line of an entry. A program counter is looked up once and then kept
// as a line.
func (s *Sources) resolve(p Pos, portable bool) Location {
	e := &s.entries[p]
	if e.loc.Line == 0 && e.pc != 0 {
		f, _ := runtime.CallersFrames([]uintptr{e.pc}).Next()
		e.loc = Location{f.File, f.Line}
		e.name = path.Join(packageOf(f.Function), filepath.Base(f.File))
	}

	if portable && e.name != "" {
		return Location{e.name, e.loc.Line}
	}
	return e.loc
}

// packageOf is the path of the package of a function: "etch/hw" of
// "etch/hw.(*Module).When".
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments hold paths too
	// The package's own name ends at the first dot after the last slash.
	slash := strings.LastIndexByte(function, '/') + 1
	pkg, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + pkg
}
