package hw_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"etch/hw"
	"etch/ir"
)

// Mistakes are tested where they are made. A comment
//
//	// want "text [code]" note "text"@place via place
//
// says that the line causes exactly this diagnostic: its text has the first
// string in it, a note the second and stands at the line marked // at place, and
// the user's callers are the lines of the places after via, innermost first. A
// line may want several.
type mistake struct {
	name string
	body func(m *hw.Module, p pins)
}

func build[P any](c hw.Component[P], opts ...hw.Option) error {
	_, _, err := hw.Build(c, opts...)
	return err
}

func errorsOf(t testing.TB, err error) hw.Errors {
	var all hw.Errors
	if err != nil && !errors.As(err, &all) {
		t.Fatalf("not an hw.Errors: %v", err)
	}
	return all
}

// want is one expected diagnostic.
type want struct {
	line  string // file:line
	text  string
	notes []wantNote
	via   []string
	met   bool
}

type wantNote struct{ text, place string }

var word = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|@\\S+|\\S+")

// wants reads the comments of mistake_*_test.go.
func wants(t testing.TB) (all []*want, places map[string]string) {
	places = map[string]string{}
	files, err := filepath.Glob("mistake_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			where := fmt.Sprintf("%s:%d", file, i+1)
			_, comment, ok := strings.Cut(line, "// at ")
			if ok {
				name, rest, _ := strings.Cut(comment, " ")
				if places[name] != "" {
					t.Fatalf("%s: place %s is marked twice", where, name)
				}
				places[name], line = where, rest
			}
			if _, comment, ok := strings.Cut(line, "// want "); ok {
				all = append(all, parseWants(t, where, comment)...)
			}
		}
	}
	return all, places
}

func parseWants(t testing.TB, where, comment string) (all []*want) {
	words := word.FindAllString(comment, -1)
	str := func(i int) string {
		if i >= len(words) {
			t.Fatalf("%s: a string is missing", where)
		}
		s, err := strconv.Unquote(words[i])
		if err != nil {
			t.Fatalf("%s: %s: %v", where, words[i], err)
		}
		return s
	}
	for i := 0; i < len(words); i++ {
		switch last := len(all) - 1; words[i] {
		case "note":
			i++
			n := wantNote{text: str(i)}
			if i+1 < len(words) && words[i+1][0] == '@' {
				i++
				n.place = words[i][1:]
			}
			all[last].notes = append(all[last].notes, n)
		case "via":
			i++
			all[last].via = append(all[last].via, words[i])
		default:
			all = append(all, &want{line: where, text: str(i)})
		}
	}
	return all
}

func lineOf(l ir.Location) string {
	if l.Line == 0 {
		return "nowhere"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
}

// meets reports whether d is what w wants, or why not.
func (w *want) meets(d *hw.Diag, places map[string]string) string {
	if !strings.Contains(fmt.Sprintf("%s [%s]", d.Msg, d.Code), w.text) {
		return "another text"
	}
notes:
	for _, n := range w.notes {
		for _, have := range d.Notes {
			if strings.Contains(have.Msg, n.text) && (n.place == "" || lineOf(have.Pos) == places[n.place]) {
				continue notes
			}
		}
		return fmt.Sprintf("no note %q at %s (%s)", n.text, n.place, places[n.place])
	}
	var via, have []string
	for _, place := range w.via {
		via = append(via, places[place])
	}
	for _, l := range d.Via {
		have = append(have, lineOf(l))
	}
	if strings.Join(via, " ") != strings.Join(have, " ") {
		return fmt.Sprintf("called from %v, want %v", have, via)
	}
	return ""
}

// TestMistakes runs every case and compares what is reported with the comments.
func TestMistakes(t *testing.T) {
	all, places := wants(t)
	codes := map[string]bool{}
	for _, c := range mistakes() {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range errorsOf(t, c.err()) {
				if codes[d.Code] = true; !c.many {
					match(t, all, places, d)
				}
			}
		})
	}
	for _, w := range all {
		if !w.met {
			t.Errorf("%s: not reported: %s", w.line, w.text)
		}
	}
	codes["unused"] = true // of warnings, see TestWarnings
	for code := range hw.Codes {
		if !codes[code] {
			t.Errorf("code %s has no case", code)
		}
	}
	for code := range codes {
		if hw.Codes[code] == "" {
			t.Errorf("code %s is not in Codes", code)
		}
	}
}

func match(t *testing.T, all []*want, places map[string]string, d hw.Diag) {
	var why []string
	for _, w := range all {
		if w.line != lineOf(d.Pos) || w.met {
			continue
		}
		miss := w.meets(&d, places)
		if miss == "" {
			w.met = true
			return
		}
		why = append(why, miss)
	}
	t.Errorf("not wanted (%s): %v", strings.Join(why, "; "), d)
}

// failing is a case as it is run.
type failing struct {
	name string
	err  func() error
	many bool // too many to write down
}

func mistakes() (all []failing) {
	for _, list := range [][]mistake{valueMistakes, driveMistakes, formMistakes, moduleMistakes, wordMistakes, pastMistakes, attrMistakes} {
		for _, c := range list {
			all = append(all, failing{name: c.name, err: func() error { return build(dut(c.body)) }})
		}
	}
	return append(append(append(all, padFailures()...), componentMistakes...), crossingMistakes...)
}
