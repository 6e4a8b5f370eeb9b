package yosys

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/backends/yosys/internal/cells"
	"etch/ir"
)

var (
	errorLine  = regexp.MustCompile(`(?m)^(?:(.*?:\d+): )?ERROR: (.*)$`)
	noModule   = regexp.MustCompile("^Module `\\\\?([^']*)' referenced in module `\\\\?([^']*)' in cell `\\\\?([^']*)' is not part of the design")
	noPort     = regexp.MustCompile("^Module `\\\\?([^']*)' referenced in module `\\\\?([^']*)' in cell `\\\\?([^']*)' does not have a port named '([^']*)'")
	noTop      = regexp.MustCompile("^Module `\\\\?([^']*)' not found")
	noParam    = regexp.MustCompile("^Can't find object for defparam `\\\\?([^`']*)[`']")
	noValue    = regexp.MustCompile("^Can't decode value '(.*)'")
	noFile     = regexp.MustCompile("^Can't open include file `([^']*)'")
	noContents = regexp.MustCompile("^Can not open file [`']([^`']*)[`'] for")
	noTask     = regexp.MustCompile("^Can't resolve task name `\\\\?([^']*)'")
	manyWords  = regexp.MustCompile("^Assert `[^']*size >= 0' failed")
	systemTask = regexp.MustCompile("^System task `([^']*)' (.*)")
	manyEdges  = regexp.MustCompile("^Multiple edge sensitive events found")
	edgeList   = regexp.MustCompile(`always\s*@\s*\([^)]*edge\b[^)]*edge\b[^)]*\)`)
	firstIf    = regexp.MustCompile(`^\s*(?:begin\b\s*(?::\s*\w+\s*)?)?if\s*(\([^;]*?\)[^;]*?)[;=]`)
	tokenName  = regexp.MustCompile(`TOK_[A-Z_]+`)
	readLine   = regexp.MustCompile(`(?m)^read_verilog (-defer )?(-sv )?`)
)

// tokenNames are the tokens of yosys's parser in words.
var tokenNames = map[string]string{"TOK_ID": "a name", "TOK_CONSTVAL": "a number", "TOK_STRING": "a text", "TOK_BASE": "a number", "TOK_BASED_CONSTVAL": "a number"}

// explain makes one error of yosys's output for a script: the place, the mistake, and a
// remedy where one is known.
func (y *session) explain(script, text string, err error) error {
	// Without an error line, the end of the output tells most.
	m := errorLine.FindStringSubmatch(text)
	if m == nil {
		text = strings.TrimSpace(text)
		if text == "" {
			return fmt.Errorf("%s: yosys: %w", y.src.files(), err)
		}
		return fmt.Errorf("%s: yosys: %w: %s", y.src.files(), err, text[max(0, len(text)-400):])
	}

	// The last line that yosys marks as an error has the place, if it is known.
	place, what := strings.TrimSuffix(m[1], ":0"), strings.TrimRight(strings.TrimSpace(m[2]), "!.")
	if place != m[1] {
		place = "" // the line was not known
	}

	// yosys gives no place for these two, but the cell has one.
	if n := noModule.FindStringSubmatch(what); n != nil {
		return fmt.Errorf("%sinstance %s: module %s is not defined", y.placeOf(n[3], n[1]), n[3], n[1])
	}
	if n := noPort.FindStringSubmatch(what); n != nil {
		return fmt.Errorf("%sinstance %s: module %s has no port %s", y.placeOf(n[3], n[1]), n[3], n[1], n[4])
	}

	// The remedy follows the mistake.
	hint, tooDeep := "", manyWords.MatchString(what)
	place, what, hint = y.reword(place, what)
	if h := y.otherLanguage(script, place); h != "" {
		hint = h
	}
	if hint != "" {
		what += ": " + hint
	}
	if place == "" {
		place = y.src.files()
	}
	if tooDeep {
		return deepError{fmt.Errorf("%s: %s", place, what)}
	}
	return fmt.Errorf("%s: %s", place, what)
}

