package input

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how much of a piece of the input stands in a message, in bytes.
const longest = 80

// longestMessage bounds a whole message, in bytes.
const longestMessage = 2000

// Excerpt is a piece of the input for a message: cut if it is long, quoted if it is
// empty or has characters that a terminal would not show.
func Excerpt(s string) string {
	cut, more := s, ""
	if len(s) > longest {
		cut, more = strings.ToValidUTF8(s[:longest], ""), "…"
		if cut == "" {
			cut = s[:longest]
		}
	}
	for _, c := range cut {
		if !unicode.IsGraphic(c) || c == utf8.RuneError {
			return strconv.QuoteToGraphic(cut) + more
		}
	}
	if s == "" {
		return `""`
	}
	return cut + more
}

// Message bounds a message that may repeat the input: cut in the middle if it is
// long, what a terminal would not show escaped. Its lines stay lines.
func Message(s string) string {
	if len(s) > longestMessage {
		const end = longestMessage / 4
		s = s[:longestMessage-end] + " … " + s[len(s)-end:]
	}
	if plain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		switch {
		case c == utf8.RuneError && n == 1, c != '\n' && !unicode.IsGraphic(c):
			quoted := strconv.QuoteToGraphic(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' || c > '~' {
			return false
		}
	}
	return true
}
