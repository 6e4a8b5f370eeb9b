package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"etch/testbench/tools"
)

// Server is a server's settings.
type Server struct {
	Store     string // folder of the queue
	Listen    string // host:port; port 0 is a free one
	TokenFile string // "": no token, on loopback alone
	Cert, Key string // PEM files; "": no TLS, on loopback alone
	MaxStore  int64  // bytes of the queue; 0: as the disk has
}

// options checks the settings.
func (s Server) options() (*server.Options, error) {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, fmt.Errorf("-listen %q: want host:port", s.Listen)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil:
		return nil, fmt.Errorf("-listen %q: port %q is no number up to 65535", s.Listen, port)
	case host == "":
		return nil, fmt.Errorf("-listen %q: the host is missing; 0.0.0.0 is all", s.Listen)
	case (s.Cert == "") != (s.Key == ""):
		return nil, errors.New("-cert and -key belong together")
	case !loopback(host) && (s.TokenFile == "" || s.Cert == ""):
		return nil, fmt.Errorf("-listen %s can be reached from other machines: it wants -token-file, -cert and -key", s.Listen)
	case s.MaxStore < 0:
		return nil, fmt.Errorf("a store of %d bytes", s.MaxStore)
	}

	// The server syncs each message: by default it does every two minutes, and a job that
	// is lost costs a look of the asker's.
	o := &server.Options{
		ServerName: "etch-cluster", Host: host, Port: int(n), NoSigs: true, MaxPayload: 1 << 20,
		JetStream: true, StoreDir: s.Store, SyncAlways: true, JetStreamMaxStore: cmp.Or(s.MaxStore, -1), JetStreamMaxMemory: 1 << 20,
		WriteDeadline: 10 * time.Second,
	}
	if n == 0 {
		o.Port = server.RANDOM_PORT
	}

	// Token and certificate are read now: a bad file is an error before the port is open.
	if s.TokenFile != "" {
		if o.Authorization, err = readToken(s.TokenFile); err != nil {
			return nil, err
		}
	}
	if s.Cert != "" {
		pair, err := tls.LoadX509KeyPair(s.Cert, s.Key)
		if err != nil {
			return nil, fmt.Errorf("-cert %s -key %s: %w", s.Cert, s.Key, err)
		}
		o.TLS, o.TLSTimeout = true, 5
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	}
	return o, nil
}

// Serve runs a server until ctx ends. ready gets its address when it can be reached;
// the server's warnings go to notes.
func (s Server) Serve(ctx context.Context, notes io.Writer, ready func(address string)) error {
	o, err := s.options()
	if err != nil {
		return err
	}

	// One server has a store, and no other program the port: NATS would wait and log.
	if err := os.MkdirAll(s.Store, 0o700); err != nil {
		return err
	}
	unlock, ok, err := tools.TryLock(filepath.Join(s.Store, "lock"))
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("another server has the store %s", s.Store)
	}
	defer unlock()

	// The port is tried first: NATS would wait for one that is taken.
	if o.Port != server.RANDOM_PORT {
		l, err := net.Listen("tcp", net.JoinHostPort(o.Host, strconv.Itoa(o.Port)))
		if err != nil {
			return err
		}
		l.Close()
	}

	// NATS logs its failures and goes on: the logger tells full disks from the rest.
	ns, err := server.NewServer(o)
	if err != nil {
		return err
	}
	log := &logger{w: notes, broken: make(chan string, 1)}
	ns.SetLogger(log, false, false)
	ns.Start()
	defer func() { ns.Shutdown(); ns.WaitForShutdown() }()
	if !ns.ReadyForConnections(20*time.Second) || !ns.JetStreamEnabled() {
		return fmt.Errorf("the server does not start: %s", cmp.Or(log.last(), "no reason given"))
	}
	if err := makeStreams(ctx, ns, o.Authorization); err != nil {
		return fmt.Errorf("store %s: %w", s.Store, err)
	}

	// A server that cannot store is of no use to anyone: it ends rather than accept jobs.
	ready(ns.Addr().String())
	select {
	case <-ctx.Done():
		return nil
	case why := <-log.broken:
		return fmt.Errorf("store %s: %s; askers wait and go on when a server with room is there", s.Store, why)
	}
}

// makeStreams makes the streams that a new store, or a damaged one, lacks.
func makeStreams(ctx context.Context, ns *server.Server, token string) error {
	nc, err := nats.Connect("", nats.InProcessServer(ns), nats.Token(token))
	if err != nil {
		return err
	}

	defer nc.Close()

	// Streams of other settings, by an older program, are brought up to date.
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	for _, c := range streams {
		if _, err := js.CreateOrUpdateStream(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// logger passes on a server's warnings, and keeps the last error. A store that cannot
// be written, on a full disk perhaps, is said once to broken: NATS would go on and answer
// nobody.
type logger struct {
	w      io.Writer
	broken chan string
	mu     sync.Mutex
	text   string
}

func (l *logger) say(kind, format string, args []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if kind == "error" {
		l.text = text
	}

	// A store that cannot be written shows in these words of the log alone.
	if lower := strings.ToLower(text); strings.Contains(lower, "critical write error") || strings.Contains(lower, "failed to store") {
		select {
		case l.broken <- text:
		default:
		}
		return
	}
	fmt.Fprintf(l.w, "server: %s: %s\n", kind, text)
}

func (l *logger) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

func (l *logger) Noticef(string, ...any)    {}
func (l *logger) Debugf(string, ...any)     {}
func (l *logger) Tracef(string, ...any)     {}
func (l *logger) Warnf(f string, a ...any)  { l.say("warning", f, a) }
func (l *logger) Errorf(f string, a ...any) { l.say("error", f, a) }
func (l *logger) Fatalf(f string, a ...any) { l.say("error", f, a) }
