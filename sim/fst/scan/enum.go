package scan

import (
	"strconv"
	"strings"
)

// Enum is a table of names for the values of variables.
type Enum struct {
	Name  string
	Names map[string]string // by value, which is digits of 0 and 1 as in a Change
}

// Attributes of enumerations.
const (
	attributeMisc = 0
	miscEnum      = 7
)

// enums are the tables so far, by their numbers, and the table of the next variable.
type enums struct {
	tables map[uint64]*Enum
	next   *Enum
}

// attribute notes a table or, without text, the number of the table that the next variable has.
func (e *enums) attribute(text string, number uint64) {
	if text == "" {
		e.next = e.tables[number]
		return
	}

	if e.tables == nil {
		e.tables = map[uint64]*Enum{}
	}
	e.tables[number] = enumOf(text)
}

// taken is the table of a variable.
func (e *enums) taken() *Enum {
	x := e.next
	e.next = nil
	return x
}

// enumOf reads a table: its name, the number of its names, the names and their values, between blanks.
// A text that is no such list gives nil: values without names are shown as they are.
func enumOf(text string) *Enum {
	words := strings.Fields(text)
	if len(words) < 2 {
		return nil
	}

	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || n > len(words) || len(words) != 2+2*n {
		return nil
	}

	x := &Enum{Name: words[0], Names: make(map[string]string, n)}
	for i, name := range words[2 : 2+n] {
		x.Names[words[2+n+i]] = unescape(name)
	}
	return x
}

// unescape undoes the escapes of C in a word: a backslash before three octal digits or before the
// character that is meant.
func unescape(word string) string {
	if !strings.Contains(word, `\`) {
		return word
	}

	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] != '\\' || i+1 == len(word) {
			b.WriteByte(word[i])
			continue
		}

		// Octal digits before single characters: \1 alone is the digit.
		if i+3 < len(word) {
			if c, err := strconv.ParseUint(word[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		i++
		b.WriteByte(word[i])
	}
	return b.String()
}
