package input

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest bounds an excerpt of the input in a message, in bytes.
const longest = 80

// longestMessage bounds a whole message, in bytes.
const longestMessage = 2000

// Excerpt is a piece of the input for a message: shortened if it is long, quoted if it is
// empty or has characters that a terminal would not show.
func Excerpt(s string) string {
	// Cut at a whole character, unless the text is not UTF-8 at all.
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

// Message bounds a message that may quote the input: the middle of a long one is left out,
// unprintable characters are escaped. Line breaks stay.
func Message(s string) string {
	if len(s) > longestMessage {
		const end = longestMessage / 4
		s = s[:longestMessage-end] + " … " + s[len(s)-end:]
	}
	// Nearly all messages are plain ASCII.
	if plain(s) {
		return s
	}

	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		switch {
		// Bytes that are no UTF-8, and characters without a glyph.
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
