package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"etch/designs/cli"
	"etch/designs/explore"
)

// Main runs the command line of an app whose verb explore has -server, and which has the
// verbs serve and work, and exits.
func Main(app cli.App) { cli.Main(With(app)) }

// With is the app with these verbs.
func With(app cli.App) cli.App {
	app.Commands = append([]cli.Command{cli.ExploreElsewhere(func() cli.Elsewhere { return &remote{} }), serveCommand, workCommand}, app.Commands...)
	return app
}

// flags defines the flags of a connection.
func (d *Dial) flags(f *cli.Flags) {
	f.StringVar(&d.URL, "server", d.URL, "`host:port` of etch-cluster serve; tls://host:port where it has TLS")
	f.StringVar(&d.TokenFile, "token-file", "", "`file` with the server's token, needed for servers on other machines")
	f.StringVar(&d.CA, "ca", "", "PEM `file` with the server's certificate, or its authority's, where the system does not trust it")
}

// defaultServer is where serve listens.
const defaultServer = "127.0.0.1:4222"

var serveCommand = cli.Command{
	Name: "serve", Usage: "-store DIR [-listen " + defaultServer + "] [-token-file F -cert F -key F] [-limit bytes]",
	Doc:      "keeps the queue of jobs for workers; other addresses than loopback want a token and TLS",
	Examples: []string{"serve -store queue"},
	Run: func(_ *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("serve", out)
		var s Server
		f.StringVar(&s.Store, "store", "", "`folder` of the queue")
		f.StringVar(&s.Listen, "listen", defaultServer, "`host:port`; port 0 is a free one")
		f.StringVar(&s.TokenFile, "token-file", "", "`file` with a token that clients must show, mode 600")
		f.StringVar(&s.Cert, "cert", "", "PEM `file` with the certificate for TLS")
		f.StringVar(&s.Key, "key", "", "PEM `file` with its key")
		f.Int64Var(&s.MaxStore, "limit", 0, "most `bytes` of the store; 0 is what the disk has")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if s.Store == "" {
			return cli.Usagef("-store is missing: a folder for the queue")
		}
		ctx, stop := cli.Interruptible()
		defer stop()
		return s.Serve(ctx, out.Err, func(address string) { fmt.Fprintf(out.Err, "serving at %s; Ctrl-C ends it\n", address) })
	},
}

var workCommand = cli.Command{
	Name: "work", Usage: "[-server " + defaultServer + "] [-jobs N] [-token-file F] [-ca F]",
	Doc:      "measures for the sweeps of a server's askers that run this same program",
	Examples: []string{"work -server " + defaultServer},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("work", out)
		w := Worker{Dial: Dial{URL: defaultServer}, Remake: func(design string, spec json.RawMessage) (*explore.Plan, error) {
			return app.Remake(design, spec)
		}}
		w.flags(f)
		f.IntVar(&w.Jobs, "jobs", 0, "measures at a time; 0 is one a processor")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		var err error
		if w.Build, err = cli.ThisBuild(); err != nil {
			return err
		}

		ctx, stop := cli.Interruptible()
		defer stop()
		w.Ready = func() { fmt.Fprintf(out.Err, "working for %s as %s; Ctrl-C ends it\n", w.URL, w.Build) }
		return w.Work(ctx, out.Err)
	},
}

// remote is the flags of explore.
type remote struct{ Dial }

// Usage implements [cli.Elsewhere].
func (s *remote) Usage() string { return "[-server host:port [-token-file F] [-ca F]]" }

// Flags implements [cli.Elsewhere].
func (s *remote) Flags(f *cli.Flags) { s.flags(f) }

// Open implements [cli.Elsewhere].
func (s *remote) Open(dir string, notes io.Writer) (explore.Pool, func(), error) {
	if s.URL == "" {
		if s.TokenFile != "" || s.CA != "" {
			return nil, nil, errors.New("-token-file and -ca belong to -server")
		}
		return nil, func() {}, nil
	}
	build, err := cli.ThisBuild()
	if err != nil {
		return nil, nil, err
	}
	p, err := NewPool(s.Dial, build, dir, notes)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Close, nil
}
