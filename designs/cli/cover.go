package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"etch/sim/cover"
)

// CoverCommand reports the coverage of tests that ran with ETCH_COVER.
var CoverCommand = Command{
	Name: "cover", Usage: "DIR [-modules] [-o FILE] [-lcov FILE] [-min PERCENT] [-tests] [-json]",
	Doc: "adds up the coverage of test benches that ran with ETCH_COVER=DIR: a table by file or module, or a profile for go tool cover",
	Examples: []string{
		"cover hwcover",
		"cover hwcover -o hw.out -min 90",
		"cover hwcover -modules",
	},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("cover", out)
		profile := f.String("o", "", "write a profile that go tool cover -func and -html read, `file`")
		lcov := f.String("lcov", "", "write statements and branches for lcov, `file`")
		tests := f.Bool("tests", false, "list each statement, state and transition with the first test in which it acted; with -json as lines, where first is left out if none did")
		modules := f.Bool("modules", false, "print a table by module and kind: statements, branches, toggles, states, transitions, cover statements, assertions that were put to the test; and everything missing; -json always has it")
		least := f.Float64("min", 0, "exit with 1 if fewer `percent` of the statements ever acted")
		asJSON := f.Bool("json", false, "print one JSON document")
		pos, err := f.Positional(args, "DIR")
		if err != nil {
			return err
		}
		if *least < 0 || *least > 100 {
			return usagef("-min: %v is no percentage", *least)
		}

		if err := f.Apart(nil, "o", "lcov"); err != nil {
			return err
		}

		working := NewProgress(out.Err, "adds up "+pos[0])
		defer working.End()
		c, err := cover.Read(pos[0])
		if err != nil {
			return err
		}
		for _, why := range c.Uncounted {
			fmt.Fprintln(out.Err, "not counted:", why)
		}
		if *profile != "" {
			working.Now("writes " + *profile)
			if err := writeProfile(*profile, c, working.Through(out.Err)); err != nil {
				return err
			}
		}
		if *lcov != "" {
			working.Now("writes " + *lcov)
			var text bytes.Buffer
			if err := c.LCOV(&text); err != nil {
				return err
			}
			if err := writeTo(*lcov, text.Bytes()); err != nil {
				return err
			}
		}

		working.End()

		// As text, lists come before the table; the document holds them.
		var lines []cover.Line
		if *tests {
			lines = coverLines(c)
		}
		if !*asJSON {
			printLines(lines, out.Out)
		}
		if *modules && !*asJSON {
			if err := coverModules(c.Modules(), out.Out); err != nil {
				return err
			}
		}
		return coverTable(c, lines, *least, *asJSON, out.Out)
	},
}

// writeProfile writes a profile for go tool cover to file. Its warnings go to warn.
func writeProfile(file string, c *cover.Counts, warn io.Writer) error {
	var text bytes.Buffer
	warnings, err := c.Profile(&text)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintln(warn, w)
	}
	return writeTo(file, text.Bytes())
}

// writeTo writes a file, which appears when it is complete.
func writeTo(file string, text []byte) error {
	return WriteFiles(filepath.Dir(file), File{Name: filepath.Base(file), Data: text})
}

// coverLines is the statements, states and transitions, without the outcomes of conditions and cases.
func coverLines(c *cover.Counts) []cover.Line {
	return slices.DeleteFunc(slices.Clone(c.Lines), func(l cover.Line) bool { return l.Kind == cover.True || l.Kind == cover.False || l.Kind == cover.Arm })
}

// printLines prints each line with its first test.
func printLines(lines []cover.Line, out io.Writer) {
	for _, l := range lines {
		fmt.Fprintf(out, "%s:%d %s%s %d %s\n", l.File, l.Line, l.Kind, strings.TrimRight(" "+l.Name, " "), l.Count, cmp.Or(l.First, "never"))
	}
}

// coverTable prints the files and their total; lines are for the document only. Error: the total is
// below least percent.
func coverTable(c *cover.Counts, lines []cover.Line, least float64, asJSON bool, out io.Writer) error {
	files := c.Files()
	sets, hit, waived := 0, 0, 0
	for _, f := range files {
		sets, hit, waived = sets+f.Sets, hit+f.Hit, waived+f.Waived
	}

	// A design without statements has missed none.
	share := 100.0
	if sets > 0 {
		share = 100 * float64(hit) / float64(sets)
	}

	// The table and the document have the same numbers; the bound is judged after both.
	if asJSON {
		err := JSON(out, struct {
			Files      []cover.File   `json:"files"`
			Modules    []cover.Module `json:"modules"`
			Statements int            `json:"statements"`
			Hit        int            `json:"hit"`
			Waived     int            `json:"waived"`
			Percent    float64        `json:"percent"`
			Lines      []cover.Line   `json:"lines,omitempty"` // with -tests
		}{files, c.Modules(), sets, hit, waived, share, lines})
		if err != nil {
			return err
		}
	} else {
		for _, f := range files {
			fmt.Fprintf(out, "%-56s %4d of %4d%s\n", f.Name, f.Hit, f.Sets, missing(f))
		}
		fmt.Fprintf(out, "%-56s %4d of %4d statements, %.1f %%, %d waived\n", "all", hit, sets, share, waived)
	}

	if share < least {
		return fmt.Errorf("%.1f %% of the statements acted, want %v %%", share, least)
	}
	return nil
}

// mostMissing is the number of lines that the table names for a file.
const mostMissing = 8

// missing names the lines of a file that never acted.
func missing(f cover.File) string {
	if len(f.Missing) == 0 {
		return ""
	}
	var list []string

	// A file of hundreds of lines must not fill the screen.
	for i, l := range f.Missing {
		if i == mostMissing {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprint(l))
	}
	return ", never: " + strings.Join(list, ", ")
}

// coverModules prints the modules by kind, with the missing points of each.
func coverModules(modules []cover.Module, out io.Writer) error {
	// A dash is a kind that the module does not have, unlike 0 of 5.
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "module\tstatements\tbranches\ttoggles\tstates\ttransitions\tcovers\tassertions")
	for _, m := range modules {
		fmt.Fprint(t, m.Name)
		for _, s := range []cover.Share{m.Statements, m.Branches, m.Toggles, m.States, m.Transitions, m.Covers, m.Asserts} {
			if s.All == 0 {
				fmt.Fprint(t, "\t-")
			} else {
				fmt.Fprintf(t, "\t%d of %d", s.Hit, s.All)
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}

	// Lists are cut: -json has them whole.
	for _, m := range modules {
		if len(m.Missing) > 0 {
			fmt.Fprintf(out, "%s never had: %s\n", m.Name, some(m.Missing))
		}
		if len(m.Stuck) > 0 {
			fmt.Fprintf(out, "%s, bits that did not rise or did not fall: %s\n", m.Name, some(m.Stuck))
		}
	}
	fmt.Fprintln(out)
	return nil
}

// some is the first names of a list.
func some(names []string) string {
	if len(names) > mostMissing {
		return strings.Join(names[:mostMissing], ", ") + fmt.Sprintf(" and %d more", len(names)-mostMissing)
	}
	return strings.Join(names, ", ")
}
