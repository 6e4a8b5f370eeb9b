package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"etch/ir/input"
)

// App is a command with designs. Beside its own commands it has list, export, report,
// explore, sim, view, why, cover, import, equiv, prove, version, completion and help. A command of its own
// takes the place of one of the same name.
type App struct {
	Name     string // for messages; "" is the program's own
	Designs  []Design
	Commands []Command
}

// Command is a verb.
type Command struct {
	Name     string
	Usage    string   // the arguments, as in "DESIGN [-o DIR]"
	Doc      string   // one line
	Examples []string // command lines without the program's name
	// Subs are the commands that the next argument names: run dwc, run gae. Run is then for
	// all other arguments, and nil if there are none.
	Subs []Command
	Run  func(app *App, args []string, out Output) error

	Noun string // of Subs, as "design"
}

// Verb is a command whose first argument names its subject: "run dwc …". The noun of the
// subjects, as "design", is for messages.
func Verb(name, noun, doc string, subs ...Command) Command {
	return Command{Name: name, Usage: strings.ToUpper(noun) + " …", Doc: doc, Subs: subs, Noun: noun}
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

// Run runs a command line and returns its exit code: 0, 2 for a wrong command line, 1 or a
// design's own code for a failure.
func (a App) Run(args []string, out Output) int {
	if a.Name == "" {
		a.Name = "etch"
	}

	// Help is a flag of every command, so help NAME becomes NAME -h.
	root := a.root()
	switch {
	case len(args) == 0:
		a.overview(root, out.Out)
		return 2
	case args[0] == "-h" || args[0] == "--help" || args[0] == "help" && len(args) == 1:
		a.overview(root, out.Out)
		return 0
	case args[0] == "help":
		args = append(args[1:], "-h")
	}

	// The names of commands lead to one that runs.
	path, c, rest, err := root.find(args)
	if err == nil {
		err = c.Run(&a, rest, out)
	}
	return a.exit(path, c, err, out)
}

// Verbs lists all commands of the program.
func (a App) Verbs() []Command {
	return slices.DeleteFunc(a.root().Subs, func(c Command) bool { return c.Doc == "" })
}

// root is the program as a command whose sub-commands are the verbs.
func (a *App) root() Command {
	// The program's own commands replace the verbs and the tools of the same name.
	all := append([]Command{}, a.Commands...)
	taken := map[string]bool{}
	for _, c := range all {
		taken[c.Name] = true
	}

	// Verbs stand in front of the program's own commands in the overview, tools of every program behind them.
	var first []Command
	for _, c := range []Command{listCommand, exportCommand, reportCommand, exploreCommand, SimCommand, ViewCommand, WhyCommand, CoverCommand, ImportCommand, EquivCommand, ProveCommand} {
		if !taken[c.Name] {
			first = append(first, c)
		}
	}
	all = append(first, all...)
	for _, c := range []Command{versionCommand, completionCommand, completeCommand(), netlistCommand} {
		if !taken[c.Name] {
			all = append(all, c)
		}
	}
	return Command{Name: a.Name, Subs: all, Noun: "command"}
}

// find follows the names of commands at the begin of args. path is their names; rest is the
// remaining arguments.
func (c Command) find(args []string) (path []string, found Command, rest []string, err error) {
	for {
		sub, ok := c.sub(args)

		// A command that runs gets the rest unread, with its -h; only groups of commands read it
		// here.
		switch {
		case ok:
			c, path, args = sub, append(path, sub.Name), args[1:]
		case c.Run != nil:
			return path, c, args, nil
		case len(args) == 0:
			return path, c, nil, usagef("the name of the %s is missing%s", c.Noun, suggestion("", c.names()))
		case args[0] == "-h" || args[0] == "--help":
			return path, c, nil, flag.ErrHelp
		default:
			return path, c, nil, usagef("no %s %s%s", c.Noun, args[0], suggestion(args[0], c.names()))
		}
	}
}

// sub returns the sub-command that the first argument names.
func (c Command) sub(args []string) (Command, bool) {
	for _, s := range c.Subs {
		if len(args) > 0 && s.Name == args[0] {
			return s, true
		}
	}
	return Command{}, false
}

// names lists the sub-commands.
func (c Command) names() (list []string) {
	for _, s := range c.Subs {
		if s.Doc != "" {
			list = append(list, s.Name)
		}
	}
	return list
}

// subError is the error of a command that another one found by itself: help and messages are in
// the name of the former.
type subError struct {
	command Command
	error
}

func (e *subError) Unwrap() error { return e.error }

// exit prints the end of a command, help or an error, and returns the exit code.
func (a *App) exit(path []string, c Command, err error, out Output) int {
	if err == nil {
		return 0
	}
	var sub *subError
	if errors.As(err, &sub) {
		path, c = append(path, sub.command.Name), sub.command
	}
	if errors.Is(err, flag.ErrHelp) {
		a.help(path, c, err, out.Out)
		return 0
	}

	// The command, or the package that does its work, may stand in front of the text already.
	name := strings.Join(append([]string{a.Name}, path...), " ")
	text := strings.TrimPrefix(message(err), "equiv: ")
	if len(path) > 0 {
		text = strings.TrimPrefix(text, path[len(path)-1]+": ")
	}

	// The exit codes of a shell's own commands: 2 for a wrong line, 1 for a failure.
	var usage *UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(out.Err, "%s: %s (%s)\n", name, painted(out.Err, text), strings.Join(append([]string{a.Name, "help"}, path...), " "))
		return 2
	}
	fmt.Fprintf(out.Err, "%s: %s\n", name, painted(out.Err, text))
	var end *ExitError
	if errors.As(err, &end) {
		return end.Code
	}
	return 1
}

// maxMessageLines bounds the text of an error.
const maxMessageLines = 200

// message is an error's text, bounded and without control characters: it may repeat input.
func message(err error) string {
	all := strings.Split(err.Error(), "\n")
	for i := range all[:min(len(all), maxMessageLines)] {
		// The tabs in front, by which a diagnostic's own notes stand below it, are no input.
		line := strings.TrimLeft(all[i], "\t")
		all[i] = all[i][:len(all[i])-len(line)] + input.Message(line)
	}
	if len(all) > maxMessageLines {
		all = append(all[:maxMessageLines], fmt.Sprintf("… and %d more lines", len(all)-maxMessageLines))
	}
	return strings.Join(all, "\n")
}

// Design returns the design called name. The error for an unknown name suggests a similar one, or
// the command of that name.
func (a *App) Design(name string) (Design, error) {
	var names []string
	for _, d := range a.Designs {
		if names = append(names, d.Name); d.Name == name {
			return d, nil
		}
	}

	// The name may be of something that is no design, as an algorithm that train takes.
	for _, verb := range a.Commands {
		if c, ok := verb.sub([]string{name}); ok {
			return Design{}, usagef("no design %s; %s help %s %s shows that command", name, a.Name, verb.Name, c.Name)
		}
	}
	return Design{}, usagef("no design %s%s", name, cmp.Or(suggestion(name, names), "; "+a.Name+" list shows all"))
}
