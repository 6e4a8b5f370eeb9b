package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/designs/examples/uart"
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

// Panels do not overlap, and nothing of the header is cut, in two sizes and two colour schemes.
func TestLayout(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "sel=shift&cover=1")
	for _, size := range [][2]int64{{1280, 800}, {800, 600}} {
		for _, colours := range []string{"light", "dark"} {
			p.size(size[0], size[1], colours)
			p.apart()
			ground := eval[string](p, "getComputedStyle(document.body).backgroundColor")
			require.Equal(t, colours == "light", ground == "rgb(255, 255, 255)", ground)
			p.shot(fmt.Sprintf("layout-%d-%s", size[0], colours))
		}
	}
}

// The header of a recorded run has room for its fork, before and after.
func TestLayoutFork(t *testing.T) {
	p := open(t, view.Recorded(counted(t)), "sel=count&cycle=8")
	p.size(800, 600, "light")
	p.apart()
	p.click("#fork")
	p.apart()
	p.shot("layout-fork")
}

// apart requires panels, and elements of the header, that do not overlap and are not cut.
func (p *page) apart() {
	p.t.Helper()
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
		require.Empty(p.t, overlaps, "%s in %d × %d", group, eval[int](p, "innerWidth"), eval[int](p, "innerHeight"))
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
