package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"etch/ir"
)

// The shell asks the program itself: the scripts call the hidden command __complete with the
// words of the line, the last of which is unfinished. It prints a candidate a line. If none
// are left, the shell completes names of files.

var completionCommand = Command{
	Name: "completion", Usage: "bash|zsh|fish", Doc: "prints a script that completes commands, designs, flags and parameters in a shell",
	Examples: []string{"completion bash > ~/.local/share/bash-completion/completions/etch"},
	Run: func(app *App, args []string, out Output) error {
		shell, err := NewFlags("completion", out).Positional(args, "SHELL")
		if err != nil {
			return err
		}
		script, ok := scripts[shell[0]]
		if !ok {
			return usagef("no shell %s%s", shell[0], suggestion(shell[0], sorted(scripts)))
		}
		_, err = io.WriteString(out.Out, strings.ReplaceAll(script, "NAME", app.Name))
		return err
	},
}

// scripts are the scripts by shell; NAME stands for the program.
var scripts = map[string]string{
	"bash": `# completion of NAME for bash
_NAME() {
	local IFS=$'\n' line="${COMP_LINE:0:COMP_POINT}" words
	read -ra words -d '' <<< "${line// /$'\n'}"
	[[ "$line" == *' ' ]] && words+=('')
	COMPREPLY=($("${words[0]}" __complete "${words[@]:1}" 2>/dev/null))
	# Readline replaces the part of a word behind its last = only.
	local word="${words[-1]}"
	[[ "$word" == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${word%=*}="}")
	[[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _NAME NAME
`,
	"zsh": `#compdef NAME
# completion of NAME for zsh
_NAME() {
	local -a found
	found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "$found" ]]; then
		compadd -S '' -- "${(@)found:#*[^=]}"
		compadd -- "${(@)found:#*=}"
	else
		_files
	fi
}
compdef _NAME NAME
`,
	"fish": `# completion of NAME for fish
function __NAME_complete
	set -l words (commandline -opc) (commandline -ct)
	$words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c NAME -a '(__NAME_complete)'
`,
}

// completeCommand has no line of its own, so that help does not list it.
func completeCommand() Command {
	return Command{Name: "__complete", Run: func(app *App, args []string, out Output) error {
		for _, word := range app.complete(args) {
			fmt.Fprintln(out.Out, word)
		}
		return nil
	}}
}

