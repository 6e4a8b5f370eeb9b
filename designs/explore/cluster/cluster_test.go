package cluster

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/hw/arith"
	"etch/testbench/tools"
)

// serving runs a server in this process and returns its address.
func serving(t testing.TB, s Server, notes io.Writer) string {
	t.Helper()
	if s.Store == "" {
		s.Store = t.TempDir()
	}
	if s.Listen == "" {
		s.Listen = "127.0.0.1:0"
	}
	address, end := make(chan string, 1), make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() { end <- s.Serve(ctx, notes, func(a string) { address <- a }) }()
	t.Cleanup(func() { stop(); <-end })
	select {
	case a := <-address:
		return a
	case err := <-end:
		end <- err
		require.NoError(t, err)
		return ""
	}
}

// working runs a worker in this process until the test ends.
func working(t testing.TB, w Worker, notes io.Writer) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() { end <- w.Work(ctx, notes) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-end) })
}

// said is what several goroutines write.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// plan is a sweep of k = 1 to n with one dear measure of another process.
func plan(t testing.TB, n int, run func(k string) (map[string]float64, error)) explore.Plan {
	s, err := explore.ParseSweep(fmt.Sprintf("k=1..%d", n))
	require.NoError(t, err)
	return explore.Plan{Design: "d", Sweeps: []explore.Sweep{s}, Measures: []explore.Measure{{
		Name: "time", Tool: "toy 1", ByValues: true, Cost: explore.Dear, Spec: json.RawMessage(`{}`),
		Run: func(_ context.Context, c explore.Candidate) (map[string]float64, error) { return run(c.Values["k"]) },
	}}}
}

// remade gives workers a plan as it is.
func remade(p explore.Plan) func(string, json.RawMessage) (*explore.Plan, error) {
	return func(string, json.RawMessage) (*explore.Plan, error) { return &p, nil }
}

// pooled runs a plan through a server.
func pooled(t testing.TB, address, dir string, p explore.Plan, notes io.Writer) (*explore.Outcome, error) {
	pool, err := NewPool(Dial{URL: address}, "b", dir, notes)
	require.NoError(t, err)
	defer pool.Close()
	p.Pool = pool
	return asked(dir, p)
}

// asked runs a plan in a folder.
func asked(dir string, p explore.Plan) (*explore.Outcome, error) {
	j, err := explore.OpenJournal(dir)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	return explore.Run(context.Background(), j, p)
}

func one(string) (map[string]float64, error) { return map[string]float64{"time": 1}, nil }

// Numbers, errors, panics and failures of a machine arrive as in a run alone; a job that
// a machine failed goes to other workers and is reported at last.
func TestResults(t *testing.T) {
	address := serving(t, Server{}, io.Discard)
	var mu sync.Mutex
	tries := map[string]int{}
	run := func(k string) (map[string]float64, error) {
		mu.Lock()
		defer mu.Unlock()
		tries[k]++
		switch {
		case k == "2":
			return nil, errors.New("too hard")
		case k == "3":
			panic("oops")
		case k == "4", k == "5" && tries[k] < 3:
			return nil, fmt.Errorf("%w: no memory", explore.ErrPassing)
		}
		return map[string]float64{"time": float64(len(k))}, nil
	}
	p := plan(t, 20, run)
	working(t, Worker{Dial: Dial{URL: address}, Jobs: 2, Build: "b", Remake: remade(p), AckWait: time.Second}, io.Discard)
	o, err := pooled(t, address, t.TempDir(), p, io.Discard)
	require.NoError(t, err)
	require.Equal(t, 17, o.Count(explore.Done))
	require.Equal(t, "time: too hard", o.Rows[1].Note)
	require.Equal(t, "time: panic: oops", o.Rows[2].Note)
	require.Equal(t, explore.Open, o.Rows[3].State)
	require.Len(t, o.Passing, 1)
	require.ErrorContains(t, o.Passing[0], "no memory")
	require.Equal(t, maxDeliver, tries["4"])
	require.Equal(t, 3, tries["5"])
}

