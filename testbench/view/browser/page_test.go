package browser

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench/tools"
	"etch/testbench/view"
)

// patience is the time that a page has to do as it was told. It only ends a test that hangs: a machine
// under load may take minutes to start a browser.
const patience = 5 * time.Minute

// page is an open page of a view.
type page struct {
	t    testing.TB
	ctx  context.Context
	home string

	mu         sync.Mutex
	complaints []string // of the console and the browser's log, and requests to other hosts
	expected   []string // texts of complaints that a test causes
}

// open starts a browser of 1280×800 with the page of v at an address behind the #. At the end of
// the test nothing may have been written to the console or the browser's log, which has refused
// requests and breaches of the policy, and no other host asked.
func open(t testing.TB, v *view.View, at string) *page {
	t.Helper()
	chromium := tools.Need(t, "chromium")[0]
	server := httptest.NewServer(v)
	t.Cleanup(server.Close)
	l := server.Listener

	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium.Path), chromedp.NoSandbox, chromedp.WindowSize(1280, 800), chromedp.WSURLReadTimeout(patience))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)

	// The browser lives as long as the context of the first action.
	p := &page{t: t, ctx: ctx, home: view.Address(l, v)}
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800)))
	require.NoError(t, chromedp.Listen(ctx, p.event))
	p.do(command(network.Enable, network.EnableParams{}), command(runtime.Enable, cdp.Empty{}), command(log.Enable, cdp.Empty{}), chromedp.Navigate(p.home+"#"+at))
	p.settled()
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		require.Empty(t, p.complaints)
		require.Empty(t, p.expected, "these complaints did not come")
	})
	return p
}

// command is a command of the browser's protocol as an action.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, params)
		return chromedp.Void{}, err
	}
}

// event notes what must not happen.
func (p *page) event(e any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		p.complain(fmt.Sprintf("console: %v", e.Args))
	case *runtime.EventExceptionThrown:
		p.complain(fmt.Sprint(e.ExceptionDetails.Text))
	case *log.EventEntryAdded:
		p.complain(fmt.Sprintf("%v, %v: %s %s", e.Entry.Level, e.Entry.Source, e.Entry.Text, e.Entry.URL))
	case *network.EventRequestWillBeSent:
		to, err := url.Parse(e.Request.URL)
		if from, _ := url.Parse(p.home); err != nil || to.Host != from.Host {
			p.complain("a request to " + e.Request.URL)
		}
	}
}

// complain notes a complaint, or strikes the first expected one that it contains.
func (p *page) complain(text string) {
	i := slices.IndexFunc(p.expected, func(part string) bool { return strings.Contains(text, part) })
	if i < 0 {
		p.complaints = append(p.complaints, text)
		return
	}
	p.expected = slices.Delete(p.expected, i, i+1)
}

// expect says that one complaint with a text in it will come.
func (p *page) expect(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, part)
}

// do runs actions, which must end in time.
func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	require.NoError(p.t, chromedp.Do(ctx, actions...))
}

// settled waits until the page has drawn its state and waits for no answer of the server. The browser
// confirms a key or a click after the page's handler has run, and a handler asks at once; so whatever
// an action leads to has happened when the page has settled behind it, however slow the machine.
func (p *page) settled() {
	p.t.Helper()
	p.until(`document.body.dataset.ready !== undefined && document.body.ariaBusy === 'false'`)
}

// until waits until an expression of JavaScript is true. While the page loads anew there is none
// to ask.
func (p *page) until(expression string) {
	p.t.Helper()
	holds := func() bool {
		ctx, stop := context.WithTimeout(p.ctx, patience)
		defer stop()
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		return yes && err == nil
	}
	for end := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.shot("waiting")
			require.Fail(p.t, "the page does not come to this", "%s; it says %q, and has drawn %q", expression, p.text("#message"), eval[string](p, "document.body.dataset.ready"))
		}
	}
}

// shows requires that the page has drawn a cycle and a selection.
func (p *page) shows(cycle int, sel string) {
	p.t.Helper()
	p.settled()
	require.Equal(p.t, fmt.Sprintf("%d %s", cycle, sel), eval[string](p, "document.body.dataset.ready"), "the page says %q", p.text("#message"))
}

// eval is the value of an expression.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(p.t, err, expression)
	return value
}

// text is the text of an element, "" if there is none.
func (p *page) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("(document.querySelector(%q)?.textContent ?? '')", selector))
}

// click clicks an element, with the mouse, and waits for all that it leads to.
func (p *page) click(selector string) {
	p.t.Helper()
	p.settled()
	p.do(chromedp.Click(chromedp.CSS(selector)))
	p.settled()
}

// key presses keys of the page, each when the page has done all that the one before led to.
func (p *page) key(keys string) {
	p.t.Helper()
	for _, k := range keys {
		p.settled()
		p.do(chromedp.KeyEvent(string(k)))
	}
	p.settled()
}

// focus presses the key that goes to a field, whose text the page then selects. The protocol
// sends the key's letter even where the page has declined it, in the place of that text, so it is
// taken away.
func (p *page) focus(key, field string) {
	p.t.Helper()
	p.key(key)
	require.True(p.t, p.focused(field), "the key %s does not go to %s", key, field)
	p.key(kb.Backspace)
	require.Empty(p.t, eval[string](p, fmt.Sprintf("document.querySelector(%q).value", field)))
}

// focused reports whether an element that a selector names has the focus.
func (p *page) focused(selector string) bool {
	p.t.Helper()
	return eval[bool](p, fmt.Sprintf("document.activeElement.matches(%q)", selector))
}

// tab presses Tab until an element that a selector names has the focus.
func (p *page) tab(selector string) {
	p.t.Helper()
	for range 60 {
		if p.key(kb.Tab); p.focused(selector) {
			return
		}
	}
	require.Fail(p.t, "Tab does not come there", selector)
}

// give sets an input of a live run by the form.
func (p *page) give(input, value string) {
	p.t.Helper()
	p.settled()
	eval[bool](p, fmt.Sprintf("(document.querySelector('#input').value = %q, document.querySelector('#value').value = '', document.querySelector('#value').focus(), true)", input))
	p.key(value + "\r")
	eval[bool](p, "(document.activeElement.blur(), true)")
}

// shot keeps a screenshot with the test's artifacts.
func (p *page) shot(name string) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+".png"), png, 0o666))
}

// size gives the window another size and colours.
func (p *page) size(width, height int64, colours string) {
	p.t.Helper()
	scheme := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}}
	p.do(chromedp.EmulateViewport(width, height), command(emulation.SetEmulatedMedia, scheme))
	p.until(fmt.Sprintf("document.body.dataset.wide === '%d' && matchMedia('(prefers-color-scheme: %s)').matches", width, colours))
	p.settled()
}

// live is the view of a component that the page runs.
func live[P any](t testing.TB, c hw.Component[P]) *view.View {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	v, err := view.Live(d)
	require.NoError(t, err)
	return v
}

// row is the selector of a signal's row among the waves.
func row(name string) string { return fmt.Sprintf(`#rows .row[data-signal=%q]`, name) }

// fields is the words of a text, for comparison.
func fields(text string) string { return strings.Join(strings.Fields(text), " ") }
