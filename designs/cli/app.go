package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"etch/ir/input"
)

// App is a command with designs.
type App struct {
	Name     string // for messages; "" is the program's own
	Designs  []Design
	Commands []Command // verbs beside list, export, report and explore
}

// Command is a verb.
type Command struct {
	Name  string
	Usage string // what follows the name, as in "DESIGN [-o DIR]"
	Doc   string // one line
	Run   func(app *App, args []string, out Output) error
}

// Output is where a command writes.
type Output struct {
	Out io.Writer // results
	Err io.Writer // progress and messages
}

// UsageError is a mistake in how the command was called: it exits with 2.
type UsageError struct{ Msg string }

// Error is the message.
func (e *UsageError) Error() string { return e.Msg }

func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return usagef(format, args...) }

// Main runs the command line and exits.
func Main(app App) { os.Exit(app.Run(os.Args[1:], Output{os.Stdout, os.Stderr})) }

// Run runs a command line and returns its exit code.
func (a App) Run(args []string, out Output) int {
	if a.Name == "" {
		a.Name = "etch"
	}
	commands := append([]Command{listCommand, exportCommand, reportCommand, exploreCommand}, a.Commands...)
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		a.help(commands, out)
		if len(args) == 0 {
			return 2
		}
		return 0
	}
	var names []string
	for _, c := range commands {
		if names = append(names, c.Name); c.Name == args[0] {
			return a.exit(c, c.Run(&a, args[1:], out), out)
		}
	}
	fmt.Fprintf(out.Err, "%s: no command %s%s; %s help lists them\n", a.Name, args[0], suggestion(args[0], names), a.Name)
	return 2
}

func (a App) exit(c Command, err error, out Output) int {
	var usage *UsageError
	var end *ExitError
	text := ""
	if err != nil {
		text = message(err)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(out.Out, "usage: %s %s %s\n%s\n", a.Name, c.Name, c.Usage, c.Doc)
		return 0
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(out.Err, "%s %s: %s\nusage: %s %s %s\n", a.Name, c.Name, text, a.Name, c.Name, c.Usage)
		return 2
	}
	fmt.Fprintf(out.Err, "%s %s: %s\n", a.Name, c.Name, text)
	if errors.As(err, &end) {
		return end.Code
	}
	return 1
}

// maxMessageLines bounds what is said of an error.
const maxMessageLines = 200

// message is an error's text, bounded and without control characters: it may repeat
// what was read.
func message(err error) string {
	all := strings.Split(err.Error(), "\n")
	for i := range all[:min(len(all), maxMessageLines)] {
		all[i] = input.Message(all[i])
	}
	if len(all) > maxMessageLines {
		all = append(all[:maxMessageLines], fmt.Sprintf("… and %d more lines", len(all)-maxMessageLines))
	}
	return strings.Join(all, "\n")
}

func (a App) help(commands []Command, out Output) {
	fmt.Fprintf(out.Out, "usage: %s COMMAND …\n\n", a.Name)
	for _, c := range commands {
		fmt.Fprintf(out.Out, "  %s %s\n\t%s\n", c.Name, c.Usage, c.Doc)
	}
}

// Design finds a design by name.
func (a *App) Design(name string) (Design, error) {
	var names []string
	for _, d := range a.Designs {
		if names = append(names, d.Name); d.Name == name {
			return d, nil
		}
	}
	return Design{}, usagef("no design %s%s; %s list shows all", name, suggestion(name, names), a.Name)
}

// Flags is a flag set whose errors are usage errors and whose flags may stand
// before and after positional arguments.
type Flags struct {
	*flag.FlagSet
	given Values
	help  io.Writer // where -h lists the flags
	err   io.Writer // where progress goes
}

// NewFlags makes the flags of a command.
func NewFlags(command string, out Output) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError), given: Values{}}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.help, f.err = out.Out, out.Err
	return f
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

// rest parses args and returns the positional ones.
func (f *Flags) rest(args []string) (found []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				f.SetOutput(f.help)
				f.PrintDefaults()
				return nil, err
			}
			return nil, usagef("%v", err)
		}
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

// suggestion is "; did you mean X?" for the nearest known names, or a list of all
// when nothing is near.
func suggestion(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return near
	}
	if len(known) > 0 && len(known) <= maxListed {
		return "; there are " + strings.Join(known, ", ")
	}
	return ""
}

// Suggestion is suggestion for messages of a design's own commands: it may be added
// to an error about a name that is not known.
func Suggestion(name string, known []string) string { return suggestion(name, known) }

// nearest is "; did you mean X?" for the nearest known names, "" when nothing is
// near.
func nearest(name string, known []string) string {
	best, at := []string{}, 1+len(name)/3
	for _, k := range known {
		switch d := distance(strings.ToLower(name), strings.ToLower(k)); {
		case k == "":
		case d < at:
			best, at = []string{k}, d
		case d == at:
			best = append(best, k)
		}
	}
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best, " or ") + "?"
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Verb is a command whose first argument names what it works on: "run dwc …". What
// that is, as "design", is for messages.
func Verb(name, what, doc string, subs ...Command) Command {
	usage := ""
	var names []string
	for i, s := range subs {
		if i > 0 {
			usage += " | "
		}
		usage += s.Name + " " + s.Usage
		names = append(names, s.Name)
	}
	return Command{Name: name, Usage: usage, Doc: doc, Run: func(app *App, args []string, out Output) error {
		if len(args) == 0 {
			return usagef("the name of the %s is missing%s", what, suggestion("", names))
		}
		if args[0] == "-h" || args[0] == "--help" {
			return flag.ErrHelp
		}
		for _, s := range subs {
			if s.Name == args[0] {
				return s.Run(app, args[1:], out)
			}
		}
		return usagef("no %s %s here%s", what, args[0], suggestion(args[0], names))
	}}
}