// reword finds places that yosys does not give, and adds the remedy.
func (y *session) reword(place, what string) (at, text, hint string) {
	find := func(pattern string) string {
		if place != "" {
			return place
		}
		return y.search(regexp.MustCompile(pattern))
	}

	// Names that are not defined.
	if n := noTop.FindStringSubmatch(what); n != nil {
		return place, "there is no module " + n[1], ""
	}

	if n := noParam.FindStringSubmatch(what); n != nil {
		if slices.ContainsFunc(y.src.Params, func(p ir.Param) bool { return p.Name == n[1] }) {
			return place, fmt.Sprintf("module %s has no parameter %s", y.src.Top, n[1]), ""
		}
		return find(`#\s*\([^;]*\.` + regexp.QuoteMeta(n[1]) + `\s*\(|defparam\s[^;]*\b` + regexp.QuoteMeta(n[1]) + `\b`), "there is no parameter " + n[1], ""
	}

	if n := noValue.FindStringSubmatch(what); n != nil {
		return place, fmt.Sprintf("%s is no value of a parameter", n[1]), "write it as Verilog does, as in 8, 4'b0101 or \"text\""
	}

	// Files that are not found.
	if n := noFile.FindStringSubmatch(what); n != nil {
		return y.search(regexp.MustCompile("`include\\s*\"" + regexp.QuoteMeta(n[1]) + `"`)), "file " + n[1] + " was not found", "name its folder (-include)"
	}

	if n := noContents.FindStringSubmatch(what); n != nil {
		return find(`\$readmem[hb]\b`), "file " + n[1] + " was not found", "yosys looks for it from the current folder"
	}

	// Constructs that yosys does not know.
	if n := noTask.FindStringSubmatch(what); n != nil {
		return find(`\b` + regexp.QuoteMeta(n[1]) + `\b`), "there is no task " + n[1], ""
	}

	if n := systemTask.FindStringSubmatch(what); n != nil {
		return find(regexp.QuoteMeta(n[1]) + `\b`), "yosys cannot read " + n[1] + " here (" + n[2] + ")", "put it between `ifndef SYNTHESIS and `endif"
	}

	if manyEdges.MatchString(what) {
		return y.edgeBlock(), "an always block with several edges, of which it cannot be told which is the clock and which resets",
			"ask for what resets first, as in: always @(posedge clk or posedge rst) if (rst) … else …"
	}

	if manyWords.MatchString(what) {
		return place, errDeep.Error(), "declare it by itself, with one pair of bounds, or make words wider"
	}

	// Syntax errors name tokens of the parser.
	what = tokenName.ReplaceAllStringFunc(what, func(t string) string {
		if n, ok := tokenNames[t]; ok {
			return n
		}
		return strings.ToLower(strings.TrimPrefix(t, "TOK_"))
	})
	return place, what, ""
}

// search is the first place in the files where a pattern stands outside of
// comments, "" when it does not.
func (y *session) search(pattern *regexp.Regexp) string {
	for _, f := range y.src.Files {
		text := attribute.Uncommented(f)
		if at := pattern.FindIndex(text); at != nil {
			return placeIn(f, text, at[1])
		}
	}
	return ""
}

// placeIn is the line of a text at which an index is.
func placeIn(file string, text []byte, at int) string {
	return fmt.Sprintf("%s:%d", file, 1+bytes.Count(text[:at], []byte("\n")))
}

// edgeBlock returns file:line of an always block with several edges whose first if tests
// none of their signals: yosys cannot tell clock from reset there. "" without one.
func (y *session) edgeBlock() string {
	for _, f := range y.src.Files {
		text := attribute.Uncommented(f)
		all := edgeList.FindAllIndex(text, -1)
		for i, at := range all {
			// The body reaches to the next always block with several edges.
			body := text[at[1]:]
			if i+1 < len(all) {
				body = text[at[1]:all[i+1][0]]
			}
			asks := func(name string) bool {
				m := firstIf.FindSubmatch(body)
				return m != nil && slices.Contains(attribute.Identifiers(string(m[1])), name)
			}
			if !slices.ContainsFunc(attribute.Identifiers(string(text[at[0]:at[1]])), asks) {
				return placeIn(f, text, at[0])
			}
		}
	}
	return ""
}

// otherLanguage says when files are SystemVerilog and not named so, or more of it
// than yosys reads.
func (y *session) otherLanguage(script, place string) string {
	file, _, _ := strings.Cut(place, ":")
	if isSystem(file) {
		return "yosys reads a part of SystemVerilog: sv2v makes Verilog of the rest"
	}
	var plain []string
	for _, f := range y.src.Files {
		if !isSystem(f) {
			plain = append(plain, f)
		}
	}
	if len(plain) == 0 {
		return ""
	}

	// Try the same script with the files read as SystemVerilog.
	name := filepath.Join(y.dir, "system.ys")
	sv := readLine.ReplaceAllString(script, "read_verilog ${1}-sv ")
	if os.WriteFile(name, []byte(sv), 0o666) != nil || y.command(name).Run() != nil {
		return ""
	}
	if slices.Contains(plain, file) {
		return "this is SystemVerilog: name the file " + strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".sv"
	}
	return "this is SystemVerilog: name the file .sv"
}

// placeOf finds where a cell is, which yosys does not say: it lets it read the
// files without looking further. "" when it is not found.
func (y *session) placeOf(cellName, kind string) string {
	var b strings.Builder
	out := filepath.Join(y.dir, "parsed.json")
	if y.readFiles(&b) != nil {
		return ""
	}

	// Deferred modules would not be written.
	script := strings.ReplaceAll(b.String(), " -defer", "") + "write_json " + quoted(out) + "\n"
	name := filepath.Join(y.dir, "parsed.ys")
	if os.WriteFile(name, []byte(script), 0o666) != nil || y.command(name).Run() != nil {
		return ""
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return ""
	}

	return cells.Place(string(text), cellName, kind)
}