// complete lists the words that may stand in place of the last one.
func (a *App) complete(words []string) (list []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	done, last := words[:len(words)-1], words[len(words)-1]
	add := func(candidates ...string) {
		for _, c := range candidates {
			if strings.HasPrefix(c, last) && !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}

	// Names of commands, until one has no more of them.
	root := a.root()
	if len(done) > 0 && done[0] == "help" {
		done = done[1:]
	}
	path, c, rest, err := root.find(done)
	if len(path) == len(done) {
		add(c.names()...)
		if len(path) == 0 && len(words) == 1 {
			add("help")
		}
	}
	if err != nil || c.Name == a.Name {
		return list
	}

	// Behind a flag its value, also in one word with it: -engine=native.
	flags := a.flagsOf(c)
	designs := a.named(rest)
	if n := len(rest); n > 0 && flags != nil && takesValue(flags, rest[n-1]) {
		add(flags.values(rest[n-1], last, designs, rest)...)
		return list
	}
	if name, value, one := strings.Cut(last, "="); one && flags != nil && takesValue(flags, name) {
		for _, v := range flags.values(name, value, designs, rest) {
			add(name + "=" + v)
		}
		return list
	}

	// Else flags, designs and shells.
	switch {
	case strings.HasPrefix(last, "-") && flags != nil:
		flags.VisitAll(func(f *flag.Flag) { add("-" + f.Name) })
	case c.Name == "completion" && len(rest) == 0:
		add(sorted(scripts)...)
	case len(designs) == 0 && takesDesign(c):
		for _, d := range a.Designs {
			add(d.Name)
		}
	}
	return list
}

// flagsOf returns the flags of a command, which it has ready when it is asked for help; nil if
// it has none.
func (a *App) flagsOf(c Command) *Flags {
	if c.Run == nil {
		return nil
	}
	var asked *helpRequest
	if errors.As(c.Run(a, []string{"-h"}, Output{io.Discard, io.Discard}), &asked) {
		return asked.flags
	}
	return nil
}

// takesValue reports whether a word is a flag that takes the next word for its value.
func takesValue(f *Flags, word string) bool {
	name := strings.TrimLeft(word, "-")
	if name == word || strings.Contains(name, "=") {
		return false
	}
	known := f.Lookup(name)
	if known == nil {
		return false
	}

	// A boolean takes a value only behind =.
	b, ok := known.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// takesDesign reports whether the first argument of a command may be a design.
func takesDesign(c Command) bool {
	first, _, _ := strings.Cut(c.Usage, " ")
	return strings.Contains(first, "DESIGN") || first == "A"
}

// values lists the words that may stand behind a flag that takes a value; last is the begin of it, and rest
// the words before, whose -p the designs are built with.
func (f *Flags) values(name, last string, designs []Design, rest []string) (list []string) {
	name = strings.TrimLeft(name, "-")

	// Some flags have a fixed list; the others ask the design.
	if words := f.words[name]; words != nil {
		return words
	}
	for _, d := range designs {
		switch name {
		case "p":
			list = append(list, d.words(last)...)
		case "sweep":
			list = append(list, d.swept(last)...)
		case "set":
			list = append(list, d.inputs(last, parametersIn(rest))...)
		}
	}
	return list
}

// parametersIn is the parameters that words of a line give with -p.
func parametersIn(words []string) Values {
	given := Values{}
	for i, w := range words {
		// In two words or in one.
		if i > 0 && words[i-1] == "-p" {
			w = "-p=" + w
		}
		if text, ok := strings.CutPrefix(w, "-p="); ok {
			name, value, _ := strings.Cut(text, "=")
			given[name] = value
		}
	}
	return given
}

// inputs lists the inputs and pads of a design as name=, without clocks, or as name=value if the
// name is complete and its values have names. A design that does not build has none.
func (d Design) inputs(last string, given Values) (list []string) {
	net, err := d.Build(given)
	if err != nil {
		return nil
	}

	// Names first; values once the name and its sign of equality are there.
	name, _, valued := strings.Cut(last, "=")
	for _, p := range net.Top.Ports {
		t := net.Top.TypeOf(p.Type)
		switch {
		case p.Dir == ir.Out || t.Kind == ir.Clock:
		case !valued:
			list = append(list, p.Name+"=")
		case p.Name == name && t.Enum != nil:
			for _, v := range t.Enum.Names {
				list = append(list, name+"="+v)
			}
		case p.Name == name && p.Width == 1:
			list = append(list, name+"=0", name+"=1")
		}
	}
	return list
}

// swept lists the parameters of a design as name=, or as name=values, all of them, where the name
// is complete and they are words. Behind a comma the last of several values is completed.
func (d Design) swept(last string) (list []string) {
	at := max(strings.LastIndexByte(last, ','), strings.IndexByte(last, '='))
	if at < 0 {
		return d.words(last)
	}

	// The values before the last comma stay.
	name, _, _ := strings.Cut(last, "=")
	for _, w := range d.words(name + "=") {
		list = append(list, last[:at+1]+strings.TrimPrefix(w, name+"="))
	}
	return list
}

// named lists the designs among words.
func (a *App) named(words []string) (list []Design) {
	for _, w := range words {
		for _, d := range a.Designs {
			if d.Name == w {
				list = append(list, d)
			}
		}
	}
	return list
}

// words lists the parameters of a design as name=, or as name=value if the name is complete
// and its values are words.
func (d Design) words(last string) (list []string) {
	name, _, valued := strings.Cut(last, "=")

	// Only truth values and words from a list can be completed; numbers are the user's.
	for _, p := range d.Params {
		switch {
		case !valued:
			list = append(list, p.Name+"=")
		case p.Name == name && p.Type == "bool":
			list = append(list, name+"=true", name+"=false")
		case p.Name == name:
			for _, v := range p.Values {
				list = append(list, name+"="+v)
			}
		}
	}
	return list
}
