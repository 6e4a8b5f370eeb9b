package firrtl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/sim"
)

func TestTryCores(t *testing.T) {
	glob := os.Getenv("FIR")
	if glob == "" {
		glob = "*"
	}
	files, _ := filepath.Glob("/tmp/fircores/" + glob + ".fir")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		if len(b) < 100 {
			continue
		}
		s := string(b)
		start := time.Now()
		c, err := syntax.Parse(filepath.Base(f), s)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		parse := time.Since(start)
		n := strings.Count(s, "\n")
		start = time.Now()
		d, notes, err := lower.Lower(c, lower.Options{})
		low := time.Since(start)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, x := range notes {
			t.Log(x)
		}
		if err := ir.Verify(d); err != nil {
			msg := err.Error()
			if len(msg) > 2000 {
				msg = msg[:2000]
			}
			t.Errorf("verify %s: %s", filepath.Base(f), msg)
			continue
		}
		nodes := 0
		for _, m := range d.Modules {
			nodes += m.Len()
		}
		start = time.Now()
		sm, err := sim.New(d, sim.WithEngine(sim.Interpreter))
		if err != nil {
			t.Errorf("sim %s: %v", filepath.Base(f), err)
			continue
		}
		made := time.Since(start)
		sm.Step(3)
		t.Logf("%s: %d lines parse %v lower %v sim %v nodes %d", filepath.Base(f), n, parse, low, made, nodes)
	}
}
