package enum

import "etch/hw"

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
	done phase = "done"
	over       = done // another name of it
)

// few has one enumeration with less than its constants, on purpose.
type few int

const (
	a few = iota
	b
	c
)

type other string // has no constants

type Ports struct{ Y hw.UInt }

func mistakes(m *hw.Module, p Ports) {
	state := hw.Reg(m, "state", hw.EnumOf(idle, busy)) // want `EnumOf: phase has done too, and the enumeration does not \[hwenum\]`
	one := hw.Reg(m, "one", hw.EnumOf(busy))           // want `EnumOf: phase has idle and done too`
	whole := hw.Reg(m, "whole", hw.EnumOf(done, busy, idle))
	for s := range whole.Cases() {
		switch s { // want `the switch over phase has no case for busy; an empty case or a default says that nothing is to happen`
		case idle:
			one.Goto(busy)
		case done:
		}
	}
	for s := range whole.Cases() {
		if p.Y.Width() > 3 {
			switch s { // want `the switch over phase has no case for idle and done`
			case busy:
				state.Goto(busy)
			}
		}
	}
}

func fine(m *hw.Module, p Ports) {
	whole := hw.Reg(m, "whole", hw.EnumOf(idle, busy, over))
	for s := range whole.Cases() {
		switch s {
		case idle, busy:
		case over:
		}
		switch s {
		case idle:
		default:
		}
		switch { // its cases are conditions
		case s == idle:
		}
	}
	for s := range whole.Cases() { // two switches together have all
		switch s {
		case idle:
		}
		switch s {
		case busy, done:
		}
	}
	for s := range whole.Cases() {
		switch s {
		case first(), idle:
		}
	}
	for s := range whole.Cases() {
		whole.Goto(s)
	}
	part := hw.Reg(m, "part", hw.EnumOf(a, b)) //hwvet:ignore hwenum -- c comes later
	for s := range part.Cases() {
		switch s {
		case a:
		case b:
		}
	}
	values := []phase{idle}
	hw.Reg(m, "spread", hw.EnumOf(values...)).Goto(idle)
	hw.Reg(m, "computed", hw.EnumOf(first(), busy)).Goto(busy)
	hw.Reg(m, "texts", hw.EnumOf("x", "y")).Goto("x")
	hw.Reg(m, "free", hw.EnumOf(other("x"))).Goto("x")
	type local int
	const here local = 1
	hw.Reg(m, "local", hw.EnumOf(here)).Goto(here)
}

func first() phase { return idle }
