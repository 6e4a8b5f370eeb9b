package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"sort"
	"strings"
)

// Flags is a flag set whose errors are usage errors and whose flags may stand
// before and after positional arguments.
type Flags struct {
	*flag.FlagSet
	given Values
	// parameters lists those that -p sets, for the help of a command without a design; nil for none.
	parameters func() []Param
	err        io.Writer           // where progress goes
	words      map[string][]string // by flag: its values, where they are words
}

// NewFlags makes an empty set of flags. Parsing returns its errors and prints nothing.
func NewFlags(command string, out Output) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError), given: Values{}}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.err = out.Err
	return f
}

// helpRequest is the error of -h. It holds the flags for the help text.
type helpRequest struct{ flags *Flags }

// Error is the text of flag.ErrHelp.
func (h *helpRequest) Error() string { return flag.ErrHelp.Error() }

// Unwrap returns flag.ErrHelp.
func (h *helpRequest) Unwrap() error { return flag.ErrHelp }

// count is the number of flags.
func (f *Flags) count() (n int) {
	f.VisitAll(func(*flag.Flag) { n++ })
	return n
}

// Values adds the repeatable flag -p name=value.
func (f *Flags) Values() Values {
	f.Func("p", "parameter of the design, `name=value`; may be repeated", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("%q is not name=value", s)
		}
		if _, twice := f.given[name]; twice {
			return fmt.Errorf("parameter %s is given twice", name)
		}
		f.given[name] = value
		return nil
	})
	return f.given
}

// Words has the shell complete the values of a flag, which are words.
func (f *Flags) Words(flag string, words ...string) {
	if f.words == nil {
		f.words = map[string][]string{}
	}
	f.words[flag] = words
}

// Parameters has the help of the command list parameters that -p sets.
func (f *Flags) Parameters(list func() []Param) { f.parameters = list }

// list adds a flag that may be repeated, each time with a word or, for pairs, NAME=VALUE.
func (f *Flags) list(name, doc string, to *[]string, pair bool) {
	f.Func(name, doc, func(s string) error {
		if pair && !strings.Contains(s, "=") {
			return fmt.Errorf("%q has no =", s)
		}
		*to = append(*to, s)
		return nil
	})
}

// rest parses args and returns the positional ones.
func (f *Flags) rest(args []string) (found []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, &helpRequest{f}
			}
			return nil, usagef("%v", err)
		}

		// Package flag stops at the first positional argument: it is taken out, and parsing goes on behind it.
		if f.NArg() == 0 {
			return found, nil
		}
		found, args = append(found, f.Arg(0)), f.Args()[1:]
	}
}

// Positional parses args and returns the positional ones, of which there must be
// as many as names. Names in brackets, which come last, may be left out.
func (f *Flags) Positional(args []string, names ...string) ([]string, error) {
	found, err := f.rest(args)
	switch {
	case err != nil:
		return nil, err
	case len(found) < len(names) && !strings.HasPrefix(names[len(found)], "["):
		return nil, usagef("%s is missing", names[len(found)])
	case len(found) > len(names):
		return nil, usagef("what is %q?", found[len(names)])
	}
	return found, nil
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
