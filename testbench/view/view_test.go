package view

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"etch/designs/examples/counter"
	"etch/designs/examples/rv32i"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"

	"github.com/stretchr/testify/require"
)

// page is a view with its requests.
type page struct {
	t testing.TB
	v *View
}

// do makes a request, after change, and returns the status and the body.
func (p page) do(method, path string, change func(*http.Request)) (int, http.Header, []byte) {
	p.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:8000"+path, nil)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	p.v.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	require.NoError(p.t, err)
	return w.Code, w.Header(), body
}

// ask is an answer of the API as T.
func ask[T any](p page, method, path string, args ...string) (answer T) {
	p.t.Helper()
	code, _, body := p.do(method, p.path(path, args), nil)
	require.Equal(p.t, http.StatusOK, code, "%s", body)
	require.NoError(p.t, json.Unmarshal(body, &answer))
	return answer
}

// path is the path of a call with arguments name, value, …
func (p page) path(path string, args []string) string {
	q := url.Values{}
	for i := 0; i < len(args); i += 2 {
		q.Set(args[i], args[i+1])
	}
	return "/" + p.v.token + "/api/" + path + "?" + q.Encode()
}

// fails requires an error of the API that contains each of parts.
func (p page) fails(method, path string, args []string, parts ...string) {
	p.t.Helper()
	code, _, body := p.do(method, p.path(path, args), nil)
	require.Equal(p.t, http.StatusBadRequest, code, "%s", body)
	var answer struct{ Error string }
	require.NoError(p.t, json.Unmarshal(body, &answer))
	for _, part := range parts {
		require.Contains(p.t, answer.Error, part)
	}
	require.NotContains(p.t, answer.Error, "\n")
}

// livePage is the page of a component.
func livePage[P any](t testing.TB, c hw.Component[P]) page {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	v, err := Live(d)
	require.NoError(t, err)
	return page{t, v}
}

// A live run steps, steps back, and goes on from an earlier cycle with another input, each time
// with the values of a fresh simulation.
func TestLive(t *testing.T) {
	p := livePage(t, counter.Counter{Width: 8})
	ask[span](p, "POST", "set", "name", "en", "value", "1", "cycle", "1")
	require.Equal(t, span{0, 1001, 1001}, ask[span](p, "POST", "run", "to", "1001"))
	for _, cycle := range []string{"1001", "5", "600", "1"} {
		got := ask[map[string]string](p, "GET", "values", "cycle", cycle)["count"]
		want := map[string]string{"1001": "232", "5": "4", "600": "87", "1": "0"}[cycle]
		require.Equal(t, want, got, "cycle %s", cycle)
	}

	// Behind cycle 10 it stands still; the later cycles are gone and made again.
	require.Equal(t, span{0, 10, 10}, ask[span](p, "POST", "set", "name", "en", "value", "0", "cycle", "10"))
	p.fails("GET", "values", []string{"cycle", "11"}, "cycle 11: the run has cycles 0 to 10")
	ask[span](p, "POST", "run", "to", "300")
	require.Equal(t, "9", ask[map[string]string](p, "GET", "values", "cycle", "300")["count"])
	require.Equal(t, "8", ask[map[string]string](p, "GET", "values", "cycle", "9")["count"])

	w := ask[struct{ Waves []wave }](p, "GET", "waves", "signals", "count,en", "from", "7", "to", "12").Waves
	require.Equal(t, []change{{7, "6"}, {8, "7"}, {9, "8"}, {10, "9"}}, w[0].Changes)
	require.Equal(t, []change{{7, "1"}, {10, "0"}}, w[1].Changes)
}

// A recorded run has the values that the bench saw, and cannot be changed.
func TestRecorded(t *testing.T) {
	d, _, err := hw.Build(counter.Counter{Width: 8})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Record(1 << 20)
	s.Reset()
	en, err := s.Signal("en")
	require.NoError(t, err)
	require.NoError(t, s.Set(en, 1))
	s.Step(9)
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	p := page{t, Recorded(run)}
	require.Equal(t, "9", ask[map[string]string](p, "GET", "values", "cycle", "10")["count"])
	require.Equal(t, "4", ask[map[string]string](p, "GET", "values", "cycle", "5")["count"])
	p.fails("POST", "set", []string{"name", "en", "value", "0"}, "a recorded run has its inputs")
	p.fails("POST", "run", []string{"to", "11"}, "the recorded run ends at cycle 10")
}

// Source and schematic of uart: the line that declares shift, and the boxes of named things.
func TestUART(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	source := ask[struct {
		File, Text string
		Notes      []note
	}](p, "GET", "source")
	require.True(t, strings.HasSuffix(source.File, "uart.go"), source.File)
	found := false
	for _, n := range source.Notes {
		if n.Name == "shift" {
			found = true
			require.Contains(t, strings.Split(source.Text, "\n")[n.Line-1], `hw.Reg(m, "shift"`)
		}
	}
	require.True(t, found)

	g := ask[Graph](p, "GET", "schematic")
	kinds := map[string]string{}
	for _, b := range g.Boxes {
		kinds[b.Name] = b.Kind
		for _, x := range b.Parts {
			kinds[b.Name+" "+x.Name] = b.Kind
		}
	}
	for name, kind := range map[string]string{"shift": "register", "state": "register", "bit_done": "wire", "line": "output", "bytes": "input", "bytes valid": "input"} {
		require.Equal(t, kind, kinds[name], "%s in %v", name, kinds)
	}
	apart(t, g)
	cone := ask[Graph](p, "GET", "schematic", "focus", "bit_done", "cone", "1")
	require.Less(t, len(cone.Boxes), len(g.Boxes))
}

