package browser

import (
	"errors"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/testbench/view"
)

// A selected register can be set as an input can, and the run goes on from there.
func TestEditRegister(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "sel=timer&waves=timer,shift")
	p.click(`svg .box[data-signal="shift"]`)
	require.Contains(t, p.text("#input"), "shift (register)")
	p.focus("i", "#value")
	p.key("0xa5\r" + kb.Escape)
	p.shows(1, "shift")
	require.Equal(t, "165", p.text(row("shift")+" .now"))
	p.key(kb.ArrowRight)
	p.shows(2, "shift")
	require.Equal(t, "165", p.text(row("shift")+" .now"))

	// One value too large is an error in words, and changes nothing.
	p.expect("400")
	p.focus("i", "#value")
	p.key("256\r" + kb.Escape)
	require.Equal(t, "256 does not fit the 8 bits of shift", p.text("#message"))
	require.Equal(t, "165", p.text(row("shift")+" .now"))
}

// A recorded run is forked at the cursor: inputs and registers are set from there, and what was
// before stays. The address brings the fork again.
func TestFork(t *testing.T) {
	p := open(t, view.Recorded(counted(t)), "sel=count&cycle=8&waves=count,en")
	before := p.text(row("count") + " .now")
	require.True(t, eval[bool](p, "document.querySelector('#inputs').hidden && document.querySelector('#fork').offsetWidth > 0"))
	p.click("#fork")
	p.shows(8, "count")
	require.Equal(t, "of 8, forked at 8", p.text("#of"))
	require.Equal(t, before, p.text(row("count")+" .now"))
	p.give("en", "0")
	p.key(kb.ArrowRight + kb.ArrowRight)
	p.shows(10, "count")
	require.Equal(t, before, p.text(row("count")+" .now"))
	p.do(chromedp.Reload())
	p.shows(10, "count")
	require.Equal(t, "of 10, forked at 8", p.text("#of"))
	p.key(kb.Home)
	p.shows(0, "count")
	require.Equal(t, "0", p.text(row("count")+" .now"))
	p.shot("fork")
}

// The address names one of several forks. Without a name it is the recording, which stays; the name of
// a fork that the server does not have is one message.
func TestForkAddress(t *testing.T) {
	p := open(t, view.Recorded(counted(t)), "sel=count&cycle=8&waves=count,en")
	last := p.text("#of")
	at := func(hash string) {
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.home+"#"+hash))
		p.settled()
	}
	addresses := []string{}
	before, err := strconv.Atoi(p.text(row("count") + " .now"))
	require.NoError(t, err)
	for _, value := range []string{"0", "1"} {
		at("sel=count&cycle=8&waves=count,en")
		require.Equal(t, last, p.text("#of"))
		p.click("#fork")
		p.shows(8, "count")
		p.give("en", value)
		p.key(kb.ArrowRight)
		p.shows(9, "count")
		addresses = append(addresses, eval[string](p, "location.hash.slice(1)"))
	}
	require.Contains(t, addresses[1], "fork=2")
	for i, want := range []int{before, before + 1, before} {
		at(addresses[i%2])
		require.Equal(t, strconv.Itoa(want), p.text(row("count")+" .now"))
		require.Equal(t, "of 9, forked at 8", p.text("#of"))
	}

	// An address of a server that has been started again.
	p.expect("400")
	at("sel=count&cycle=8&fork=7")
	const stale = "the address names fork 7 of the run, which this server does not have: it has 2; fork again, or leave fork=7 out of the address"
	require.Equal(t, stale, p.text("#message"))
	require.Equal(t, stale, p.text("#code pre.errors"))
	p.shot("fork-stale")
	at("sel=count&cycle=8")
	require.Equal(t, last, p.text("#of"))
}

// Conditions and changes are found in both directions.
func TestSearchBack(t *testing.T) {
	p := open(t, view.Recorded(counted(t)), "sel=count&cycle=13&waves=count,en")
	p.focus("u", "#until")
	p.key("count == 2" + kb.Escape + "N")
	p.settled()
	require.Equal(t, "2", p.text(row("count")+" .now"))
	at := eval[int](p, "Number(document.querySelector('#cycle').value)")
	require.Less(t, at, 13)
	back := func() {
		p.do(chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierShift)))
		p.settled()
	}
	on := func() {
		p.do(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift)))
		p.settled()
	}

	// The run has changed to 2 at the start of these cycles.
	back()
	require.Equal(t, "2", p.text(row("count")+" .now"))
	back()
	require.Equal(t, "1", p.text(row("count")+" .now"))
	on()
	require.Equal(t, "2", p.text(row("count")+" .now"))

	// Nothing more to find is said.
	p.expect("400")
	p.focus("u", "#until")
	p.key("count == 200" + kb.Escape + "N")
	require.Contains(t, p.text("#message"), "count == 200 does not hold between cycles 0 and")
}

// The numbers of an instance stand in the schematic's place, until the key is pressed again.
func TestStatistics(t *testing.T) {
	p := open(t, live(t, uart.Tx{ClocksPerBit: 4}), "waves=line")
	p.key("s")
	require.Contains(t, p.text("#drawing .reasons div .cause"), "registers")
	require.Regexp(t, `^\d+ bits$`, p.text("#drawing .reasons div .from"))
	require.Equal(t, "tx with all below it", p.text("#boxes"))
	require.True(t, eval[bool](p, "location.hash.includes('panel=statistics')"))
	p.shot("statistics")
	p.key("s")
	require.Positive(t, eval[int](p, "document.querySelectorAll('svg .box').length"))
}

// A design whose source has changed takes the present one's place in the open page, with its
// selection, cycle and inputs; errors of one that does not build stand in the source's place.
func TestWatch(t *testing.T) {
	build := func(width int) *view.View {
		d, _, err := hw.Build(counter.Counter{Width: width})
		require.NoError(t, err)
		v, err := view.Watched(d, nil)
		require.NoError(t, err)
		return v
	}
	v := build(8)
	p := open(t, v, "sel=count&waves=count,en")
	p.give("en", "1")
	p.focus("u", "#until")
	p.key("count == 20\r" + kb.Escape)
	p.shows(21, "count")

	v.Fail(errors.New("counter.go:12: no such name"))
	p.until("document.querySelector('#code pre.errors')?.textContent === 'counter.go:12: no such name'")
	d, _, err := hw.Build(counter.Counter{Width: 4})
	require.NoError(t, err)
	eval[bool](p, "(window.old = true)")
	require.NoError(t, v.Replace(d))
	p.until("window.old === undefined")
	p.shows(21, "count")
	require.Equal(t, "4", p.text(row("count")+" .now"))
	require.Empty(t, p.text("#code pre.errors"))
	p.shot("watch")
}
