package suite

import (
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
)

// tally follows the events of go test -json, prints a line per package and the output of
// failures, and counts.
type tally struct {
	out     io.Writer
	verbose bool

	passed, failed, skipped int
	untested                int            // packages without tests
	reasons                 map[string]int // why tests were skipped
	pkgs                    map[string]*pkgState
	builds                  map[string]*capture
}

// pkgState is a package with running tests.
type pkgState struct {
	out                     capture
	tests                   map[string]*testState
	order                   []string
	passed, failed, skipped int
}

// testState is a test that has started. Its output is kept until it ends.
type testState struct {
	out      capture
	parent   bool // it has subtests
	childBad bool // one of them failed
	done     bool
}

// closing returns the last line of the output.
func (t *tally) closing() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

// event handles the next event.
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
		return // the fail of each package that needs it reports this
	}

	// With -v the output is passed on as it comes.
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

// pkg returns the state of a package, made at its first event.
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

		// A test with subtests is not counted itself.
		if up := p.above(name); up != nil {
			up.parent = true
		}
	}
	return s
}

// above returns the test of which a test is a subtest: the longest name of a started test that,
// with a slash, begins the subtest's name. (A slash may be part of a name.)
func (p *pkgState) above(name string) *testState {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if s := p.tests[name[:i]]; s != nil {
			return s
		}
	}
	return nil
}

// testEvent handles an event of one test. Only tests without subtests count.
func (t *tally) testEvent(p *pkgState, e event) {
	s := p.test(e.Test)

	// A parent fails with its child and is not counted twice.
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

// pkgEvent handles an event of a whole package.
func (t *tally) pkgEvent(p *pkgState, e event) {
	switch e.Action {
	case "output":
		p.out.add(e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}

	// The package failed by itself: its build, or an end outside of any test.
	if e.Action == "fail" && p.failed == 0 {
		p.failed = 1 // the package by itself
		t.showPackage(p, e)
	}

	t.passed += p.passed
	t.failed += p.failed
	t.skipped += p.skipped

	// The package is done: forget its tests and print its line.
	delete(t.pkgs, e.Package)
	if e.Action == "skip" || e.Action == "pass" && p.passed+p.skipped == 0 {
		t.untested++
		return
	}

	state := map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action]
	fmt.Fprintf(t.out, "%-4s  %-40s %6.1f s  %s\n", state, e.Package, e.Elapsed, p.counts())
}

// showPackage prints the output of a package that failed without a failing test: of its build,
// its own, and that of tests cut short.
func (t *tally) showPackage(p *pkgState, e event) {
	var b strings.Builder
	if c := t.builds[e.FailedBuild]; c != nil {
		b.WriteString(c.text())
		delete(t.builds, e.FailedBuild) // once is enough
	}
	b.WriteString(p.out.text())

	// Tests that have ended were shown already.
	for _, name := range p.order {
		if s := p.tests[name]; !s.done {
			b.WriteString(s.out.text())
		}
	}
	t.show(e.Package, b.String())
}

// counts returns the numbers of a package's tests in words.
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

// show prints a failure, indented below its name; with -v the output is printed already.
func (t *tally) show(name, output string) {
	fmt.Fprintf(t.out, "--- FAIL %s\n", name)
	if t.verbose {
		return
	}
	for line := range strings.Lines(output) {
		// Lines that only tell the progress of tests.
		if strings.HasPrefix(line, "=== ") {
			continue
		}
		fmt.Fprintf(t.out, "    %s\n", strings.TrimRight(line, "\n"))
	}
}

// logLine is a line of t.Log or t.Skip.
var logLine = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`)

// skipReason returns the text of t.Skip in a test's output: its last log line.
func skipReason(output string) string {
	reason := "no reason given"
	for line := range strings.Lines(output) {
		if m := logLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			reason = m[1]
		}
	}
	return reason
}

// printReasons lists the reasons of skipped tests, the most frequent first.
func (t *tally) printReasons() {
	if t.skipped == 0 {
		return
	}
	var list []string
	for r := range t.reasons {
		list = append(list, r)
	}

	// Equal counts in the order of the alphabet, so that two runs print the same.
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
