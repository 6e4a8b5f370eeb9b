package attribute

import (
	"bytes"
	"os"
	"regexp"
	"strings"
)

// MaxText bounds the Verilog that is looked at.
const MaxText = 64 << 20

// Lines returns the lines of a Verilog file; none if it is not a file, or too large.
func Lines(name string) []string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > MaxText {
		return nil
	}
	all, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return strings.Split(string(all), "\n")
}

var (
	comment    = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	identifier = regexp.MustCompile(`[A-Za-z_][\w$]*`)
)

// Identifiers returns the words of a text that may be names, in order.
func Identifiers(text string) []string { return identifier.FindAllString(text, -1) }

// Joined returns a piece of Verilog with a blank in place of each comment.
func Joined(text string) string { return comment.ReplaceAllString(text, " ") }

// Uncommented is the text of a file with its lines where they are; nil when it
// cannot be read.
func Uncommented(file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return comment.ReplaceAllFunc(text, func(c []byte) []byte {
		// Line ends stay, so that line numbers hold.
		return bytes.Repeat([]byte("\n"), bytes.Count(c, []byte("\n")))
	})
}
