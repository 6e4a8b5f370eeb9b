package drive

import (
	"errors"

	"etch/sim/choose"
	"etch/sim/internal/nets"
	"etch/sim/native"
)

// compiled is the native code for the events of one clock set.
type compiled struct {
	run     native.Runner
	failed  bool // it cannot be compiled
	used    int  // events of late: halved whenever codes of clock sets are compared
	running int  // calls that have not returned
	pace    pace
	loud    loud

	// For code that lasts (native.Lasting): the Stepper whose state it has run, and the state's
	// number of changes by others then; effects tells whose events disturb it.
	of      *Stepper
	mark    uint64
	own     int // number of its scratch words, from 1 (native.Options.First)
	effects effects
	beside  map[*compiled]beside
}

// closeCompiled frees the code of all clock sets, and forgets them.
func (s *Stepper) closeCompiled() (errs []error) {
	for _, b := range s.compiled {
		errs = append(errs, b.close())
	}
	clear(s.compiled)
	return errs
}

// close frees the code.
func (b *compiled) close() error {
	var errs []error
	if b.run != nil {
		errs = append(errs, b.run.Close())
	}
	if b.loud.code != nil {
		errs = append(errs, b.loud.code.Close())
	}
	b.run, b.loud = nil, loud{}
	return errors.Join(errs...)
}

// compiledFor returns the code of clock set c, or nil if there is none yet. n events are wanted now.
func (s *Stepper) compiledFor(c *ClockSet, n int) *compiled {
	b := s.compiled[c.key]
	if b == nil {
		if b = s.warm(c, n); b == nil {
			return nil
		}
		s.compiled[c.key] = b
	}

	// Compiling has failed: the interpreter runs the events.
	if b.run == nil {
		return nil
	}
	b.used += n

	// Code compiled since, for a twin or another set of clocks, may need more room than this state
	// has.
	s.furnish()
	return b
}

// warm compiles the code of clock set c once that pays or is required, and makes room for it by
// closing the least used code. It returns nil before.
func (s *Stepper) warm(c *ClockSet, n int) *compiled {
	warm := &s.Tunables().Warm
	crowded := len(s.compiled) >= warm.Compiled
	if (s.kind == Auto || crowded) && c.waited+max(n, s.coming) < warm.Events {
		c.waited++
		return nil
	}

	// More sets than may have code: the new one must have been wanted more often than the least used
	// code was used of late. Halving the counts forgets the past.
	if crowded {
		key, least := s.leastUsed()
		for _, b := range s.compiled {
			b.used /= 2
		}
		if least == nil || c.waited+n <= least.used {
			c.waited++
			return nil
		}
		least.close()
		delete(s.compiled, key)
	}
	c.waited = 0

	// The entry is kept even if the set cannot be compiled, so that this is not tried again.
	b := &compiled{}
	s.room.effects = effects{}
	if run, err := s.compile(c); err == nil {
		b.run, b.effects, b.own = run, s.room.effects, s.room.own
	} else {
		b.failed = true
	}
	return b
}

// leastUsed is the code that was used least of late; of several, the first by its set of clocks.
// Code that runs at present is left out: a print may have led here.
func (s *Stepper) leastUsed() (key string, least *compiled) {
	for k, b := range s.compiled {
		if b.running == 0 && (least == nil || b.used < least.used || b.used == least.used && k < key) {
			key, least = k, b
		}
	}
	return key, least
}

// compile makes the code of clock set c, and room for it: shared by a class if there is one,
// else for the flat net.
func (s *Stepper) compile(c *ClockSet) (run native.Runner, err error) {
	err = s.guarded(func() (err error) {
		run, err = s.makeCode(c)
		return err
	})
	return run, err
}

// makeCode is compile, which may panic.
func (s *Stepper) makeCode(c *ClockSet) (native.Runner, error) {
	n, err := nets.For(s.P, c.on)
	if err != nil {
		return nil, err
	}

	// Dead nodes go first, so that effects and classes do not count them.
	n.CompactInPlace()
	s.room.effects = effectsOf(n.Net)
	s.room.own = s.freeScratch()
	o := native.Options{Features: Features, Plain: s.plain, Policy: s.policy, Recover: s.recovers(), First: s.room.own * native.PartScratch}
	if s.kind == Lockstep && s.policy == nil { // it tests code: the more of it the better
		o.Policy = choose.Eager()
	}
	if s.plain {
		return s.fitted(n, o)
	}

	// Machines that are instances of one module share their code. If that form does not compile,
	// the flat net does.
	if c, roms, fixed := nets.ForClass(s.P, c.on, n); c != nil {
		if run, err := native.NewClass(c, o); err == nil {
			s.room.fixed = fixed
			s.room.changes++
			s.fit(run.Scratch(), append(n.Roms, roms...))
			return run, nil
		}
	}
	return s.fitted(n, o)
}

// fitted makes the code of a net, and room for it.
func (s *Stepper) fitted(n *nets.Netlist, o native.Options) (native.Runner, error) {
	run, err := native.New(n.Net, o)
	if err != nil {
		return nil, err
	}
	s.fit(run.Scratch(), n.Roms)
	return run, nil
}
