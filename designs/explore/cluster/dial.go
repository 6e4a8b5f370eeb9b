package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"etch/ir/input"
)

// Dial says where a server is and how to be let in.
type Dial struct {
	URL       string // host:port, nats://host:port or tls://host:port
	TokenFile string // a file with the server's token; "": none
	CA        string // a PEM file with the certificates to trust; "": the system's
}

// leastToken is the least length of a token, in bytes.
const leastToken = 16

// maxFile bounds files of tokens and certificates, in bytes.
const maxFile = 1 << 20

// readToken reads a token, which others must not be able to guess or read.
func readToken(path string) (string, error) {
	text, err := input.ReadFile(path, maxFile)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && os.PathSeparator == '/' && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s can be read by others (mode %04o); chmod 600 %s", path, info.Mode().Perm(), path)
	}

	// One word without control characters, and long enough not to be guessed.
	t := strings.TrimSpace(string(text))
	if len(t) < leastToken || strings.ContainsFunc(t, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s: a token is a word of at least %d ASCII characters", path, leastToken)
	}
	return t, nil
}

// loopback reports whether a host is this machine and cannot be reached from others.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// parse checks a URL: a host other than loopback wants a token and TLS.
func (d Dial) parse() (u *url.URL, secure bool, err error) {
	text := d.URL
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err = url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return nil, false, fmt.Errorf("server %q: want host:port, nats://host:port or tls://host:port", d.URL)
	}

	// NATS' own port.
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "4222")
	}

	// A token in clear text across a network would be anyone's: hence TLS with it.
	away := !loopback(u.Hostname())
	if away && d.TokenFile == "" {
		return nil, false, fmt.Errorf("server %s is not this machine: it wants -token-file, and TLS", u.Host)
	}
	return u, away || u.Scheme == "tls" || d.CA != "", nil
}

// connect connects to the server and stays connected: where it goes, the connection
// waits for it. Notes of that go to notes, a line each.
func (d Dial) connect(name string, notes io.Writer) (*nats.Conn, error) {
	u, secure, err := d.parse()
	if err != nil {
		return nil, err
	}

	// It reconnects for ever: a server that was killed comes back, and the journal knows the open
	// jobs.
	options := []nats.Option{
		nats.Name(name), nats.Timeout(5 * time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectBufSize(-1), // without a connection sending fails, and the sender tries again
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				fmt.Fprintf(notes, "server %s is gone (%v); waiting for it\n", u.Host, err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { fmt.Fprintf(notes, "server %s is back\n", u.Host) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // slow consumers: the asker looks again
	}

	if d.TokenFile != "" {
		t, err := readToken(d.TokenFile)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Token(t))
	}

	if secure {
		c, err := d.security(u.Hostname())
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(c))
	}

	// Errors of the first connection name the flag that mends them.
	nc, err := nats.Connect("nats://"+u.Host, options...)
	switch {
	case err == nil:
		return nc, nil
	case errors.Is(err, nats.ErrAuthorization) && d.TokenFile == "":
		return nil, fmt.Errorf("server %s wants a token: -token-file", u.Host)
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("server %s refuses the token of %s", u.Host, d.TokenFile)
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return nil, fmt.Errorf("server %s: %w; -ca FILE trusts a certificate of your own", u.Host, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return nil, fmt.Errorf("server %s has no TLS: serve -cert -key", u.Host)
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("no server at %s (etch-cluster serve starts one)", u.Host)
	}
	return nil, fmt.Errorf("server %s: %w", u.Host, err)
}

// security is the configuration of TLS. With -ca only that certificate is trusted, not those of the
// system.
func (d Dial) security(host string) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	if d.CA == "" {
		return c, nil
	}
	text, err := input.ReadFile(d.CA, maxFile)
	if err != nil {
		return nil, err
	}
	if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate in PEM", d.CA)
	}
	return c, nil
}

// lines writes whole lines from several goroutines.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
