package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"
	"etch/testbench/view"
)

// recorded is the run that a test has made with a component, after its reset.
func recorded[P any](t *testing.T, c hw.Component[P], test func(s *sim.Sim, set func(name string, value uint64))) *replay.Run {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	s.Record(1 << 20)
	s.Reset()
	test(s, func(name string, value uint64) {
		sig, err := s.Signal(name)
		require.NoError(t, err)
		require.NoError(t, s.Set(sig, value))
	})
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	return run
}

// counted is a run of a counter of 8 bits that counts in every second cycle.
func counted(t *testing.T) *replay.Run {
	return recorded(t, counter.Counter{Width: 8}, func(s *sim.Sim, set func(string, uint64)) {
		for k := range 12 {
			set("en", uint64(k)&1)
			s.Step(1)
		}
	})
}

// The second cause of a value moves the cursor to its cycle and the selection to its signal.
func TestWhy(t *testing.T) {
	p := open(t, view.Recorded(counted(t)), "sel=count&cycle=10&waves=count,en")
	p.key("w")
	require.Greater(t, eval[int](p, "document.querySelectorAll('.reasons div').length"), 2)
	cause := eval[map[string]string](p, `(() => { const e = document.querySelectorAll('.reasons div.has')[1];
		return { signal: e.dataset.signal, cycle: e.querySelector('.number').textContent }; })()`)
	require.NotEmpty(t, cause["signal"])
	eval[bool](p, `(document.querySelectorAll('.reasons div.has')[1].click(), true)`)
	p.settled()
	require.Equal(t, cause["cycle"]+" "+cause["signal"], eval[string](p, "document.body.dataset.ready"))
	p.shot("why")
}

// The causes are a tree: arrows open and close a row and walk between it and its causes, Enter
// goes to one.
func TestWhyTree(t *testing.T) {
	sent := recorded(t, uart.Tx{ClocksPerBit: 4}, func(s *sim.Sim, set func(string, uint64)) {
		set("bytes_data", 0x55)
		set("bytes_valid", 1)
		s.Step(60)
	})
	p := open(t, view.Recorded(sent), "sel=line&cycle=15&waves=line&panel=why")
	rows := func() int {
		return eval[int](p, "[...document.querySelectorAll('.reasons div')].filter(e => e.offsetHeight > 0).length")
	}
	level := func() string { return eval[string](p, "document.activeElement.ariaLevel") }
	require.Equal(t, "tree", eval[string](p, "document.querySelector('.reasons').role"))
	p.tab(".reasons [data-key]")
	require.Equal(t, "1", level())
	all := rows()
	require.Greater(t, all, 2)

	// Closed, the root is alone.
	p.key(kb.ArrowLeft)
	require.Equal(t, 1, rows())
	require.True(t, p.focused("[aria-expanded=false]"))
	p.key(kb.ArrowRight)
	require.Equal(t, all, rows())
	p.key(kb.ArrowRight)
	require.Equal(t, "2", level())

	// Down to the last row; closed ones are opened on the way.
	deep, last := 2, ""
	for range 100 {
		at := eval[string](p, "document.activeElement.dataset.row + document.activeElement.ariaExpanded")
		if at == last {
			break
		}
		deep, last = max(deep, eval[int](p, "Number(document.activeElement.ariaLevel)")), at
		if p.focused("[aria-expanded=false]") {
			p.key(kb.ArrowRight)
		}
		p.key(kb.ArrowDown)
	}
	require.GreaterOrEqual(t, rows(), all)
	require.Greater(t, deep, 2)
	for range 2 * deep {
		p.key(kb.ArrowLeft)
	}
	require.Equal(t, "1", level())
	require.Equal(t, 1, rows())
	p.key(kb.ArrowRight + kb.ArrowDown)
	goal := eval[string](p, "`${document.activeElement.querySelector('.number').textContent} ${document.activeElement.dataset.signal ?? ''}`")
	p.key("\r")
	if goal[len(goal)-1] != ' ' {
		require.Equal(t, goal, eval[string](p, "document.body.dataset.ready"), fmt.Sprint(rows()))
	}
	p.shot("why-tree")
}
