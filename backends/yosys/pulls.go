package yosys

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// yosys knows no pullup and pulldown. They are rewritten as instances of black boxes, which package
// cells turns into pulls of nets. A guard `ifndef SYNTHESIS around a pull, which the Verilog of etch
// has, is removed with it.

const pullModules = "(* blackbox *) module etch$pullup(inout p);\nendmodule\n(* blackbox *) module etch$pulldown(inout p);\nendmodule\n"

// pulls makes instances of the pulls in a text, and reports whether there are any.
// Lines stay where they are.
func (y *session) pulls(text []byte) ([]byte, bool) {
	// Most files have no pulls: a search is cheaper than the scan.
	if !strings.Contains(string(text), "pull") {
		return text, false
	}
	code := codeOf(string(text))
	var b strings.Builder
	done := 0

	// A pull becomes an instance of a black box that yosys keeps.
	eachWord(code, 0, func(w string, at int) int {
		end := at + len(w)
		if w != "pullup" && w != "pulldown" || !startsStatement(code[:at]) {
			return end
		}

		// A pull without a semicolon is left to yosys.
		stop := strings.IndexByte(code[end:], ';')
		if stop < 0 {
			return end
		}

		// The guard around it goes too.
		stop += end
		from, behind := guarded(code, at, stop+1)
		b.WriteString(keepLines(code[done:from], string(text[done:from])))
		b.WriteString(keepLines(code[from:at], ""))
		y.pullsIn(&b, w, code[end:stop])
		b.WriteString(";" + keepLines(code[stop+1:behind], ""))
		done, y.hasPulls = behind, true
		return behind
	})
	if done == 0 {
		return text, false
	}
	b.WriteString(string(text[done:]))
	return []byte(b.String()), true
}

// pullsIn writes an instance for each pull of a list: name(net), name(net).
func (y *session) pullsIn(b *strings.Builder, kind, list string) {
	b.WriteString("etch$" + kind)
	sep := " "
	for at := 0; at < len(list); at++ {
		b.WriteString(strings.Repeat("\n", strings.Count(list[at:at+1], "\n")))
		if list[at] != '(' {
			continue
		}

		// A list of pulls: each parenthesis is an instance, except a strength.
		end := afterCall(list, at)
		if end == at {
			return
		}
		inside := list[at:end]
		b.WriteString(strings.Repeat("\n", strings.Count(inside[:len(inside)-1], "\n")))
		at = end - 1
		if isStrength(inside) {
			continue
		}
		y.pullCount++
		fmt.Fprintf(b, "%s\\etch$pull$%d %s", sep, y.pullCount, strings.ReplaceAll(inside, "\n", " "))
		sep = ", "
	}
}

// isStrength reports whether parentheses hold a strength of a primitive.
func isStrength(s string) bool {
	for _, w := range []string{"supply", "strong", "pull", "weak"} {
		if strings.HasPrefix(strings.TrimLeft(s, "( \t\n"), w) {
			return strings.ContainsAny(s, "01")
		}
	}
	return false
}

// startsStatement reports whether an item of a module may begin behind a text.
func startsStatement(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return before == "" || strings.HasSuffix(before, ";") || strings.HasPrefix(strings.TrimSpace(line), "`") ||
		strings.HasSuffix(before, "end") || strings.HasSuffix(before, "begin") || strings.HasSuffix(before, ")")
}

// guarded widens code[from:to] by the lines `ifndef SYNTHESIS and `endif around it.
func guarded(code string, from, to int) (int, int) {
	before := strings.TrimRight(code[:from], " \t\r\n")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	behind := strings.TrimLeft(code[to:], " \t\r\n")
	if strings.Join(strings.Fields(line), " ") == "`ifndef SYNTHESIS" && strings.HasPrefix(behind, "`endif") {
		return len(before) - len(line), len(code) - len(behind) + len("`endif")
	}
	return from, to
}

// keepLines is a text, or as many empty lines as code has.
func keepLines(code, text string) string {
	if text != "" {
		return text
	}
	return strings.Repeat("\n", strings.Count(code, "\n"))
}

// pullFile adds the black boxes for pulls to the input of yosys.
func (y *session) pullFile() error {
	if !y.hasPulls {
		return nil
	}
	path := filepath.Join(y.dir, "pulls.v")
	y.inputs = append(y.inputs, input{path: path, file: path})
	return os.WriteFile(path, []byte(pullModules), 0o666)
}
