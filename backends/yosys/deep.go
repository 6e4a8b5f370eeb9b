package yosys

import (
	"errors"
	"regexp"
	"strings"

	"etch/backends/yosys/internal/cells"
)

// yosys counts the words of a memory up to 2^30: with more it does not end, or it fails
// from 2^31 on. Addresses and ports have no such limit. So a memory of more words is read
// as one of 2^30, with its true bounds in attributes, which package cells takes for its
// size. Only files in which yosys has failed so, or that have a bound of ten digits, are
// changed.

// errDeep says that a memory has more words than yosys can count.
var errDeep = errors.New("a memory of 2^31 words or more, and yosys counts up to 2^30")

// deepError is the error of yosys at such a memory.
type deepError struct{ error }

func (deepError) Is(err error) bool { return err == errDeep }

// deepest is the last word that yosys can count.
const deepest = "1073741823"

var (
	// memoryItem is a declaration of one memory with one pair of bounds. Declarations of
	// several names are left as they are, since an attribute belongs to all of them.
	memoryItem = regexp.MustCompile(`\b(?:reg|logic)\b(?:\s+(?:un)?signed\b)?(?:\s*\[[^\[\]]*\])*\s*[A-Za-z_][\w$]*\s*\[([^\[\]:]*):([^\[\]:]*)\]\s*;`)
	manyDigits = regexp.MustCompile(`\b[0-9_]{10,}\b`)
	// beforeItem ends the text in front of a declaration that may have an attribute.
	beforeItem = regexp.MustCompile(`(?:^|[;)]|\b(?:begin|end|endcase|endfunction|endtask|endgenerate|generate|else)\b(?:\s*:\s*\w+)?)\s*$`)
)

// deep bounds the memories of a file for yosys: all of them, or memories with a bound of
// ten digits. It reports whether it has changed the text.
func deep(text []byte, all bool) ([]byte, bool) {
	code, changed := codeOf(string(text)), false
	out := strings.Builder{}
	from := 0
	for _, m := range memoryItem.FindAllStringSubmatchIndex(code, -1) {
		left, right := strings.TrimSpace(code[m[2]:m[3]]), strings.TrimSpace(code[m[4]:m[5]])
		bounds := code[m[2]:m[5]]

		// An attribute needs a place at which an item may begin, and bounds that can be copied into
		// it.
		if !all && !manyDigits.MatchString(bounds) || !beforeItem.MatchString(code[:m[0]]) || strings.ContainsAny(bounds, "\n`?\"") {
			continue
		}

		// All stays on its line, for the places of errors.
		out.Write(text[from:m[0]])
		out.WriteString("(* " + cells.LeftBound + " = (" + left + "), " + cells.RightBound + " = (" + right + ") *) ")
		out.Write(text[m[0]:m[2]])
		out.WriteString(counted(left) + ":" + counted(right))
		from, changed = m[5], true
	}
	if !changed {
		return text, false
	}
	out.Write(text[from:])
	return []byte(out.String()), true
}

// counted is a bound that yosys can count to.
func counted(bound string) string {
	return "((" + bound + ") > " + deepest + " ? " + deepest + " : (" + bound + "))"
}
