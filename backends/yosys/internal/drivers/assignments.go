package drivers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

var verilogToken = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|\\\S+|[A-Za-z_$` + "`" + `][\w$]*|<=|==|[0-9]+|\S|\n`)

// assignments returns the places in the text of a module where a net is assigned to, as
// file:line. It splits the text into words only, without a grammar: macros and generate
// blocks may be anything. A name counts if it stands where a statement or a declaration may
// begin, or in a concatenation there, and = or <= follows.
func assignments(m *ilModule, net string) (places []string) {
	file, from, to := attribute.Span(m.attrs)
	net = net[strings.LastIndexByte(net, '.')+1:] // of a named block
	lines := strings.SplitAfter(string(attribute.Uncommented(file)), "\n")
	if from == 0 || from > len(lines) {
		return nil
	}
	words := verilogToken.FindAllString(strings.Join(lines[from-1:min(max(to, from), len(lines))], ""), -1)

	line, paren := from, 0
	before := ";" // the last word
	var open []opened
	for i, w := range words {
		switch w {
		case "\n":
			line++
			continue
		case "(":
			paren++
		case ")":
			paren--
		case "{":
			open = append(open, opened{starts(before), len(places)})
		case "}":
			if n := len(open) - 1; n >= 0 {
				// Names in a concatenation count if the concatenation is assigned to.
				if !isAssigned(words[i+1:]) || !open[n].starts {
					places = places[:min(len(places), open[n].places)]
				}
				open = open[:n]
			}
		case net, `\` + net:
			// Inside a concatenation, the closing brace decides later.
			inside := len(open) > 0
			if paren == 0 && (inside || starts(before) && isAssigned(words[i+1:])) {
				places = append(places, fmt.Sprintf("%s:%d", file, line))
			}
		}
		before = w
	}
	return slices.Compact(places)
}

// opened is a concatenation on its way.
type opened struct {
	starts bool
	places int
}

// starts reports whether a statement or a declared name may follow a word: not an
// operator, nor a bracket that opens an operand.
func starts(before string) bool {
	switch c := before[0]; {
	case c == ';' || c == ')' || c == ']' || c == ',' || c == ':':
		return true
	default:
		return c == '`' || c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
}

// isAssigned reports whether = or <= follows, behind indices.
func isAssigned(words []string) bool {
	depth := 0
	for _, w := range words {
		switch {
		case w == "\n":
		case w == "[":
			depth++
		case w == "]":
			depth--
		case depth > 0:
		default:
			return w == "=" || w == "<="
		}
	}
	return false
}

// comparePlaces orders places by file, then line.
func comparePlaces(a, b string) int {
	i, j := strings.LastIndexByte(a, ':'), strings.LastIndexByte(b, ':')
	if c := strings.Compare(a[:max(i, 0)], b[:max(j, 0)]); c != 0 {
		// Lines compare as numbers: a.v:9 comes before a.v:10.
		return c
	}
	x, _ := strconv.Atoi(a[i+1:])
	z, _ := strconv.Atoi(b[j+1:])
	return cmp.Compare(x, z)
}
