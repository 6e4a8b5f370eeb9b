package cookbook

import (
	"fmt"
	"os"

	"etch/hw"
	"etch/sim"
	"etch/sim/lanes"
	"etch/testbench"
)

// A rule over two cycles: Past looks back, and waits until there is a past.
func Example_assertOverTime() {
	type ports struct {
		En    hw.Bit  `dir:"in"`
		Count hw.UInt `dir:"out"`
	}
	design, _, _ := hw.Build(hw.Func("watched", ports{Count: hw.Unsigned(4)}, func(m *hw.Module, p ports) {
		count := hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
		count.SetIf(p.En, count.Inc())
		m.Assert(count.IsLe(2), "the count is %d", count)
		m.Assert(hw.Past(m, p.En.Not()).Implies(hw.Stable(m, count)), "the count moved by itself")
		p.Count.Set(count)
	}))
	s, _ := sim.New(design)
	en, _ := s.Signal("en")
	s.Reset()
	s.Set(en, 1)
	s.Step(4)
	for _, f := range s.Failures() {
		fmt.Println(f.Cycle, f.Message)
	}
	// Output: 4 the count is 3
}

// A print in the cycles in which its condition holds; %s is the name of a state.
func Example_printInSimulation() {
	type mode string
	type ports struct {
		Go hw.Bit `dir:"in"`
	}
	modes := hw.EnumOf[mode]("rest", "run")
	design, _, _ := hw.Build(hw.Func("modes", ports{}, func(m *hw.Module, p ports) {
		state := hw.Reg(m, "state", modes, hw.Val[mode]("rest"))
		state.GotoIf(p.Go, "run")
		m.When(hw.Changed(m, state), func() { m.Printf("now in %s\n", state) })
	}))
	s, _ := sim.New(design, sim.WithOutput(os.Stdout))
	s.Reset()
	s.Step(2)
	start, _ := s.Signal("go")
	s.Set(start, 1)
	s.Step(3)
	// Output: now in run
}

// A cover counts the cycles in which something happened.
func Example_coverage() {
	type ports struct {
		Full, Push hw.Bit `dir:"in"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("covered", ports{}, func(m *hw.Module, p ports) {
		m.Cover(p.Full.And(p.Push), "push_while_full")
	}))
	s.Set(p.Push, 1)
	for cycle := range 8 {
		s.Set(p.Full, cycle/4)
		s.Step(1)
	}
	for _, c := range s.Sim.Coverage() {
		fmt.Println(c.Name, c.Count)
	}
	// Output: push_while_full 4
}

// Values that nothing reads are warned of, unless the design says that it knows.
func Example_unusedValues() {
	type ports struct {
		A, B hw.Bit `dir:"in"`
		Out  hw.Bit `dir:"out"`
	}
	build := func(known bool) hw.Errors {
		design, _, _ := hw.Build(hw.Func("half", ports{}, func(m *hw.Module, p ports) {
			p.Out.Set(p.A)
			if known {
				hw.Unused(m, p.B)
			}
		}))
		return hw.Warnings(design)
	}
	fmt.Println(build(false)[0].Msg, len(build(true)))
	// Output: input b is read nowhere 0
}

// Many instances at once: each lane has its own inputs and state.
func Example_manyInstances() {
	design, _, _ := hw.Build(Options{Width: 8, Clear: true})
	l, err := lanes.New(design, 64)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	clear, _ := l.Signal("clear_0")
	count, _ := l.Signal("count")
	l.Reset()
	l.Step(5)
	l.Set(clear, 7, 1)
	l.Step(1)
	fmt.Println(l.Get(count, 6), l.Get(count, 7))
	// Output: 6 0
}

// Native code and interpreter in lock step: every difference would be an error.
func Example_twoEngines() {
	design, _, _ := hw.Build(Options{Width: 16})
	s, err := sim.New(design, sim.WithEngine(sim.Lockstep))
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Reset()
	s.Step(1000)
	count, _ := s.Signal("count")
	fmt.Println(s.Get(count), s.Err())
	// Output: 1000 <nil>
}

// The state at a cycle is kept and given back: a search tries both ways on.
func Example_snapshot() {
	design, _, _ := hw.Build(Options{Width: 8, Clear: true})
	s, _ := sim.New(design)
	clear, _ := s.Signal("clear_0")
	count, _ := s.Signal("count")
	s.Reset()
	s.Step(9)
	saved, _ := s.Snapshot()
	for _, c := range []uint64{1, 0} {
		s.Restore(saved)
		s.Set(clear, c)
		s.Step(1)
		fmt.Print(s.Get(count), " ")
	}
	// Output: 0 10
}
