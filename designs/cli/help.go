package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"
)

// overview prints a line for each command.
func (a *App) overview(root Command, out io.Writer) {
	fmt.Fprintf(out, "usage: %s COMMAND …\n\n", a.Name)
	commandList(root.Subs, out)
	fmt.Fprintf(out, "\n%s help COMMAND shows usage, examples and flags\n", a.Name)
}

// commandList prints names with their one line. A command without a line is hidden.
func commandList(list []Command, out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, c := range list {
		if c.Doc == "" {
			continue
		}

		// The first clause, without details, and the sub-commands.
		doc, _, _ := strings.Cut(inBrackets.ReplaceAllString(c.Doc, ""), ";")
		if len(c.Subs) > 0 {
			doc += ": " + strings.Join(c.names(), ", ")
		}
		for i, line := range wrapped(doc, helpWidth-20) {
			name := c.Name
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(w, "  %s\t%s\n", name, line)
		}
	}
	w.Flush()
}

// help prints the usage of a command, its purpose, examples, sub-commands and flags. The
// flags come with the error of -h.
func (a *App) help(path []string, c Command, err error, out io.Writer) {
	name := strings.Join(append([]string{a.Name}, path...), " ")

	// The usage, its later lines indented.
	for i, line := range wrapped("usage: "+name+" "+c.Usage, helpWidth) {
		fmt.Fprintln(out, strings.Repeat(" ", 4*min(i, 1))+line)
	}
	for _, line := range wrapped(c.Doc, helpWidth) {
		fmt.Fprintln(out, line)
	}

	// Each part only where the command has it.
	if len(c.Examples) > 0 {
		fmt.Fprintln(out, "\nexamples:")
		for _, e := range c.Examples {
			fmt.Fprintf(out, "  %s %s\n", a.Name, e)
		}
	}
	if len(c.Subs) > 0 {
		fmt.Fprintln(out)
		commandList(c.Subs, out)
		fmt.Fprintf(out, "\n%s help %s %s shows its usage and flags\n", a.Name, strings.Join(path, " "), strings.ToUpper(c.Noun))
	}

	var asked *helpRequest
	if errors.As(err, &asked) && asked.flags.count() > 0 {
		fmt.Fprintln(out, "\nflags:")
		asked.flags.SetOutput(out)
		asked.flags.PrintDefaults()
	}
	if asked != nil && asked.flags.parameters != nil {
		fmt.Fprintln(out, "\nparameters:")
		listParams(out, asked.flags.parameters())
	}
}

// inBrackets matches the details that a list leaves out.
var inBrackets = regexp.MustCompile(` \([^)]*\)`)

// helpWidth is the width of a help text in characters.
const helpWidth = 100

// wrapped breaks a text into lines of at most width characters. It does not break inside
// brackets, which hold a flag with its value.
func wrapped(text string, width int) (lines []string) {
	line, depth := "", 0

	// Greedy: a word goes to the next line when it does not fit. depth counts open brackets.
	for _, word := range strings.Fields(text) {
		if line != "" && depth == 0 && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
		depth = max(0, depth+strings.Count(word, "[")-strings.Count(word, "]"))
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
