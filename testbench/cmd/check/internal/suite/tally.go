package suite

import (
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
)

// tally follows the events of go test -json, prints a line per package and the
// output of what failed, and counts.
type tally struct {
	out     io.Writer
	verbose bool

	passed, failed, skipped int
	untested                int            // packages without tests
	reasons                 map[string]int // why tests were skipped
	pkgs                    map[string]*pkgState
	builds                  map[string]*capture
}

// pkgState is a package whose tests are running.
type pkgState struct {
	out                     capture
	tests                   map[string]*testState
	order                   []string
	passed, failed, skipped int
}

// testState is a test that has started. What it printed is kept until it ends.
type testState struct {
	out      capture
	parent   bool // it has subtests
	childBad bool // one of them failed
	done     bool
}

// closing is the plain last line.
func (t *tally) closing() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

// event takes the next event.
func (t *tally) event(e event) {
	switch e.Action {
	case "build-output":
		if t.builds == nil {
			t.builds = map[string]*capture{}
		}
		if t.builds[e.ImportPath] == nil {
			t.builds[e.ImportPath] = &capture{}
		}
		t.builds[e.ImportPath].add(e.Output)
		return
	case "build-fail":
		return // the fail of each package that needs it says so
	}
	if t.verbose && e.Action == "output" {
		fmt.Fprint(t.out, e.Output)
	}
	p := t.pkg(e.Package)
	if e.Test == "" {
		t.pkgEvent(p, e)
	} else {
		t.testEvent(p, e)
	}
}

func (t *tally) pkg(name string) *pkgState {
	if t.pkgs == nil {
		t.pkgs = map[string]*pkgState{}
	}
	p := t.pkgs[name]
	if p == nil {
		p = &pkgState{tests: map[string]*testState{}}
		t.pkgs[name] = p
	}
	return p
}

// test returns the state of a test, made at its first event.
func (p *pkgState) test(name string) *testState {
	s := p.tests[name]
	if s == nil {
		s = &testState{}
		p.tests[name] = s
		p.order = append(p.order, name)
		if up := p.above(name); up != nil {
			up.parent = true
		}
	}
	return s
}

// above is the test that a subtest runs in: the longest started one whose name
// and a slash begin the subtest's name.
func (p *pkgState) above(name string) *testState {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if s := p.tests[name[:i]]; s != nil {
			return s
		}
	}
	return nil
}

// testEvent takes an event of one test.
func (t *tally) testEvent(p *pkgState, e event) {
	s := p.test(e.Test)
	switch e.Action {
	case "output":
		s.out.add(e.Output)
		return
	case "pass":
		if !s.parent {
			p.passed++
		}
	case "skip":
		p.skipped++
		if t.reasons == nil {
			t.reasons = map[string]int{}
		}
		t.reasons[skipReason(s.out.text())]++
	case "fail":
		if !s.childBad {
			p.failed++
		}
		if up := p.above(e.Test); up != nil {
			up.childBad = true
		}
		t.show(e.Package+" "+e.Test, s.out.text())
	default:
		return
	}
	s.done, s.out = true, capture{}
}

// pkgEvent takes an event of a whole package.
func (t *tally) pkgEvent(p *pkgState, e event) {
	switch e.Action {
	case "output":
		p.out.add(e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	if e.Action == "fail" && p.failed == 0 {
		p.failed = 1 // the package by itself
		t.showPackage(p, e)
	}
	t.passed += p.passed
	t.failed += p.failed
	t.skipped += p.skipped
	delete(t.pkgs, e.Package)
	if e.Action == "skip" || e.Action == "pass" && p.passed+p.skipped == 0 {
		t.untested++
		return
	}
	state := map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action]
	fmt.Fprintf(t.out, "%-4s  %-40s %6.1f s  %s\n", state, e.Package, e.Elapsed, p.counts())
}

// showPackage prints what there is about a package that failed without a
// failing test: its build's output, its own, and that of tests cut short.
func (t *tally) showPackage(p *pkgState, e event) {
	var b strings.Builder
	if c := t.builds[e.FailedBuild]; c != nil {
		b.WriteString(c.text())
		delete(t.builds, e.FailedBuild) // once is enough
	}
	b.WriteString(p.out.text())
	for _, name := range p.order {
		if s := p.tests[name]; !s.done {
			b.WriteString(s.out.text())
		}
	}
	t.show(e.Package, b.String())
}

func (p *pkgState) counts() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{p.passed, "passed"}, {p.failed, "failed"}, {p.skipped, "skipped"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

// show prints a failure, indented below its name; -v has printed it already.
func (t *tally) show(name, output string) {
	fmt.Fprintf(t.out, "--- FAIL %s\n", name)
	if t.verbose {
		return
	}
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "=== ") {
			continue
		}
		fmt.Fprintf(t.out, "    %s\n", strings.TrimRight(line, "\n"))
	}
}

// logLine is a line of t.Log or t.Skip.
var logLine = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`)

// skipReason finds what t.Skip said in a test's output: its last log line.
func skipReason(output string) string {
	reason := "no reason given"
	for line := range strings.Lines(output) {
		if m := logLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			reason = m[1]
		}
	}
	return reason
}

// printReasons lists why tests were skipped, the most frequent first.
func (t *tally) printReasons() {
	if t.skipped == 0 {
		return
	}
	var list []string
	for r := range t.reasons {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool {
		if a, b := t.reasons[list[i]], t.reasons[list[j]]; a != b {
			return a > b
		}
		return list[i] < list[j]
	})
	fmt.Fprintln(t.out, "skipped:")
	for _, r := range list {
		fmt.Fprintf(t.out, "%4d  %s\n", t.reasons[r], r)
	}
}
