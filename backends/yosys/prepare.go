package yosys

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// input is a file for yosys: the text it reads, and the file of the user's that errors
// name.
type input struct {
	path, file string
	dir        string // also searched for its included files
}

// prepare chooses the input of yosys: the files in an order in which macros are
// defined before they are used, without the modules that the top does not need and
// without system tasks that it does not know. Notes name the parts left out.
func (y *session) prepare() error {
	texts, err := y.lookOverAll()
	if err != nil {
		return err
	}

	// Included files are not read by themselves. Without a top there must be one module that
	// nothing uses.
	texts = y.withoutParts(ordered(texts, y.src.Defines))
	if y.src.Top == "" {
		if roots := rootsOf(texts); len(roots) == 1 {
			y.src.Top = roots[0]
		}
	}

	needed := neededBy(texts, y.src.Top)
	y.unread(texts, needed)

	// Cut out modules that are not needed, tasks and pulls. A changed text is written beside
	// the original, with the original's name for errors.
	cut := &cutter{}
	for i, v := range texts {
		in := input{path: v.file, file: v.file}
		text := []byte(v.text)

		// Each change works on the text that the one before has left, with all lines in place.
		changed, left := v.keep(text, needed)
		if changed && !left {
			continue
		}
		changed = cut.tasks(v.file, text) || changed
		text, pulls := y.pulls(text)
		text, bounded := deep(text, y.deep)
		changed = changed || pulls || bounded
		if err := readableNets(v.file, text); err != nil {
			return err
		}

		if strings.Contains(v.code, "`include") {
			in.dir = filepath.Dir(v.file)
		}

		if changed && (in.dir == "" || plain("folder", in.dir) == nil) { // else it is read as it is
			in.path = filepath.Join(y.dir, fmt.Sprint(i), filepath.Base(v.file))
			if err := in.write(text); err != nil {
				return err
			}
		} else {
			in.dir = ""
		}
		y.inputs = append(y.inputs, in)
	}

	// One note for each task, however often it was cut.
	for _, n := range cut.notes() {
		y.note(n)
	}

	return y.pullFile()
}

// lookOverAll looks over the files of the user's, which have to be regular and of bounded size.
func (y *session) lookOverAll() (texts []*verilogText, err error) {
	for _, f := range y.src.Files {
		if err := plain("file", f); err != nil {
			return nil, err
		}
		if info, err := os.Stat(f); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() || info.Size() > attribute.MaxText {
			return nil, fmt.Errorf("%s: not a file of at most %d MiB", f, attribute.MaxText>>20)
		}

		v, err := lookOver(f, y.src.Include)
		if err != nil {
			return nil, err
		}
		texts = append(texts, v)
	}
	return texts, nil
}

// write writes a text to the file that yosys reads, under the name of the user's file.
func (in input) write(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(in.path), 0o777); err != nil {
		return err
	}
	whole := fmt.Sprintf("`file_push %q\n%s\n", in.file, text)
	return os.WriteFile(in.path, []byte(whole), 0o666)
}

// readableNets refuses types of nets that yosys does not know, of which it says a
// syntax error only.
func readableNets(file string, text []byte) (err error) {
	eachWord(codeOf(string(text)), 0, func(w string, at int) int {
		if w == "tri0" || w == "tri1" || w == "trireg" {
			err = fmt.Errorf("%s: a %s cannot be read: declare a wire, with a pullup or pulldown", placeIn(file, text, at), w)
			return -1
		}
		return at + len(w)
	})
	return err
}

func (y *session) note(text string) {
	if y.src.Note != nil {
		y.src.Note(text)
	}
}

// ordered puts a file that defines a macro before the files that use it, where no file
// before them does.
func ordered(texts []*verilogText, given []string) []*verilogText {
	known := map[string]bool{}

	// Macros given by the options are known from the start.
	for _, d := range given {
		name, _, _ := strings.Cut(d, "=")
		known[name] = true
	}
	var out []*verilogText
	placed := map[*verilogText]bool{}

	// Depth first: a file comes after the files that define its macros.
	var place func(v *verilogText)
	place = func(v *verilogText) {
		if placed[v] {
			return
		}
		placed[v] = true // also on the way: files may need each other
		for _, macro := range slices.Sorted(maps.Keys(v.uses)) {
			if known[macro] || v.defines[macro] {
				continue
			}
			for _, w := range texts {
				if w.defines[macro] && !placed[w] {
					place(w)
					break
				}
			}
		}
		out = append(out, v)
		for d := range v.defines {
			known[d] = true
		}
	}
	for _, v := range texts {
		place(v)
	}
	return out
}