// A worker of another program, without the tool, or with another version of it refuses;
// asker and worker say why, in a line each, and the sweep waits for one that does not.
func TestRefusals(t *testing.T) {
	address := serving(t, Server{}, io.Discard)
	p := plan(t, 3, one)
	older := plan(t, 3, one)
	older.Measures[0].Tool = "toy 0"
	var worker, asker said
	for _, w := range []Worker{
		{Build: "c", Remake: remade(p)},
		{Build: "b", Remake: func(string, json.RawMessage) (*explore.Plan, error) { return nil, errors.New("yosys: not found") }},
		{Build: "b", Remake: remade(older)},
	} {
		w.Dial, w.Jobs = Dial{URL: address}, 1
		working(t, w, &worker)
	}
	want := []string{
		"the asker is b, this worker c; all run the same program", "yosys: not found", "the asker has toy 1, this worker toy 0",
	}
	end := make(chan error, 1)
	dir := t.TempDir()
	go func() { _, err := pooled(t, address, dir, p, &asker); end <- err }()
	require.Eventually(t, func() bool {
		return strings.Count(asker.String(), "\n") == 3 && strings.Count(worker.String(), "\n") == 3
	}, 20*time.Second, 10*time.Millisecond)
	for _, text := range want {
		require.Regexp(t, `(?m)^worker .* refuses time: `+text+`$`, asker.String())
		require.Contains(t, worker.String(), "refused: time of d: "+text+"\n")
	}
	require.Empty(t, end)
	working(t, Worker{Dial: Dial{URL: address}, Build: "b", Jobs: 1, Remake: remade(p)}, io.Discard)
	require.NoError(t, <-end)
}

// A worker that would measure another circuit does not: the job is reported with the
// reason.
func TestAnotherCircuit(t *testing.T) {
	address := serving(t, Server{}, io.Discard)
	p := plan(t, 2, one)
	other := p
	other.Text = nil
	other.Design = "e" // part of the key by values
	working(t, Worker{Dial: Dial{URL: address}, Build: "b", Jobs: 1, Remake: remade(other), AckWait: time.Second}, io.Discard)
	o, err := pooled(t, address, t.TempDir(), p, io.Discard)
	require.NoError(t, err)
	require.Len(t, o.Passing, 2)
	require.ErrorContains(t, o.Passing[0], "is another circuit here; a parameter that names a file needs the same file everywhere")
}

// Two askers with different folders share workers; a second one on a folder is refused.
func TestAskers(t *testing.T) {
	address := serving(t, Server{}, io.Discard)
	p := plan(t, 30, func(string) (map[string]float64, error) { time.Sleep(5 * time.Millisecond); return one("") })
	working(t, Worker{Dial: Dial{URL: address}, Build: "b", Jobs: 2, Remake: remade(p)}, io.Discard)
	dirs := []string{t.TempDir(), t.TempDir()}
	var wait sync.WaitGroup
	for _, dir := range dirs {
		wait.Go(func() {
			o, err := pooled(t, address, dir, p, io.Discard)
			require.NoError(t, err)
			require.Equal(t, 30, o.Count(explore.Done))
		})
	}
	wait.Wait()

	j, err := explore.OpenJournal(dirs[0])
	require.NoError(t, err)
	defer j.Close()
	_, err = pooled(t, address, dirs[0], p, io.Discard)
	require.ErrorContains(t, err, "another process explores in "+dirs[0])
}

// A server without room ends the sweep with one error; what it had is kept.
func TestServerFull(t *testing.T) {
	address := serving(t, Server{MaxStore: 20_000}, io.Discard)
	_, err := pooled(t, address, t.TempDir(), plan(t, 2000, one), io.Discard)
	require.ErrorContains(t, err, "the server cannot keep jobs: ")
	require.NotContains(t, err.Error(), "\n")
}

// A server whose store cannot be written ends with one error: NATS itself would go on.
func TestStoreBroken(t *testing.T) {
	var notes said
	l := &logger{w: &notes, broken: make(chan string, 1)}
	l.Warnf("slow")
	l.Errorf("Filestore [%s] Critical write error: %s", jobStream, "no space left on device")
	l.Errorf("JetStream failed to store a msg")
	require.Contains(t, <-l.broken, "no space left on device")
	require.Equal(t, "server: warning: slow\n", notes.String())
}

