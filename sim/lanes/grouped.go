package lanes

import (
	"cmp"
	"errors"
	"sync"

	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/drive"
	"etch/sim/internal/nets"
	"etch/sim/internal/program"
	"etch/sim/lanes/internal/code"
)

// grouped has the lanes in groups, each the lanes of a vector, and runs them by vector code.
type grouped struct {
	*common
	form
	target code.Target
	groups []*group
	next   int                     // the group at which RunAll begins
	ofNext func(k int) *code.Group // group next + k: made once, since a run must not allocate
	study  *study                  // of the event of all clocks; nil: nothing to study
	outs   []nets.LaneOut          // words of the top's outputs that have no slot of a leaf
	outAt  map[uint32]int          // by slot of an output word: its number in the layout
	mu     sync.Mutex              // guards the shared simulator while groups run
	heard  bool                    // statements of groups may have results to collect
	alone  bool                    // the calling goroutine runs all groups, for a contest
	kept   results                 // of groups that are no more
}

// group is the lanes of one vector.
type group struct {
	*code.Group
	first int     // first lane
	stale bool    // outputs and asynchronous resets are out of date
	log   results // since the last collection

	before, after []uint64 // for refresh: registers with asynchronous reset
}

// newGrouped makes the groups, and programs for the outputs and for an event of all clocks, in
// the cheapest form. It returns nil for designs that must be interpreted, and after a fault of the
// compiler.
func newGrouped(shared *common, c drive.Config) (l *grouped) {
	err := shared.guarded(func() (err error) {
		l, err = tryGroups(shared, c)
		return err
	})
	if err != nil {
		shared.note("no groups: %v", err)
		return nil
	}
	return l
}

// errNoForm is the reason why lanes are not in groups.
var errNoForm = errors.New("no form can be compiled")

// tryGroups is newGrouped, which may panic.
func tryGroups(shared *common, c drive.Config) (*grouped, error) {
	l := &grouped{common: shared, outs: outputs(shared.m), target: choiceOf(c).target()}

	// A net without clocks computes the outputs alone, for reading between events.
	n, err := nets.ForLanes(l.m.P, nil, l.outs)
	if err != nil {
		return nil, err // black boxes, or ops that engines do not take: interpreted
	}
	step, err := nets.ForLanes(l.m.P, l.all(), l.outs)
	if err != nil {
		return nil, err
	}

	// Try every form; if none fits, the sliced one alone.
	for _, layout := range choiceOf(c).layouts(step.Net, step.Roms, &shared.m.Tunables().LaneCode) {
		l.try(n, step, layout)
	}
	if l.look == nil {
		l.try(n, step, code.NewLayout(step.Net, step.Roms, code.Sliced, &shared.m.Tunables().LaneCode))
	}
	if l.look == nil {
		return nil, errNoForm
	}
	l.note("form %v is the cheapest", l.layout.Form)

	// Registers of the net come in the order of the layout, and the outputs are its last ones.
	l.outAt = map[uint32]int{}
	for k, o := range l.outs {
		l.outAt[o.Slot] = len(n.Regs) - len(l.outs) + k
	}
	l.groups = l.newGroups(l.layout)
	l.ofNext = func(k int) *code.Group { return l.groups[l.next+k].Group }
	l.study = l.newStudy(step, cmp.Or(c.Policy, choose.Standard()))
	return l, nil
}

// maxBytes bounds the bytes of state of all groups, whose vectors are always full. Package code
// needs less than 2 GB per group.
const maxBytes = 8 * program.MaxWords

// try compiles both nets in one layout, and keeps them if they are the cheapest so far. It skips
// layouts that cannot be compiled.
func (l *grouped) try(n, step *nets.Netlist, layout *code.Layout) {
	if !l.holds(layout) {
		l.note("form %v takes too much memory", layout.Form)
		return
	}

	// Both nets must fit; the cost of the event decides.
	var look, event code.Program
	err := l.guarded(func() (err error) {
		if look, err = code.Compile(n.Net, layout, l.target); err == nil {
			event, err = code.Compile(step.Net, layout, l.target)
		}
		return err
	})
	if err != nil {
		l.note("form %v cannot be compiled: %v", layout.Form, err)
		if look != nil {
			look.Close()
		}
		return
	}
	l.note("form %v: cost of a cycle %.2f per lane", layout.Form, event.Cost())

	all := string(l.all())
	if l.look != nil {
		if worse := l.events[all].Cost() <= event.Cost(); worse {
			look.Close()
			event.Close()
			return
		}

		l.look.Close()
		l.events[all].Close()
	}

	l.form = form{layout, look, map[string]code.Program{all: event}}
}

// errManyClocks is the reason why an event of a further clock set is interpreted.
var errManyClocks = errors.New("sim: lanes have programs for enough sets of clocks")

// errNoProgram is the reason once compiling has failed.
var errNoProgram = errors.New("sim: the set of clocks has no program")

// event returns the program for an event of the clocks marked in on.
func (l *grouped) event(on []byte) (code.Program, error) {
	// Programs are compiled at the first event of their set, up to a bound that keeps memory small.
	if p, ok := l.events[string(on)]; ok {
		if p == nil {
			return nil, errNoProgram
		}
		return p, nil
	}
	if len(l.events) >= l.m.Tunables().Warm.Compiled {
		return nil, errManyClocks
	}

	// After a failure, the set keeps no program, and is interpreted from now on.
	var p code.Program
	err := l.guarded(func() error {
		n, err := nets.ForLanes(l.m.P, on, l.outs)
		if err != nil {
			return err
		}
		p, err = code.Compile(n.Net, l.layout, l.target)
		return err
	})
	if err != nil {
		l.note("a set of clocks has no program: %v", err)
		p = nil
	}
	l.events[string(on)] = p
	return p, err
}

// close implements engine.
func (l *grouped) close(keep func(error)) {
	// A study owns the home form and the bodies' form, and the present form is one of the two:
	// closing the form itself would free programs twice.
	if l.study == nil {
		l.form.close(keep)
		return
	}
	l.study.apart.drop(keep)
	l.study.home.close(keep)
	l.study.bodies.close(keep)
}

// takeLog implements engine.
func (l *grouped) takeLog() results {
	// Without this, every event would look at every group.
	if !l.heard {
		return results{}
	}
	l.keepLogs()
	all := l.kept
	l.kept, l.heard = results{}, false
	return all
}

// keepLogs moves the results of statements out of the groups, which may then go.
func (l *grouped) keepLogs() {
	for _, g := range l.groups {
		l.kept.take(&g.log)
	}
}

// failure implements engine: groups cannot fail.
func (l *grouped) failure() error { return nil }

// trace implements engine: vectors tell nothing of one lane.
func (l *grouped) trace(int, sim.Tracer) (can bool, err error) { return false, nil }