// apart requires boxes that do not overlap and lie within the drawing.
func apart(t testing.TB, g Graph) {
	t.Helper()
	require.NotEmpty(t, g.Boxes)
	require.LessOrEqual(t, len(g.Boxes), mostBoxes)
	for i, a := range g.Boxes {
		require.True(t, a.X >= 0 && a.Y >= 0 && a.X+a.W <= g.W && a.Y+a.H <= g.H, "%+v in %d × %d", a, g.W, g.H)
		for _, b := range g.Boxes[:i] {
			require.False(t, a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H, "%s and %s overlap", a.Name, b.Name)
		}
	}
}

// A processor: memories, and a schematic of at most 60 boxes.
func TestProcessor(t *testing.T) {
	p := livePage(t, rv32i.Core{Words: 64, Program: []uint32{0x00100093, 0x00108093, 0xffdff06f}})
	ask[span](p, "POST", "run", "to", "40")
	d := ask[struct{ Top scopeInfo }](p, "GET", "design")
	var mems []memInfo
	var visit func(s scopeInfo)
	visit = func(s scopeInfo) {
		mems = append(mems, s.Mems...)
		g := ask[Graph](p, "GET", "schematic", "scope", s.Path)
		apart(t, g)
		for _, child := range s.Children {
			visit(child)
		}
	}
	visit(d.Top)
	require.NotEmpty(t, mems)
	words := ask[struct{ Words []string }](p, "GET", "memory", "name", mems[0].Full, "cycle", "40").Words
	require.Len(t, words, mems[0].Depth)
	p.fails("GET", "memory", []string{"name", mems[0].Full, "from", "100000"}, "words")
	p.fails("GET", "memory", []string{"name", "nope"}, "nope")
}

// A memory may be the focus of a schematic: its box stands among the signals of its ports, also in
// its cone.
func TestMemoryFocus(t *testing.T) {
	p := livePage(t, rv32i.Core{Words: 64})
	mems := ask[struct{ Top scopeInfo }](p, "GET", "design").Top.Mems
	require.NotEmpty(t, mems)
	for _, mem := range mems {
		for _, cone := range []string{"", "1"} {
			g := ask[Graph](p, "GET", "schematic", "focus", mem.Full, "cone", cone)
			apart(t, g)
			at := slices.IndexFunc(g.Boxes, func(b *Box) bool { return b.Full == mem.Full && b.Kind == "memory" })
			require.GreaterOrEqual(t, at, 0, mem.Full)
			into := slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.To == at })
			outOf := slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.From == at })
			require.True(t, into && outOf, "%s has no neighbours, cone %q", mem.Full, cone)
		}
	}
}

// A panic of an answer is an error with its text, and later requests are answered.
func TestPanic(t *testing.T) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	p := livePage(t, counter.Counter{Width: 8})
	p.v.mux.Handle("GET /"+p.v.token+"/api/mistake", p.v.answer(func(query) (any, error) { panic("no line") }))
	code, _, body := p.do("GET", p.path("mistake", nil), nil)
	require.Equal(t, http.StatusInternalServerError, code)
	require.JSONEq(t, `{"error": "etch view has failed: no line"}`, string(body))
	ask[map[string]string](p, "GET", "values")
}

// Bad input gives one error each.
func TestMistakes(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	p.fails("GET", "waves", []string{"signals", "shft"}, "shft", "shift")
	p.fails("GET", "waves", []string{"signals", "shift", "from", "3", "to", "900"}, "the run has cycles 0 to 1")
	p.fails("GET", "values", []string{"cycle", "x"}, `cycle="x" is not a number`)
	p.fails("GET", "values", []string{"scope", "nope"}, `there is no instance "nope"`)
	p.fails("GET", "schematic", []string{"focus", "shft"}, "shift")
	p.fails("GET", "source", []string{"file", "/etc/passwd"}, `the design has no line in "/etc/passwd"`)
	p.fails("POST", "set", []string{"name", "bit_done", "value", "1"}, "bit_done is neither an input of the top nor a register")
	p.fails("POST", "set", []string{"name", "bytes_data", "value", "256"}, "256 does not fit the 8 bits of bytes_data")
	p.fails("POST", "set", []string{"name", "bytes_data", "value", "zz"}, `"zz" is not a number`)
	p.fails("POST", "run", []string{"to", "99999999"}, "at most 1000000 cycles are added")
}

// Only this machine's own page with the token is answered, under a strict policy.
func TestRefused(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	home := "/" + p.v.token + "/"
	code, h, body := p.do("GET", home, nil)
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, string(body), "etch view")
	require.Equal(t, policy, h.Get("Content-Security-Policy"))
	require.NotContains(t, policy, "unsafe")
	for name, change := range map[string]func(*http.Request){
		"host":       func(r *http.Request) { r.Host = "evil.example:8000" },
		"lookalike":  func(r *http.Request) { r.Host = "127.0.0.1.evil.example:8000" },
		"origin":     func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"other port": func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:9") },
		"null":       func(r *http.Request) { r.Header.Set("Origin", "null") },
		"token":      func(r *http.Request) { r.URL.Path = "/AAAA/" },
		"no token":   func(r *http.Request) { r.URL.Path = "/" },
	} {
		code, _, body := p.do("GET", home, change)
		require.Equal(t, http.StatusForbidden, code, name)
		require.NotContains(t, string(body), p.v.token, name)
	}
	code, _, _ = p.do("GET", home, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:8000") })
	require.Equal(t, http.StatusOK, code)
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "nonsense"} {
		_, err := Listen(addr)
		require.Error(t, err, addr)
	}
}
