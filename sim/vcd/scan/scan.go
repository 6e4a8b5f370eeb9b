package scan

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds on the declarations of a file, which are held in memory.
const (
	MaxVars  = 1 << 19 // variables, and scopes
	MaxText  = 1 << 26 // bytes of the declarations
	MaxWidth = 1 << 20 // bits of a variable, and bytes of any word but its letter
	maxDepth = 1 << 10 // open scopes
)

// Scope is an instance, a block or a function that holds variables.
type Scope struct {
	Kind, Name string
	Parent     int // index into Scopes, -1 at the top
}

// Var is a declared variable.
type Var struct {
	Scope int    // index into Scopes, -1 outside of all
	Kind  string // as written: wire, reg, integer, real, string, ...
	Name  string
	Range string // as in "[7:0]", "" where none stands apart from the name
	Width int    // bits; 0 of a text
	Net   int    // variables of equal Net always have equal values
}

// Change is a new value of a net.
type Change struct {
	Time  uint64 // in units of Scale
	Net   int
	Value []byte // valid until the next call of Next
}

// form is the notation of a net's values.
type form byte

const (
	digits form = iota
	float
	text
)

// net is the form and width of an identifier's values.
type net struct {
	form  form
	width int
}

// Reader reads a file. Its fields are complete after New.
type Reader struct {
	Scale  string // as in "1ns", "" where the file has none
	Scopes []Scope
	Vars   []Var

	file  string
	in    *bufio.Reader
	line  int   // of the last byte read
	read  int64 // bytes read
	now   uint64
	nets  []net
	byID  map[string]int
	word  []byte
	value []byte
	err   error // of the last Next, which stays
}

// New reads the declarations of a dump, up to $enddefinitions. The name is for errors.
func New(file string, in io.Reader) (*Reader, error) {
	r := &Reader{file: file, in: bufio.NewReaderSize(in, 1<<16), line: 1, byID: map[string]int{}}
	if err := r.declarations(); err != nil {
		return nil, err
	}
	return r, nil
}

// Path returns a variable's name behind those of its scopes, joined by points.
func (r *Reader) Path(v Var) string {
	path := v.Name
	for s := v.Scope; s >= 0; s = r.Scopes[s].Parent {
		path = r.Scopes[s].Name + "." + path
	}
	return path
}

// resume goes on at a mark of the same dump, whose rest is in.
func (r *Reader) resume(in io.Reader, p mark) {
	r.in.Reset(in)
	r.line, r.read, r.now, r.err = p.line, p.at, p.time, nil
}

