package yosys

import (
	"os"
	"path/filepath"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// Files are looked over before yosys reads them: which modules there are, who uses
// them, which macros. That takes text apart into words and knows no grammar: macros
// may hide anything, so whatever is in doubt is left to yosys as it is.

// verilogText is a file.
type verilogText struct {
	file    string
	text    string
	code    string // text with blanks for comments and for the contents of strings
	modules []moduleText
	plain   bool            // modules begin and end as they should
	part    bool            // statements stand outside of modules: another file is to include it
	defines map[string]bool // macros
	uses    map[string]bool // macros that it asks for before it defines them
	outside map[string]bool // words outside of modules, in macros, and in included files
	parts   []string        // the included files that were found
}

// moduleText is a module: code[from:to], up to endmodule.
type moduleText struct {
	name     string
	from, to int
	words    map[string]bool
}

// lookOver reads a file. dirs is where included files are looked for.
func lookOver(file string, dirs []string) (*verilogText, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v := &verilogText{file: file, text: string(text), plain: true,
		defines: map[string]bool{}, uses: map[string]bool{}, outside: map[string]bool{}}
	v.code = codeOf(v.text)
	v.scan(v.text, v.code, dirs, nil)
	return v, nil
}

// codeOf returns a text of the same length without comments and without the contents
// of strings.
func codeOf(text string) string {
	b := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}

	// Quotes inside comments, and comment signs inside strings and escaped names, mean nothing.
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			end := i + 1
			for end < len(b) && b[end] != '"' && b[end] != '\n' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			blank(i+1, min(end, len(b)))
			i = end
		case b[i] == '\\': // an escaped name
			for i < len(b) && b[i] > ' ' {
				i++
			}
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '/':
			end := len(b)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
			i = end
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '*':
			end := len(b)
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				end = i + 2 + n + 2
			}
			blank(i, end)
			i = end - 1
		}
	}
	return string(b)
}

// maxIncluded bounds the depth of included files.
const maxIncluded = 20

// scan collects the modules, macros and names of a text. within is the files on the way to it, nil for
// the file itself.
func (v *verilogText) scan(text, code string, dirs []string, within []string) {
	here := within == nil
	var in *moduleText
	named := false // the name of a module comes next
	inPart, units := false, false
	eachWord(code, 0, func(w string, at int) int {
		end := at + len(w)
		switch {
		case w == "`define":
			v.define(code[:lineEnd(code, end)], end)
			end = lineEnd(code, end)

		// An included file may define macros and use modules.
		case w == "`include":
			line := text[end:lineEnd(code, end)]
			if _, name, ok := strings.Cut(line, `"`); ok {
				name, _, _ = strings.Cut(name, `"`)
				v.include(name, dirs, within)
			}
			end = lineEnd(code, end)

		case w == "`ifdef" || w == "`ifndef" || w == "`elsif":
			end = lineEnd(code, end) // that a macro is not there may be meant
		case w[0] == '`':
			if !v.defines[w[1:]] {
				v.uses[w[1:]] = true
			}

		// Only the file itself has modules that can be left out.
		case !here:
			v.word(w, nil)
		case w == "module" || w == "macromodule":
			if in != nil {
				v.plain = false
			}
			in, named = &moduleText{from: at, words: map[string]bool{}}, true

		case w == "endmodule":
			if in == nil || named {
				v.plain = false
				break
			}
			in.to = end
			v.modules, in = append(v.modules, *in), nil

		case named:
			if w != "automatic" && w != "static" {
				in.name, named = strings.TrimPrefix(w, `\`), false
			}
		default:
			v.word(w, in)
			inPart = inPart || in == nil && (w == "always" || w == "assign" || w == "initial")
			units = units || w == "interface" || w == "program" || w == "package" || w == "primitive"
		}
		return end
	})

	v.plain = v.plain && in == nil
	v.part = here && v.plain && inPart && !units && len(v.modules) == 0
}

// define collects the name of a macro, the first word of code from at on, and the words of its
// text behind it.
func (v *verilogText) define(code string, at int) {
	first := true
	eachWord(code, at, func(w string, at int) int {
		if first {
			v.defines[w], first = true, false
		} else {
			v.word(w, nil)
		}
		return at + len(w)
	})
}

func (v *verilogText) word(w string, in *moduleText) {
	w = strings.TrimPrefix(w, `\`)
	if in != nil {
		in.words[w] = true
	} else {
		v.outside[w] = true
	}
}

// include looks over an included file.
func (v *verilogText) include(name string, dirs, within []string) {
	path := v.find(name, dirs)
	if path == "" || len(within) > maxIncluded {
		return
	}

	// A file that includes itself, also through others, ends here.
	for _, p := range within {
		if p == path {
			return
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	v.parts = append(v.parts, path)
	v.scan(string(text), codeOf(string(text)), dirs, append(within, path))
}

// find is the path of an included file as yosys finds it, "" if there is none.
func (v *verilogText) find(name string, dirs []string) string {
	if name == "" {
		return ""
	}

	// The order in which yosys looks.
	try := []string{name}
	if !filepath.IsAbs(name) {
		try = append(try, filepath.Join(filepath.Dir(v.file), name))
		for _, d := range dirs {
			try = append(try, filepath.Join(d, name))
		}
	}
	for _, p := range try {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Size() <= attribute.MaxText {
			return p
		}
	}
	return ""
}

// eachWord calls f with each name, keyword, directive and system name of code from
// an index on, and goes on where f says; -1 ends it.
func eachWord(code string, from int, f func(w string, at int) int) {
	for i := from; i < len(code); {
		c := code[i]
		end := i

		// A word, an escaped name or a directive; everything else is passed over.
		switch {
		case c == '\\':
			for end < len(code) && code[end] > ' ' {
				end++
			}
			if end == i+1 { // the end of a line in a macro
				i++
				continue
			}
		case isWordByte(c) && (c < '0' || c > '9') || c == '`':
			end++
			for end < len(code) && isWordByte(code[end]) {
				end++
			}
		case c >= '0' && c <= '9' || c == '\'': // a number: its letters are no words
			end++
			for end < len(code) && (isWordByte(code[end]) || code[end] == '\'') {
				end++
			}
			i = end
			continue
		default:
			i++
			continue
		}
		if i = f(code[i:end], i); i < 0 {
			return
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// lineEnd is the end of a directive's line, which goes on behind a backslash.
func lineEnd(code string, at int) int {
	for {
		n := strings.IndexByte(code[at:], '\n')
		if n < 0 {
			return len(code)
		}
		if at += n; !strings.HasSuffix(strings.TrimRight(code[:at], " \t\r"), `\`) {
			return at
		}
		at++
	}
}
