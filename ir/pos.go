package ir

import (
	"fmt"
	"path/filepath"
	"runtime"
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
	pc  uintptr // not resolved yet when loc.Line is 0
	loc Location
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
	}
	return e.loc
}