// errorf returns an error at the current line.
func (r *Reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// next reads a word into r.word; io.EOF where only blanks are left.
func (r *Reader) next() error {
	r.word = r.word[:0]
	for {
		c, err := r.in.ReadByte()
		if err == io.EOF && len(r.word) > 0 {
			return nil
		}
		if err == io.EOF {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", r.file, r.line, err)
		}
		r.read++

		// A blank ends the word. The end of a line behind a word is left for the next call,
		// so that errors about the word have its line.
		if c > ' ' {
			if len(r.word) > MaxWidth {
				return r.errorf("a word of more than %d bytes", MaxWidth)
			}
			r.word = append(r.word, c)
			continue
		}
		if len(r.word) > 0 {
			r.read--
			return r.in.UnreadByte()
		}
		if c == '\n' {
			r.line++
		}
	}
}

// skip reads up to the $end of a command.
func (r *Reader) skip(command string) error {
	start := r.line
	for {
		// The line where the command begins helps more than the last one.
		if err := r.next(); err == io.EOF {
			return r.errorf("the file ends inside the %s of line %d", command, start)
		} else if err != nil {
			return err
		}
		if string(r.word) == "$end" {
			return nil
		}
	}
}

// args returns the words up to the $end of a command of the declarations.
func (r *Reader) args(command string) (all []string, err error) {
	start := r.line
	for {
		if err := r.next(); err == io.EOF {
			return nil, r.errorf("the file ends inside the %s of line %d", command, start)
		} else if err != nil {
			return nil, err
		}
		if string(r.word) == "$end" {
			return all, nil
		}

		// Without a bound, a lost $end would take in the whole file.
		if len(all) == 64 {
			return nil, r.errorf("%s has more than 64 words: no $end?", command)
		}
		all = append(all, string(r.word))
	}
}

// declarations reads commands up to $enddefinitions.
func (r *Reader) declarations() error {
	scope, depth := -1, 0
	for {
		if err := r.next(); err == io.EOF {
			return r.errorf("the file ends before $enddefinitions: no value change dump, or cut short")
		} else if err != nil {
			return err
		}

		if r.read > MaxText {
			return r.errorf("more than %d bytes of declarations", MaxText)
		}

		// Commands without meaning here are passed over, of any length.
		command := string(r.word)
		switch command {
		case "$timescale", "$scope", "$upscope", "$var":
		case "$enddefinitions":
			return r.skip(command)
		case "$date", "$version", "$comment", "$attrbegin", "$attrend":
			if err := r.skip(command); err != nil {
				return err
			}
			continue
		default:
			return r.errorf("%.40q where a declaration should be", command)
		}

		args, err := r.args(command)
		if err != nil {
			return err
		}

		// Scopes are kept in the order of the file, each with the one around it.
		switch command {
		case "$timescale":
			r.Scale = strings.Join(args, "")
		case "$scope":
			if len(args) != 2 {
				return r.errorf("$scope has %d words, want kind and name", len(args))
			}
			if len(r.Scopes) == MaxVars || depth == maxDepth {
				return r.errorf("more than %d scopes, or %d in each other", MaxVars, maxDepth)
			}
			r.Scopes = append(r.Scopes, Scope{Kind: args[0], Name: args[1], Parent: scope})
			scope, depth = len(r.Scopes)-1, depth+1

		case "$upscope":
			if scope < 0 {
				return r.errorf("$upscope without $scope")
			}
			scope, depth = r.Scopes[scope].Parent, depth-1

		case "$var":
			if err := r.variable(scope, args); err != nil {
				return err
			}
		}
	}
}

// variable adds a variable: kind, width, identifier, name, and perhaps a range.
func (r *Reader) variable(scope int, args []string) error {
	// The words, and the form of the values.
	if len(args) < 4 {
		return r.errorf("$var has %d words, want kind, width, identifier and name", len(args))
	}

	if len(r.Vars) == MaxVars {
		return r.errorf("more than %d variables", MaxVars)
	}
	kind, id := args[0], args[2]
	n := net{}
	switch kind {
	case "real", "realtime", "real_parameter", "shortreal":
		n.form = float
	case "string":
		n.form = text
	}
	width, err := strconv.Atoi(args[1])
	if err != nil || width < 0 || width > MaxWidth || width == 0 && n.form == digits {
		return r.errorf("%s: the width %.20q is none of 1 to %d", args[3], args[1], MaxWidth)
	}

	if n.form == digits {
		n.width = width
	}

	// Variables of one identifier must agree, for a value to fit them all.
	number, ok := r.byID[id]
	if !ok {
		number = len(r.nets)
		r.byID[id] = number
		r.nets = append(r.nets, n)
	} else if r.nets[number] != n {
		return r.errorf("%s: the identifier %q is that of a variable of another width or kind", args[3], id)
	}
	r.Vars = append(r.Vars, Var{
		Scope: scope, Kind: kind, Name: args[3], Range: strings.Join(args[4:], ""), Width: width, Net: number,
	})
	return nil
}

// Next returns the next change of a net; io.EOF after the last one. An error stays.
func (r *Reader) Next() (Change, error) {
	if r.err != nil {
		return Change{}, r.err
	}
	c, err := r.change()
	r.err = err
	return c, err
}

// Time returns the last time read, which after io.EOF is the end of the run.
func (r *Reader) Time() uint64 { return r.now }

// change reads times and commands up to a change.
func (r *Reader) change() (Change, error) {
	for {
		if err := r.next(); err != nil {
			return Change{}, err
		}

		// The words around changes: $dumpvars and its like only group them.
		switch r.word[0] {
		case '#':
			t, err := strconv.ParseUint(string(r.word[1:]), 10, 64)
			if err != nil {
				return Change{}, r.errorf("%.40q is no time", r.word)
			}
			if t < r.now {
				return Change{}, r.errorf("time %d after %d", t, r.now)
			}
			r.now = t
			continue
		case '$':
			switch command := string(r.word); command {
			case "$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end":
			case "$comment", "$version", "$date":
				if err := r.skip(command); err != nil {
					return Change{}, err
				}
			default:
				return Change{}, r.errorf("%.40q where a change should be", r.word)
			}
			continue
		}
		return r.valued()
	}
}

// valued reads the change that r.word begins.
func (r *Reader) valued() (Change, error) {
	// A digit has the identifier behind it in the same word, all else in the next one.
	var got form
	id := r.word
	switch r.word[0] {
	case 'b', 'B', 'r', 'R', 's', 'S':
		switch r.word[0] {
		case 'r', 'R':
			got = float
		case 's', 'S':
			got = text
		}
		r.value = append(r.value[:0], r.word[1:]...)
		if err := r.next(); errors.Is(err, io.EOF) {
			return Change{}, r.errorf("the file ends between a value and its identifier")
		} else if err != nil {
			return Change{}, err
		}
		id = r.word
	default:
		r.value, id = append(r.value[:0], r.word[0]), r.word[1:]
	}

	number, ok := r.byID[string(id)]
	if !ok {
		return Change{}, r.errorf("no variable has the identifier %.40q", id)
	}

	// The value must have the form of its net.
	n := r.nets[number]
	if got != n.form {
		return Change{}, r.errorf("the value %.40q is of another kind than its variable", r.value)
	}

	switch got {
	case float:
		if _, err := strconv.ParseFloat(string(r.value), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return Change{}, r.errorf("%.40q is no real number", r.value)
		}
	case digits:
		if err := r.extend(n.width); err != nil {
			return Change{}, err
		}
	}
	return Change{Time: r.now, Net: number, Value: r.value}, nil
}

// extend checks the digits of r.value and extends them to a width.
func (r *Reader) extend(width int) error {
	if len(r.value) == 0 || len(r.value) > width {
		return r.errorf("a value of %d digits for %d bits", len(r.value), width)
	}

	// Digits become lower-case; x, z and the other values of VHDL's std_logic are digits too.
	for i, c := range r.value {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if bytes.IndexByte([]byte("01xzuwlh-"), c) < 0 {
			return r.errorf("%q is no digit of a value", c)
		}
		r.value[i] = c
	}

	// Extension as in 18.2.1: by 0 in front of 0 and 1, else by the first digit.
	fill := r.value[0]
	if fill == '1' {
		fill = '0'
	}

	short := len(r.value)
	for len(r.value) < width {
		r.value = append(r.value, fill)
	}
	if short < width {
		copy(r.value[width-short:], r.value[:short])
		for i := range r.value[:width-short] {
			r.value[i] = fill
		}
	}
	return nil
}
