package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/designs/examples/uart"
)

// Without a mouse, by events of keys only: an input, steps, a condition, a mark, selection among
// the waves, coverage, search.
func TestKeyboard(t *testing.T) {
	p := open(t, live(t, counter.Counter{Width: 8}), "sel=count&waves=en,count")
	p.focus("i", "#value")
	p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	p.key("en\t1\r" + kb.Escape)
	require.Equal(t, "en", eval[string](p, "document.querySelector('#input').value"))
	require.Equal(t, "1", p.text(row("en")+" .now"))

	// Three keys before the server has answered the first.
	p.do(chromedp.KeyEvent(kb.ArrowRight + kb.ArrowRight + kb.ArrowRight))
	p.shows(4, "count")
	p.key(kb.ArrowLeft)
	p.shows(3, "count")
	require.Equal(t, "2", p.text(row("count")+" .now"))

	p.focus("u", "#until")
	p.key("count == 77\r")
	p.shows(78, "count")
	require.Equal(t, "77", p.text(row("count")+" .now"))
	p.key(kb.Escape + "m" + kb.ArrowLeft)
	p.shows(77, "count")
	require.Contains(t, p.text("#range"), "mark at 78: 1 cycles behind the cursor")
	p.key(kb.ArrowUp)
	p.shows(77, "en")
	p.key("v")
	require.Positive(t, eval[int](p, "document.querySelectorAll('#code div.acted').length"))
	require.Contains(t, p.text("#code p.coverage"), "statements")

	// A hit is chosen by Enter, the first, or by arrows.
	p.focus("/", "#search")
	p.key("cou")
	found := eval[[]string](p, "[...document.querySelectorAll('#tree div')].map(e => e.dataset.signal)")
	require.Equal(t, "count", found[0])
	for _, name := range found {
		require.Contains(t, name, "cou")
	}
	p.key("\r")
	p.shows(77, "count")
	p.key(kb.Escape)
	p.focus("/", "#search")
	p.key("e" + kb.ArrowDown + kb.ArrowDown)
	second := eval[string](p, "document.activeElement.dataset.signal")
	require.Equal(t, eval[string](p, "document.querySelectorAll('#tree div')[1].dataset.signal"), second)
	p.key("\r")
	p.shows(77, second)
	p.key(kb.ArrowUp + kb.ArrowUp)
	require.True(t, p.focused("#search"))
	p.key(kb.Escape)
	require.Greater(t, eval[int](p, "document.querySelectorAll('#tree div').length"), 2)
	p.shot("keyboard")
}

// Tab comes to every panel once, arrows to its rows, Enter and space choose one, and the focus
// stays where it is while the panels are drawn again.
func TestRows(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "waves=line,bytes_data,bytes_valid,shift")
	chosen := func() string { return eval[string](p, "document.body.dataset.ready.split(' ')[1]") }
	signal := "document.activeElement.dataset.signal ?? document.activeElement.textContent"

	// Of the tree, a signal below the bundle, which is folded before.
	p.tab("#tree [data-key]")
	for range 30 {
		if p.focused("[data-bundle]") {
			break
		}
		p.key(kb.ArrowDown)
	}
	rows := func() int { return eval[int](p, "document.querySelectorAll('#tree [data-key]').length") }
	all := rows()
	p.key(kb.ArrowLeft)
	require.Less(t, rows(), all)
	require.True(t, p.focused("[data-bundle][aria-expanded=false]"))
	p.key(kb.ArrowRight + kb.ArrowDown)
	require.Equal(t, all, rows())
	name := eval[string](p, signal)
	p.key("\r")
	require.Equal(t, name, chosen())
	require.True(t, p.focused("#tree .chosen"))

	// A line of source, a box, and a part of one.
	p.tab("#code [data-key]")
	p.key(kb.ArrowDown + " ")
	require.True(t, p.focused("#code .chosen"))
	require.Contains(t, p.text("#code .chosen .values"), chosen()+" = ")
	p.tab("#drawing [data-key]")
	p.key(kb.ArrowUp + "\r")
	require.True(t, p.focused("#drawing .box.chosen, #drawing .box.chosen *"))

	// A row of the waves goes away, and one is chosen.
	p.tab("#rows [data-key]")
	count := func() int { return eval[int](p, "document.querySelectorAll('#rows .row').length") }
	before := count()
	p.key(kb.ArrowUp + kb.ArrowUp + kb.ArrowUp + kb.ArrowUp + kb.ArrowUp + kb.ArrowUp)
	p.key("\r")
	require.Equal(t, "line", chosen())
	p.key(kb.Delete)
	require.Equal(t, before-1, count())
	require.True(t, strings.HasPrefix(eval[string](p, "document.activeElement.closest('#rows').id"), "rows"))

	// Tab leaves a panel with one key: few stops lie between the tree and the waves.
	p.tab("#tree [data-key]")
	stops := 0
	for ; !p.focused("#rows [data-key]"); stops++ {
		require.Less(t, stops, 20)
		p.key(kb.Tab)
	}
}
