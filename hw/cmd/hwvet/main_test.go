package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build makes the command.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command")
	}
	exe := filepath.Join(t.TempDir(), "hwvet.exe")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// marked lists the lines of a file that end in a comment with the name of a
// check, as "bad.go:29 hwunset".
func marked(t *testing.T, path string) (lines []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		if _, check, ok := strings.Cut(in.Text(), "// hw"); ok {
			lines = append(lines, fmt.Sprintf("%s:%d hw%s", filepath.Base(path), n, check))
		}
	}
	return lines
}

// The command under go vet and by itself reports each mistake once, at its line,
// and fails; it is silent where nothing is wrong.
func TestCommand(t *testing.T) {
	exe := build(t)
	want := marked(t, "testdata/bad/bad.go")
	if len(want) != 9 {
		t.Fatalf("testdata has %d mistakes", len(want))
	}
	for _, run := range [][]string{{"go", "vet", "-vettool=" + exe}, {exe}} {
		out, err := exec.Command(run[0], append(run[1:], "./testdata/bad")...).CombinedOutput()
		if err == nil {
			t.Errorf("%s did not fail", run)
		}
		for _, w := range want {
			at, check, _ := strings.Cut(w, " ")
			if n := reports(string(out), at, check); n != 1 {
				t.Errorf("%s: %d reports of %s, want 1; the output is\n%s", run, n, w, out)
			}
		}
		if n := strings.Count(string(out), "[hw"); n != len(want) {
			t.Errorf("%s: %d reports, want %d:\n%s", run, n, len(want), out)
		}
		if out, err := exec.Command(run[0], append(run[1:], "./testdata/good")...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", run, err, out)
		}
	}
}

// reports counts the lines of out about a place and a check.
func reports(out, at, check string) (n int) {
	for line := range strings.Lines(out) {
		if strings.Contains(line, at+":") && strings.Contains(line, "["+check+"]") {
			n++
		}
	}
	return n
}