// withoutParts leaves out files that others include, and files of statements without a
// module, which can only be meant for that.
func (y *session) withoutParts(texts []*verilogText) []*verilogText {
	// Includes name a file by another path than the caller does: absolute paths are compared.
	parts := map[string]string{}
	for _, v := range texts {
		for _, p := range v.parts {
			if abs, err := filepath.Abs(p); err == nil {
				parts[abs] = v.file
			}
		}
	}

	// A file that stands alone is read whatever it is, so that the error is about its text.
	alone := len(texts) == 1
	return slices.DeleteFunc(texts, func(v *verilogText) bool {
		if v.part && !alone {
			y.note(fmt.Sprintf("%s is not read: its statements stand in no module", v.file))
			return true
		}
		abs, err := filepath.Abs(v.file)
		by := parts[abs]
		if err != nil || by == "" || by == v.file {
			return false
		}
		y.note(fmt.Sprintf("%s is read where %s includes it", v.file, by))
		return true
	})
}

// rootsOf is the modules that no other one names.
func rootsOf(texts []*verilogText) (roots []string) {
	for _, v := range texts {
		for _, m := range v.modules {
			used := false
			for _, w := range texts {
				used = used || w.outside[m.name]
				for _, n := range w.modules {
					used = used || n.name != m.name && n.words[m.name]
				}
			}
			if !used && !slices.Contains(roots, m.name) {
				roots = append(roots, m.name)
			}
		}
	}
	return roots
}

// neededBy is the modules that top is made of, going by words: perhaps more. nil if
// that cannot be told.
func neededBy(texts []*verilogText, top string) map[string]bool {
	byName := map[string][]*moduleText{}
	var work []string

	// Text that the scan does not understand needs everything.
	for _, v := range texts {
		if !v.plain || v.outside["bind"] || v.outside["config"] || strings.Contains(v.code, "``") {
			return nil
		}
		for i := range v.modules {
			m := &v.modules[i]
			byName[m.name] = append(byName[m.name], m)
		}
		work = append(work, slices.Collect(maps.Keys(v.outside))...)
	}
	if byName[top] == nil {
		return nil
	}

	// The closure over the words of needed modules.
	needed := map[string]bool{}
	for work = append(work, top); len(work) > 0; {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		if needed[name] || byName[name] == nil {
			continue
		}
		needed[name] = true
		for _, m := range byName[name] {
			for w := range m.words {
				work = append(work, w)
			}
		}
	}
	return needed
}

// unread says which modules are not read.
func (y *session) unread(texts []*verilogText, needed map[string]bool) {
	if needed == nil {
		return
	}
	var names []string
	for _, v := range texts {
		for _, m := range v.modules {
			if !needed[m.name] && !slices.Contains(names, m.name) {
				names = append(names, m.name)
			}
		}
	}

	// Sorted, so that the order of the files does not matter.
	slices.Sort(names)

	// Name a few of them.
	const most = 5
	switch n := len(names); {
	case n > most:
		y.note(fmt.Sprintf("%s and %d other modules are not read: %s does not need them", strings.Join(names[:most], ", "), n-most, y.src.Top))
	case n > 0:
		y.note(fmt.Sprintf("%s: not read, since %s does not need it", strings.Join(names, ", "), y.src.Top))
	}
}

// keep blanks the modules in text that are not needed, except for the macros they
// define. left is whether anything is left to read.
func (v *verilogText) keep(text []byte, needed map[string]bool) (changed, left bool) {
	if needed == nil {
		return false, true
	}
	code := []byte(v.code)
	for _, m := range v.modules {
		if needed[m.name] {
			continue
		}
		changed = true

		// Line by line, since directives inside a module may matter outside.
		for at := m.from; at < m.to; {
			end := m.to
			if n := strings.IndexByte(v.code[at:m.to], '\n'); n >= 0 {
				end = at + n + 1
			}
			if line := strings.TrimSpace(v.code[at:end]); strings.HasPrefix(line, "`") && isDirective(line) {
				end = min(lineEnd(v.code, at), m.to)
			} else {
				wipe(text[at:end])
				wipe(code[at:end])
			}
			at = end
		}
	}
	return changed, strings.TrimSpace(string(code)) != ""
}

// isDirective reports whether a line is a directive that affects later lines.
func isDirective(line string) bool {
	word := "`" + line[min(1, len(line)):]
	for i := 1; i < len(word); i++ {
		if !isWordByte(word[i]) {
			word = word[:i]
			break
		}
	}
	switch word {
	case "`define", "`undef", "`ifdef", "`ifndef", "`elsif", "`else", "`endif", "`default_nettype", "`resetall":
		return true
	}
	return false
}

// wipe makes a text blank; line ends stay, and the backslashes that join lines of a macro.
func wipe(text []byte) {
	for i, c := range text {
		if c != '\n' && !(c == '\\' && i+1 < len(text) && text[i+1] == '\n') {
			text[i] = ' '
		}
	}
}
