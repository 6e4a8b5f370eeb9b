package cli

import (
	"io"
	"os"
	"regexp"
	"strings"
)

// Terminal reports whether w is a terminal. Only there a command may rewrite a line.
func Terminal(w io.Writer) bool { return terminal(w) }

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && f != nil && isTerminal(f)
}

// characterDevice is the test for a terminal where the system is not asked: a character device
// other than the null device.
func characterDevice(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// coloured reports whether messages on w have colours: on a terminal, unless it is a dumb one or
// the user has set NO_COLOR to anything but the empty text (https://no-color.org).
func coloured(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

var (
	// caretLine matches the line of a message that points into the source line above it, behind
	// the bar that both have in front.
	caretLine = regexp.MustCompile(`(?m)^(\s*\|?\s*)(\^~*)[ \t]*$`)
	// severity matches the word of a message that says how bad it is, at its begin or behind the
	// name of the command or a position.
	severity = regexp.MustCompile(`(?m)(^|: )((?:\d+ )?(?:errors?|warnings?))([:;])`)
)

// ANSI codes of the colours. Bold ones are legible on a light and on a dark ground.
const (
	boldRed    = "\x1b[1;31m"
	boldGreen  = "\x1b[1;32m"
	boldYellow = "\x1b[1;33m"
	plainAgain = "\x1b[0m"
)

// painted is the text of a message for w: where it may have colours, carets are green, the word
// error red and the word warning yellow.
func painted(w io.Writer, text string) string {
	if !coloured(w) {
		return text
	}
	return paint(text)
}

// paint is painted for a terminal with colours.
func paint(text string) string {
	// Carets stand on lines of their own, so that the words of other lines are left alone.
	text = caretLine.ReplaceAllString(text, "${1}"+boldGreen+"${2}"+plainAgain)
	return severity.ReplaceAllStringFunc(text, func(found string) string {
		m := severity.FindStringSubmatch(found)
		colour := boldRed
		if strings.Contains(m[2], "warning") {
			colour = boldYellow
		}
		return m[1] + colour + m[2] + plainAgain + m[3]
	})
}
