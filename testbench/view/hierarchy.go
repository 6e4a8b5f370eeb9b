package view

import (
	"cmp"
	"slices"
	"strings"

	"etch/ir"
	"etch/sim"
)

// scopeInfo is an instance in the hierarchy.
type scopeInfo struct {
	Name     string       `json:"name"`
	Path     string       `json:"path"`
	Module   string       `json:"module"`
	Signals  []signalInfo `json:"signals"`
	Mems     []memInfo    `json:"mems,omitempty"`
	Children []scopeInfo  `json:"children,omitempty"`
}

// signalInfo is a signal in the hierarchy.
type signalInfo struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Width int    `json:"width"`
	Kind  string `json:"kind"` // input, output, register, wire; check: a register that only assertions need
	Type  string `json:"type"`
	Path  string `json:"bundle,omitempty"` // of a part of a bundle: the bundle's name
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// memInfo is a memory in the hierarchy.
type memInfo struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Depth int    `json:"depth"`
	Width int    `json:"width"`
}

// design answers with the hierarchy and the extent of the run.
func (v *View) design(query) (any, error) {
	l, alive := v.run.(*live)
	var forked *uint64
	if alive && l.before != nil {
		forked = &l.marks[0].cycle
	}
	return struct {
		Name    string    `json:"name"`
		Live    bool      `json:"live"`
		Forked  *uint64   `json:"forked,omitempty"` // the cycle from which on a recorded run was made anew
		Watched bool      `json:"watched"`
		Span    span      `json:"span"`
		Top     scopeInfo `json:"top"`
	}{v.run.Sim().Design().Top.Name, alive, forked, v.watched, v.span(), scopeOf(v.run.Sim().Root())}, nil
}

// scopeOf describes an instance with all below it.
func scopeOf(c sim.Scope) scopeInfo {
	info := scopeInfo{Name: cmp.Or(c.Name(), c.Module().Name), Path: c.Path(), Module: c.Module().Name, Signals: []signalInfo{}}

	// Registers that only assertions need are marked, so that the page can hide them.
	checks := ir.ForStatements(c.Module(), c.Module().Stmts)
	for _, sig := range signalsOf(c) {
		at, kind := sig.At(), kindOf(c, sig)
		if _, id := sig.Node(); kind == "register" && int(id) < len(checks) && checks[id] {
			kind = "check"
		}
		info.Signals = append(info.Signals, signalInfo{sig.Base(), sig.Name(), sig.Width(), kind, sig.Type().String(), bundleOf(c, sig), at.File, at.Line})
	}
	for _, m := range c.Mems() {
		info.Mems = append(info.Mems, memInfo{m.Name()[strings.LastIndex(m.Name(), ".")+1:], m.Name(), m.Depth(), m.Width()})
	}
	for _, child := range c.Children() {
		info.Children = append(info.Children, scopeOf(child))
	}
	return info
}

// signalsOf lists the signals of an instance, each name once.
func signalsOf(c sim.Scope) []sim.Signal {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(c.Signals()), func(sig sim.Signal) bool {
		again := seen[sig.Base()]
		seen[sig.Base()] = true
		return again
	})
}

// bundleOf is the user's outermost bundle or vector that a signal is a part of, "" if there is none.
func bundleOf(c sim.Scope, sig sim.Signal) string {
	m := c.Module()
	path := ""
	if i := m.PortIndex(sig.Base()); i >= 0 {
		path = m.Ports[i].Path
	} else if _, id := sig.Node(); id != ir.None {
		path = m.PathOf(id)
	}
	return outermost(path)
}

// kindOf says what a signal is in its module.
func kindOf(c sim.Scope, sig sim.Signal) string {
	m := c.Module()
	if i := m.PortIndex(sig.Base()); i >= 0 {
		return m.Ports[i].Dir.String()
	}
	if sig.IsState() {
		return "register"
	}
	return "wire"
}
