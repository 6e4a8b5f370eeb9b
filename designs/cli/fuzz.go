package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"

	"etch/testbench/fuzz"
)

// FuzzCommand is the verb that tries random circuits.
var FuzzCommand = Command{
	Name:     "fuzz",
	Usage:    "[-n N] [-seed S] [-judges interp,native,…] [-size OPS] [-for DURATION] [-o DIR] [-json] [FILE.etch…]",
	Doc:      "compares random circuits, or those of files, with the interpreter; fails on a mismatch, which it shrinks",
	Examples: []string{"fuzz -n 10000 -judges interp,native,passes", "fuzz -for 10m -judges iverilog,verilator -o found"},
	Run: func(_ *App, args []string, out Output) error {
		f := NewFlags("fuzz", out)
		asJSON := f.Bool("json", false, "print one JSON document; not with FILE")
		var o fuzz.Options
		f.IntVar(&o.N, "n", 0, "number of circuits; 1000 without -for")
		f.Uint64Var(&o.Seed, "seed", 1, "seed of the first circuit; the others follow")
		names := f.String("judges", "interp,native,passes", "who judges: "+judgeList())
		f.IntVar(&o.Size, "size", 0, "operations per module, about; 0: by seed")
		f.DurationVar(&o.For, "for", 0, fmt.Sprintf("end after this `time`: circuits that are being judged then get %v, mismatches that are being shrunk %v", fuzz.Grace, fuzz.LastShrink))
		f.StringVar(&o.Dir, "o", ".", "`folder` for shrunk mismatches")
		f.IntVar(&o.Workers, "workers", 0, "circuits are judged by so many at a time; 0: one per processor")
		f.IntVar(&o.Most, "most", 5, "mismatches after which it stops")
		f.DurationVar(&o.Shrink, "shrink", 0, "`time` for shrinking a mismatch; a minute if 0, and less at the end of -for")

		files, err := f.rest(args)
		if err != nil {
			return err
		}
		if o.Judges, err = fuzz.Lookup(*names); err != nil {
			return usagef("-judges: %v", err)
		}
		switch {
		case o.N < 0, o.Size < 0, o.For < 0, o.Workers < 0, o.Most < 1, o.Shrink < 0:
			return usagef("a number is negative, or -most is 0")
		case o.N == 0 && o.For == 0:
			o.N = 1000
		}

		// Files are cases that were found before: judged again, and nothing is shrunk.
		ctx, stop := Interruptible()
		defer stop()
		if len(files) > 0 && *asJSON {
			return usagef("-json is not for FILE")
		}
		if len(files) > 0 {
			return again(ctx, o.Judges, files, out)
		}

		// An interrupted run has a summary, too.
		working := NewProgress(out.Err, "compares circuits")
		defer working.End()
		o.Progress = &campaignLines{working, o.N, working.Through(out.Err)}
		summary, err := fuzz.Run(ctx, o)
		working.End()
		switch {
		case summary != nil && *asJSON:
			if err2 := JSON(out.Out, summary); err == nil {
				err = err2
			}
		case summary != nil:
			summary.Print(out.Out)
		}
		if err == nil && len(summary.Mismatches) > 0 {
			m := summary.Mismatches[0]
			err = fmt.Errorf("%d mismatches; the first is seed %d, judge %s, file %s", len(summary.Mismatches), m.Seed, m.Judge, m.File)
		}
		return err
	},
}

// campaignLines takes the lines that a campaign prints: its counts become the progress, and
// mismatches are printed as they are.
type campaignLines struct {
	working *Progress
	all     int // circuits to be made, 0 where the time ends them
	out     io.Writer
}

// countLine matches a campaign's line of its counts.
var countLine = regexp.MustCompile(`^(\d+)( circuits, \d+ mismatches, \d+ circuits/s)\n$`)

// Write passes mismatches on. A line of counts updates the line of progress instead.
func (f *campaignLines) Write(line []byte) (int, error) {
	// A mismatch is printed above the line of progress.
	m := countLine.FindSubmatch(line)
	if m == nil {
		return f.out.Write(line)
	}

	of := ""
	if f.all > 0 {
		of = fmt.Sprintf(" of %d", f.all)
	}
	f.working.Done(string(m[1]) + of + string(m[2]))
	return len(line), nil
}

func judgeList() string {
	text := ""
	for i, j := range fuzz.Judges() {
		if i > 0 {
			text += ", "
		}
		text += j.Name
	}
	return text
}

// again has judges look at saved cases.
func again(ctx context.Context, judges []*fuzz.Judge, files []string, out Output) error {
	bad := 0
	working := NewProgress(out.Err, "judges")
	defer working.End()
	lines := working.Through(out.Out)
	for i, file := range files {
		working.Now("judges " + file)
		working.Count(uint64(i), uint64(len(files)), "files")
		c, err := fuzz.Load(file)
		if err != nil {
			return err
		}

		// Every judge looks at every case.
		for _, j := range judges {
			v, err := j.Look(ctx, c)
			switch {
			case err != nil:
				return err
			case v.Skipped != "":
				fmt.Fprintf(lines, "%s: %s: skipped: %s\n", file, j.Name, v.Skipped)
			case v.Kind != fuzz.None:
				bad++
				fmt.Fprintf(lines, "%s: %s: %s: %s\n", file, j.Name, v.Kind, v.Text)
			default:
				fmt.Fprintf(lines, "%s: %s: agrees\n", file, j.Name)
			}
		}
	}

	if bad > 0 {
		return fmt.Errorf("%d mismatches", bad)
	}
	return nil
}
