package passes

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"etch/ir"
	"etch/ir/text/printer"
)

// Debug observes Optimize. All switches are here. Each can also be set by the environment
// variable ETCH_PASSES, a list like "print=fold,time,stop=lut", which adds to the options.
type Debug struct {
	Print string    // print the netlist after each run of this pass; "all" for all passes
	Stop  string    // stop before the first run of this pass
	Time  bool      // report time and changes of each pass at the end
	Out   io.Writer // destination; standard error if nil
}

// DebugEnv is the name of the environment variable.
const DebugEnv = "ETCH_PASSES"

// withEnv adds the switches of the environment variable. An unknown word is reported, so
// that a typing error does not go unnoticed.
func (b Debug) withEnv(env string) Debug {
	if b.Out == nil {
		b.Out = os.Stderr
	}
	for word := range strings.SplitSeq(env, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(word), "=")
		switch {
		case name == "":
		case name == "time":
			b.Time = true
		case name == "print" && (value == "all" || isPass(value)):
			b.Print = value
		case name == "stop" && isPass(value):
			b.Stop = value
		default:
			fmt.Fprintf(b.Out, "%s: %q is not print=PASS, print=all, stop=PASS or time\n", DebugEnv, word)
		}
	}
	return b
}

func isPass(name string) bool {
	for _, p := range Table {
		if p.Name == name {
			return true
		}
	}
	return false
}

// runner runs the passes over a design under Debug.
type runner struct {
	d       *ir.Design
	o       *Options
	debug   Debug
	stopped bool
	spent   []time.Duration // by pass
	counts  []Count
}

func newRunner(d *ir.Design, o *Options) *runner {
	return &runner{
		d: d, o: o, debug: o.Debug.withEnv(os.Getenv(DebugEnv)),
		spent: make([]time.Duration, len(Table)), counts: make([]Count, len(Table)),
	}
}

// round runs every pass once and returns the total of their changes.
func (r *runner) round(round int) int {
	total := 0
	// The time is for the report only: it decides nothing.
	for i := range Table {
		p := &Table[i]
		if p.Name == r.debug.Stop {
			r.stopped = true
			return total
		}
		start := time.Now()
		c := r.pass(p)
		r.spent[i] += time.Since(start)
		r.counts[i].Add(c)
		total += c.Total()

		if r.o.Count != nil {
			r.o.Count.Add(c)
		}
		if r.debug.Print == p.Name || r.debug.Print == "all" {
			fmt.Fprintf(r.debug.Out, "// after %s, round %d: %s\n", p.Name, round+1, c)
			printer.Print(r.debug.Out, r.d) // the writer of a debug print is not watched
		}
	}
	return total
}

func (r *runner) pass(p *Pass) Count {
	var sum Count
	if p.Design != nil {
		return p.Design(r.d, r.o)
	}
	for _, m := range r.d.Modules {
		sum.Add(p.Module(m, r.o))
	}
	return sum
}

// report prints time and changes by pass, if asked for.
func (r *runner) report() {
	if !r.debug.Time {
		return
	}
	for i, p := range Table {
		fmt.Fprintf(r.debug.Out, "%-8s %10s  %s\n", p.Name, r.spent[i].Round(time.Microsecond), r.counts[i])
	}
}