// certificate writes a certificate for hosts and its key.
func certificate(t *testing.T, hosts ...string) (cert, key string) {
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "etch"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	for _, h := range hosts {
		c.IPAddresses = append(c.IPAddresses, net.ParseIP(h))
	}
	der, err := x509.CreateCertificate(rand.Reader, &c, &c, &secret.PublicKey, secret)
	require.NoError(t, err)
	k, err := x509.MarshalPKCS8PrivateKey(secret)
	require.NoError(t, err)
	cert, key = filepath.Join(t.TempDir(), "c.pem"), filepath.Join(t.TempDir(), "k.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: k}), 0o600))
	return cert, key
}

// file writes a file that only its owner reads.
func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const secretWord = "a-long-secret-of-the-lab"

// With token and TLS a sweep works; without either, or with wrong ones, there is one
// error that says which.
func TestTokenAndTLS(t *testing.T) {
	cert, key := certificate(t, "127.0.0.1")
	stranger, _ := certificate(t, "127.0.0.1")
	secret := file(t, secretWord+"\n")
	address := serving(t, Server{Listen: "0.0.0.0:0", TokenFile: secret, Cert: cert, Key: key}, io.Discard)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	address = "127.0.0.1:" + port

	p := plan(t, 5, one)
	d := Dial{URL: "tls://" + address, TokenFile: secret, CA: cert}
	working(t, Worker{Dial: d, Build: "b", Jobs: 1, Remake: remade(p)}, io.Discard)
	p.Pool, err = NewPool(d, "b", t.TempDir(), io.Discard)
	require.NoError(t, err)
	o, err := asked(t.TempDir(), p)
	require.NoError(t, err)
	require.Equal(t, 5, o.Count(explore.Done))
	p.Pool.(*Pool).Close()

	plain := serving(t, Server{}, io.Discard)
	wrong := file(t, strings.ToUpper(secretWord))
	for want, d := range map[string]Dial{
		"wants a token: -token-file":                {URL: "tls://" + address, CA: cert},
		"refuses the token of " + wrong:             {URL: "tls://" + address, CA: cert, TokenFile: wrong},
		"certificate":                               {URL: "tls://" + address, CA: stranger, TokenFile: secret},
		"-ca FILE trusts a certificate of your own": {URL: address, TokenFile: secret},
		"server " + plain + " has no TLS":           {URL: "tls://" + plain},
		"no server at 127.0.0.1:1 (etch-cluster":    {URL: "127.0.0.1:1"},
	} {
		_, err := NewPool(d, "b", t.TempDir(), io.Discard)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Settings that would let strangers in, or make no sense, are refused before anything
// listens or connects.
func TestSettings(t *testing.T) {
	cert, key := certificate(t, "127.0.0.1")
	secret := file(t, secretWord)
	short, open := file(t, "short"), file(t, secretWord)
	require.NoError(t, os.Chmod(open, 0o644))
	nothing := filepath.Join(t.TempDir(), "none")
	for want, s := range map[string]Server{
		"-listen 0.0.0.0:0 can be reached from other machines: it wants -token-file": {Listen: "0.0.0.0:0"},
		"-listen 10.0.0.1:0 can be reached":                                          {Listen: "10.0.0.1:0", TokenFile: secret},
		"-listen [::]:0 can be reached":                                              {Listen: "[::]:0", Cert: cert, Key: key},
		`want host:port`:                                                             {Listen: "4222"},
		`the host is missing`:                                                        {Listen: ":4222"},
		`port "x" is no number`:                                                      {Listen: "127.0.0.1:x"},
		`-cert and -key belong together`:                                             {Listen: "127.0.0.1:0", Cert: cert},
		`at least 16`:                                                                {Listen: "127.0.0.1:0", TokenFile: short},
		`can be read by others (mode 0644)`:                                          {Listen: "127.0.0.1:0", TokenFile: open},
		nothing:                                                                      {Listen: "127.0.0.1:0", TokenFile: nothing},
		"-cert " + key:                                                               {Listen: "127.0.0.1:0", Cert: key, Key: cert},
	} {
		s.Store = filepath.Join(t.TempDir(), "new")
		err := s.Serve(t.Context(), io.Discard, func(string) { t.Error(want) })
		require.ErrorContains(t, err, want)
		require.NoFileExists(t, s.Store)
	}
	for want, d := range map[string]Dial{
		"is not this machine: it wants -token-file": {URL: "10.1.2.3:4222"},
		`server "http://x": want host:port`:         {URL: "http://x"},
		`server "": want host:port`:                 {},
		"has no certificate in PEM":                 {URL: "127.0.0.1:1", CA: secret},
		nothing:                                     {URL: "127.0.0.1:1", TokenFile: nothing},
	} {
		_, err := NewPool(d, "b", t.TempDir(), io.Discard)
		require.ErrorContains(t, err, want)
	}

	// One server a store, and a port.
	store := t.TempDir()
	address := serving(t, Server{Store: store}, io.Discard)
	fail := func(string) { t.Error("a second server") }
	require.ErrorContains(t, Server{Store: store, Listen: "127.0.0.1:0"}.Serve(t.Context(), io.Discard, fail), "another server has the store")
	require.ErrorContains(t, Server{Store: t.TempDir(), Listen: address}.Serve(t.Context(), io.Discard, fail), "address already in use")
	require.ErrorContains(t, Server{Store: file(t, "x"), Listen: "127.0.0.1:0"}.Serve(t.Context(), io.Discard, fail), "not a directory")
}

// command runs the verbs in this process.
func command(args ...string) (code int, out, errs string) {
	var o, e said
	app := With(cli.App{Name: "mine", Designs: []cli.Design{cli.Component("root", "roots", arith.SquareRoot{Radicand: 16}.Iterative(1))}})
	code = app.Run(args, cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// The verb explore with -server gives the files of one without, with yosys at work; what
// other verbs refuse is one line.
func TestVerbs(t *testing.T) {
	tools.Need(t, "yosys")
	address := serving(t, Server{}, io.Discard)
	build, err := cli.ThisBuild()
	require.NoError(t, err)
	app := cli.App{Designs: []cli.Design{cli.Component("root", "roots", arith.SquareRoot{Radicand: 16}.Iterative(1))}}
	var notes said
	working(t, Worker{Dial: Dial{URL: address}, Jobs: 2, Build: build, Remake: app.Remake}, &notes)
	alone, there := t.TempDir(), t.TempDir()
	sweep := []string{"explore", "root", "-sweep", "radicand=8,12,-1,16", "-measure", "ops,cycles,yosys:ice40up5k", "-pareto", "lut,latency", "-margin", "0", "-o"}
	code, _, errs := command(append(sweep, alone)...)
	require.Zero(t, code, errs)
	code, _, errs = command(append(sweep, there, "-server", address)...)
	require.Zero(t, code, "%s %s", errs, &notes)
	require.Contains(t, errs, "4 configurations, 3 measured, 1 refused as invalid (9 results new)")
	for _, name := range []string{"explore.csv", "explore.json", "pareto.svg"} {
		want, err := os.ReadFile(filepath.Join(alone, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(there, name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
	}
	require.Empty(t, notes.String())
}

// Mistakes on the command line are one line each.
func TestMistakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for line, want := range map[string]string{
		"serve":                            "-store is missing",
		"serve -store x extra":             `what is "extra"?`,
		"serve -store x -listen 1.2.3.4:5": "can be reached from other machines",
		"work -server 127.0.0.1:1":         "no server at 127.0.0.1:1 (etch-cluster serve starts one)",
		"work -jobs -1":                    "-1 jobs at a time",
		"explore root -sweep radicand=8 -server 127.0.0.1:1 -o " + dir: "no server at 127.0.0.1:1",
		"explore root -sweep radicand=8 -server 1.2.3.4:5 -o " + dir:   "is not this machine",
		"explore root -sweep radicand=8 -token-file x -o " + dir:       "belong to -server",
		"explore root -sweep radicand=0,-1 -o " + dir + "2":            "none of 2 configurations is valid",
	} {
		code, out, errs := command(strings.Fields(line)...)
		require.NotZero(t, code, line)
		require.Empty(t, out)
		require.Contains(t, errs, want, line)
		first, _, _ := strings.Cut(errs, "\nusage: ")
		require.Equal(t, 0, strings.Count(strings.TrimSpace(first), "\n"), errs)
	}
	require.NoDirExists(t, dir)
}
