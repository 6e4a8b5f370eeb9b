package view

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"etch/ir"
	"etch/sim"
	"etch/sim/cover"
	"etch/sim/replay"
)

//go:embed assets
var assets embed.FS

// View is a design or run with its page. It is an http.Handler for requests to its own address.
type View struct {
	token    string
	mux      *http.ServeMux
	commands map[string]answerer // that change something, by path

	mu      sync.Mutex // held by every request that reads the run: it stands at one cycle at a time
	runs    []timeline // the view's own run, and its forks
	shown   int        // number of run among them
	run     timeline
	scopes  map[string]sim.Scope
	signals []string        // all full names, parents first
	files   map[string]bool // that the design has positions in
	dir     string          // for files that the page asks for; "" is the present one

	watched bool  // the design may be replaced: pages listen
	broken  error // of a design that does not build yet; run is nil meanwhile
	pages   map[chan notice]bool

	counted   *cover.Counts // the coverage of the run, when it was last asked for
	countedAt countedAt
}

// Live returns the view of a design that the page runs: it sets inputs and steps. Errors are as in
// [sim.New], and: the design's black boxes cannot keep their state.
func Live(d *ir.Design) (*View, error) {
	l, err := newLive(d)
	if err != nil {
		return nil, err
	}
	return newView(l), nil
}

// Recorded shows a recorded run, which replays to any cycle.
func Recorded(r *replay.Run) *View { return newView(recorded{r}) }

func newView(run timeline) *View {
	v := blank()
	if run != nil {
		v.show(run)
	}
	v.routes(map[string]answerer{
		"design": v.design, "values": v.values, "waves": v.waves, "source": v.source, "edge": v.edge,
		"schematic": v.schematic, "memory": v.memory, "why": v.why, "coverage": v.coverage, "statistics": v.statistics,
	}, map[string]answerer{"set": v.set, "run": v.extend, "until": v.until, "gtkwave": v.gtkwave, "fork": v.fork})
	return v
}

// blank is a view that shows nothing yet.
func blank() *View { return &View{token: rand.Text(), mux: http.NewServeMux()} }

// show makes run the view's own, without forks.
func (v *View) show(run timeline) {
	v.runs, v.shown = []timeline{run}, 0
	v.see(run)
}

// see makes run the subject of requests.
func (v *View) see(run timeline) {
	v.run, v.scopes, v.signals, v.counted = run, map[string]sim.Scope{}, nil, nil
	v.scope(run.Sim().Root())
	for sig := range run.Sim().Signals() {
		v.signals = append(v.signals, sig.Name())
	}
	v.files = sourceFiles(run.Sim().Design())
}

// scope notes an instance, and all instances below it, by their paths.
func (v *View) scope(c sim.Scope) {
	v.scopes[c.Path()] = c
	for _, child := range c.Children() {
		v.scope(child)
	}
}

// answerer answers a request of the page.
type answerer = func(query) (any, error)

// routes says which function answers which path: questions, and commands that change something.
func (v *View) routes(questions, commands map[string]answerer) {
	prefix := "/" + v.token
	for path, f := range questions {
		v.mux.Handle("GET "+prefix+"/api/"+path, v.answer(f))
	}
	v.commands = commands
	for path, f := range commands {
		v.mux.Handle("POST "+prefix+"/api/"+path, v.answer(f))
	}

	// A path that this kind of view lacks is answered in words that the page shows.
	v.mux.HandleFunc("GET "+prefix+"/api/events", v.events)
	v.mux.HandleFunc("GET "+prefix+"/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, fmt.Errorf("a file of waves has no %s: open its design or .run file", strings.TrimPrefix(r.URL.Path, prefix+"/api/")))
	})

	// Everything else is a file of the page.
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	v.mux.Handle("GET "+prefix+"/", http.StripPrefix(prefix, http.FileServerFS(files)))
}

// policy lets the page load its own files and talk to its own server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP answers a request of this machine's browser. It refuses requests under another host's
// name (as after a DNS rebinding), of another origin's page, or without the token.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")

	// Three guards, each against another attack: a foreign name that resolves to this machine, a
	// foreign page in the same browser, and a local program that guesses the port.
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	switch origin := r.Header.Get("Origin"); {
	case !loopback(host):
		refuse(w, http.StatusForbidden, fmt.Errorf("host %q is not this machine", r.Host))
	case origin != "" && origin != "http://"+r.Host:
		refuse(w, http.StatusForbidden, fmt.Errorf("a page of %q may not ask this server", origin))
	case !strings.HasPrefix(r.URL.Path, "/"+v.token+"/"):
		refuse(w, http.StatusForbidden, errors.New("the token of the address is missing or wrong: use the address that etch view printed"))
	default:
		v.mux.ServeHTTP(w, r)
	}
}

// loopback reports whether a host's name or number is this machine's own.
func loopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Listen opens a port of this machine; addr is host:port, port 0 for any free one. Errors: the host
// is not this machine; the port is taken.
func Listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q is not HOST:PORT: %w", addr, err)
	}
	if !loopback(host) {
		return nil, fmt.Errorf("address %q is not on this machine: use localhost:0", addr)
	}
	return net.Listen("tcp", addr)
}

// Address is the page's address on a listener of Listen.
func Address(l net.Listener, v *View) string {
	return fmt.Sprintf("http://%s/%s/", l.Addr(), v.token)
}

// Serve answers requests until ctx ends, which is no error.
func (v *View) Serve(ctx context.Context, l net.Listener) error {
	s := &http.Server{Handler: v, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}
