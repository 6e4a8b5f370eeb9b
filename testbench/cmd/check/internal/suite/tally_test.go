package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// play feeds lines in the form of go test -json to a tally, and returns it with
// what it printed.
func play(t *testing.T, lines string) (*tally, string) {
	t.Helper()
	var out strings.Builder
	ta := &tally{out: &out}
	err := readEvents(strings.NewReader(lines), ta.event, func(line string) { out.WriteString("raw: " + line + "\n") })
	require.NoError(t, err)
	return ta, out.String()
}

func TestTallyCountsLeaves(t *testing.T) {
	ta, out := play(t, `
{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestA"}
{"Action":"run","Package":"m/a","Test":"TestA/x"}
{"Action":"run","Package":"m/a","Test":"TestA/y/z"}
{"Action":"output","Package":"m/a","Test":"TestA/x","Output":"chatter\n"}
{"Action":"pass","Package":"m/a","Test":"TestA/x"}
{"Action":"pass","Package":"m/a","Test":"TestA/y/z"}
{"Action":"pass","Package":"m/a","Test":"TestA"}
{"Action":"run","Package":"m/a","Test":"TestB"}
{"Action":"pass","Package":"m/a","Test":"TestB"}
{"Action":"output","Package":"m/a","Output":"PASS\n"}
{"Action":"pass","Package":"m/a","Elapsed":1.25}
{"Action":"start","Package":"m/none"}
{"Action":"output","Package":"m/none","Output":"?   \tm/none\t[no test files]\n"}
{"Action":"skip","Package":"m/none","Elapsed":0}
`)
	assert.Equal(t, "3 passed, 0 failed, 0 skipped", ta.closing())
	assert.Equal(t, 1, ta.untested)
	assert.Contains(t, out, "ok    m/a")
	assert.Contains(t, out, "3 passed")
	assert.NotContains(t, out, "chatter")
	assert.NotContains(t, out, "m/none")
}

func TestTallyShowsFailures(t *testing.T) {
	ta, out := play(t, `
{"Action":"run","Package":"m/a","Test":"TestA"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"run","Package":"m/a","Test":"TestA/bad"}
{"Action":"output","Package":"m/a","Test":"TestA/bad","Output":"    a_test.go:5: boom\n"}
{"Action":"fail","Package":"m/a","Test":"TestA/bad"}
{"Action":"fail","Package":"m/a","Test":"TestA"}
{"Action":"run","Package":"m/a","Test":"TestB"}
{"Action":"run","Package":"m/a","Test":"TestB/good"}
{"Action":"pass","Package":"m/a","Test":"TestB/good"}
{"Action":"fail","Package":"m/a","Test":"TestB"}
{"Action":"fail","Package":"m/a","Elapsed":0.1}
`)
	// TestA fails by its subtest, TestB by itself
	assert.Equal(t, "1 passed, 2 failed, 0 skipped", ta.closing())
	assert.Contains(t, out, "--- FAIL m/a TestA/bad\n        a_test.go:5: boom\n")
	assert.NotContains(t, out, "=== RUN")
	assert.Contains(t, out, "FAIL  m/a")
}

func TestTallyPackageFailures(t *testing.T) {
	ta, out := play(t, `
{"ImportPath":"m/b [m/b.test]","Action":"build-output","Output":"b.go:2:1: no such thing\n"}
{"ImportPath":"m/b [m/b.test]","Action":"build-fail"}
{"Action":"start","Package":"m/b"}
{"Action":"fail","Package":"m/b","FailedBuild":"m/b [m/b.test]"}
{"Action":"run","Package":"m/c","Test":"TestC"}
{"Action":"output","Package":"m/c","Test":"TestC","Output":"last words\n"}
{"Action":"output","Package":"m/c","Output":"exit status 3\n"}
{"Action":"fail","Package":"m/c"}
go: something else
{not json
`)
	assert.Equal(t, "0 passed, 2 failed, 0 skipped", ta.closing())
	for _, want := range []string{"b.go:2:1: no such thing", "exit status 3", "last words",
		"raw: go: something else\n", "raw: {not json\n"} {
		assert.Contains(t, out, want)
	}
}

func TestTallySkipReasons(t *testing.T) {
	ta, _ := play(t, `
{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:3: a log\n"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:4: z3 not found\n"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestA"}
{"Action":"output","Package":"m/a","Test":"TestB","Output":"    b_test.go:40: z3 not found\n"}
{"Action":"skip","Package":"m/a","Test":"TestB"}
{"Action":"skip","Package":"m/a","Test":"TestC"}
{"Action":"pass","Package":"m/a"}
`)
	assert.Equal(t, "0 passed, 0 failed, 3 skipped", ta.closing())
	assert.Zero(t, ta.untested)
	var out strings.Builder
	ta.out = &out
	ta.printReasons()
	assert.Equal(t, "skipped:\n   2  z3 not found\n   1  no reason given\n", out.String())
}

func TestCaptureIsBounded(t *testing.T) {
	var c capture
	for range 100 {
		c.add(strings.Repeat("x", maxOutput/50))
	}
	assert.LessOrEqual(t, c.buf.Len(), maxOutput)
	assert.Contains(t, c.text(), "the rest is cut")
}

func TestReadEventsLongLine(t *testing.T) {
	long := strings.Repeat("y", 1<<20)
	ta, _ := play(t, `{"Action":"output","Package":"m","Output":"`+long+`"}`+"\n"+
		`{"Action":"pass","Package":"m","Test":"TestA"}`+"\n"+`{"Action":"pass","Package":"m"}`) // no newline at the end
	assert.Equal(t, 1, ta.passed)
}
