package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/designs/examples/counter"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"
	"etch/testbench/view"
)

// A click on the box of shift lights its line of source, and its row stands among the waves. A step
// back shows the earlier value, and the address alone brings all of it again.
func TestSelect(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "waves=line")
	require.Equal(t, "tx", p.text("#title"))
	p.click(`svg .box[data-signal="shift"]`)
	p.shows(1, "shift")
	require.Contains(t, p.text("#code .chosen"), `hw.Reg(m, "shift"`)
	require.Equal(t, "uart/uart.go", p.text("#file"))
	require.Contains(t, p.text(row("shift")+" .now"), "0")

	// A byte is sent: what shift holds in a later cycle it did not in an earlier one.
	p.give("bytes_data", "0x55")
	p.give("bytes_valid", "1")
	p.click("#next")
	p.shows(2, "shift")
	require.Equal(t, "85", p.text(row("shift")+" .now"))
	p.click("#back")
	p.shows(1, "shift")
	require.Equal(t, "0", p.text(row("shift")+" .now"))
	p.click("#next")
	p.shows(2, "shift")

	address := eval[string](p, "location.href")
	before := fields(p.text("main"))
	p.do(chromedp.Reload())
	p.shows(2, "shift")
	require.Equal(t, address, eval[string](p, "location.href"))
	require.Equal(t, before, fields(p.text("main")))
	p.shot("select")
}

// The second cause of a value moves the cursor to its cycle and the selection to its signal.
func TestWhy(t *testing.T) {
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	s.Record(1 << 20)
	s.Reset()
	en, err := s.Signal("en")
	require.NoError(t, err)
	for k := range 12 {
		require.NoError(t, s.Set(en, uint64(k)&1))
		s.Step(1)
	}
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)

	p := open(t, view.Recorded(run), "sel=count&cycle=10&waves=count,en")
	p.key("w")
	require.Greater(t, eval[int](p, "document.querySelectorAll('.reasons div').length"), 2)
	cause := eval[map[string]string](p, `(() => { const e = document.querySelectorAll('.reasons div.has')[1];
		let at = e; while (!at.querySelector('.number').textContent) at = at.previousElementSibling;
		return { signal: e.dataset.signal, cycle: at.querySelector('.number').textContent }; })()`)
	require.NotEmpty(t, cause["signal"])
	eval[bool](p, `(document.querySelectorAll('.reasons div.has')[1].click(), true)`)
	p.settled()
	require.Equal(t, cause["cycle"]+" "+cause["signal"], eval[string](p, "document.body.dataset.ready"))
	p.shot("why")
}

// Without a mouse: steps, search, selection among the waves, a condition, coverage, a mark.
func TestKeyboard(t *testing.T) {
	p := open(t, live(t, counter.Counter{Width: 8}), "sel=count&waves=en,count")
	p.give("en", "1")

	// Three keys before the server has answered the first.
	eval[bool](p, "[1, 2, 3].every(() => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, cancelable: true})) || true)")
	p.shows(4, "count")
	p.key(kb.ArrowLeft)
	p.shows(3, "count")
	require.Equal(t, "2", p.text(row("count")+" .now"))

	p.focus("u", "#until")
	p.key("count == 77\r")
	p.shows(78, "count")
	require.Equal(t, "77", p.text(row("count")+" .now"))
	p.key(kb.Escape)
	p.key("m")
	p.key(kb.ArrowLeft)
	p.shows(77, "count")
	require.Contains(t, p.text("#range"), "mark at 78: 1 cycles behind the cursor")
	p.key(kb.ArrowUp)
	p.shows(77, "en")
	p.key("v")
	require.Positive(t, eval[int](p, "document.querySelectorAll('#code div.acted').length"))
	require.Contains(t, p.text("#code p.coverage"), "statements")
	p.focus("/", "#search")
	p.key("cou")
	found := eval[[]string](p, "[...document.querySelectorAll('#tree div')].map(e => e.dataset.signal)")
	require.Equal(t, "count", found[0])
	for _, name := range found {
		require.Contains(t, name, "cou")
	}
	p.key(kb.Escape)
	p.shot("keyboard")
}

// Panels do not overlap, and nothing of the header is cut, in two sizes and two colour schemes.
func TestLayout(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "sel=shift&cover=1")
	for _, size := range [][2]int64{{1280, 800}, {800, 600}} {
		for _, colours := range []string{"light", "dark"} {
			p.size(size[0], size[1], colours)
			for _, group := range []string{"body > header, main > section", "header > *", "section > h2 > button"} {
				overlaps := eval[[]string](p, fmt.Sprintf(`(() => {
					const all = [...document.querySelectorAll(%q)].filter(e => !e.hidden && e.offsetWidth > 0);
					const bad = [];
					for (const a of all) {
						const r = a.getBoundingClientRect();
						if (r.right > innerWidth + 1 || r.bottom > innerHeight + 1 || r.left < 0 || r.top < 0) bad.push(a.id + ' ' + a.tagName + ' is cut');
						for (const b of all) {
							if (a === b || a.contains(b) || b.contains(a)) continue;
							const s = b.getBoundingClientRect();
							if (Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 1) bad.push(a.id + ' overlaps ' + b.id);
						}
					}
					return bad; })()`, group))
				require.Empty(t, overlaps, "%v, %s, %s", size, colours, group)
			}
			ground := eval[string](p, "getComputedStyle(document.body).backgroundColor")
			require.Equal(t, colours == "light", ground == "rgb(255, 255, 255)", ground)
			p.shot(fmt.Sprintf("layout-%d-%s", size[0], colours))
		}
	}
}

// A design of over 100,000 operations opens; its schematic has at most 60 boxes, and a click on one
// selects it.
func TestLarge(t *testing.T) {
	p := open(t, live(t, bench.Systolic{N: 182}), "")
	require.Contains(t, p.text("#boxes"), " boxes")
	n := eval[int](p, "document.querySelectorAll('svg .box').length")
	require.Greater(t, n, 1)
	require.LessOrEqual(t, n, 60)
	name := eval[string](p, "document.querySelectorAll('svg .box')[1].dataset.signal")
	eval[bool](p, "document.querySelectorAll('svg .box')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")
	p.shows(1, name)
	p.shot("large")
}
