package view

import (
	"context"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"etch/designs/examples/uart"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// The page in a real browser, from an address that holds selection and cycle: the selected
// register's line is lit with the value at that cycle, its row stands among the waves, its box in
// the schematic; an earlier cycle shows the earlier value. The browser has nothing to complain of.
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		if tools.Strict("chromium") {
			t.Fatal("chromium is not installed (ETCH_STRICT)")
		}
		t.Skip("chromium is not installed")
	}
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	ask[span](p, "POST", "set", "name", "bytes_valid", "value", "1", "cycle", "1")
	ask[span](p, "POST", "set", "name", "bytes_data", "value", "0x55", "cycle", "1")
	ask[span](p, "POST", "run", "to", "60")
	server := httptest.NewServer(p.v)
	defer server.Close()

	for cycle, value := range map[string]string{"20": "10", "8": "85"} {
		require.Equal(t, value, ask[map[string]string](p, "GET", "values", "cycle", cycle)["shift"])
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		c := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
			"--user-data-dir="+t.TempDir(), "--virtual-time-budget=4000", "--dump-dom",
			server.URL+"/"+p.v.token+"/#sel=shift&waves=line,shift&cycle="+cycle)
		complaints := &lines{}
		c.Stderr = complaints
		dom, err := c.Output()
		stop()
		require.NoError(t, err)
		require.Regexp(t, `class="has chosen"><span class="number">\d+</span>[^<]*hw\.Reg\(m, "shift".*shift = `+value+`<`, string(dom))
		require.Regexp(t, `class="row chosen" data-signal="shift"><span class="name"[^>]*>shift</span><span class="now">`+value+`<`, string(dom))
		require.Regexp(t, `class="box register chosen"[^>]*data-signal="shift"`, string(dom))
		require.Regexp(t, `<output id="message" role="status"></output>`, string(dom))
		require.NotRegexp(t, regexp.MustCompile(`:CONSOLE[:(]`), string(complaints.text))
	}
}

// lines keeps what a program writes.
type lines struct{ text []byte }

func (l *lines) Write(b []byte) (int, error) {
	l.text = append(l.text, b...)
	return len(b), nil
}
