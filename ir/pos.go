package ir

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Pos is a line of the user's source: an index into [Sources]. 0 is unknown.
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

// Sources is the table of positions of a design. Program counters are kept as
// they are and resolved only when somebody asks. Finished designs may be asked
// from several goroutines.
type Sources struct {
	mu      sync.Mutex // guards the lazy look-up of At
	entries []source   // entry 0 is the unknown position
	byPC    map[uintptr]Pos
	byLine  map[Location]Pos
}

type source struct {
	pc   uintptr // not resolved yet when loc.Line is 0
	loc  Location
	name string // package path and file name, "" for a line given as text
}

// NewSources returns an empty table.
func NewSources() *Sources {
	return &Sources{entries: make([]source, 1), byPC: map[uintptr]Pos{}, byLine: map[Location]Pos{}}
}

// PC returns the position of a program counter as runtime.Callers gives it.
func (s *Sources) PC(pc uintptr) Pos {
	p, ok := s.byPC[pc]
	if !ok {
		p = s.add(source{pc: pc})
		s.byPC[pc] = p
	}
	return p
}

// Line returns the position of a line of a file.
func (s *Sources) Line(file string, line int) Pos {
	if line <= 0 {
		return 0
	}
	l := Location{file, line}
	p, ok := s.byLine[l]
	if !ok {
		p = s.add(source{loc: l})
		s.byLine[l] = p
	}
	return p
}

func (s *Sources) add(e source) Pos {
	s.entries = append(s.entries, e)
	return Pos(len(s.entries) - 1)
}

// At resolves a position.
func (s *Sources) At(p Pos) Location {
	if s == nil || int(p) >= len(s.entries) {
		return Location{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &s.entries[p]
	if e.loc.Line == 0 && e.pc != 0 {
		f, _ := runtime.CallersFrames([]uintptr{e.pc}).Next()
		e.loc = Location{f.File, f.Line}
		e.name = path.Join(packageOf(f.Function), filepath.Base(f.File))
	}
	return e.loc
}

// Portable is At with a file name that is the same on every machine: the path of
// its package in place of the folder.
func (s *Sources) Portable(p Pos) Location {
	l := s.At(p)
	if l.Line > 0 && s.entries[p].name != "" {
		l.File = s.entries[p].name
	}
	return l
}

// packageOf is the path of the package of a function, as in "etch/hw" of
// "etch/hw.(*Module).When".
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments hold paths too
	slash := strings.LastIndexByte(function, '/') + 1
	pkg, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + pkg
}
