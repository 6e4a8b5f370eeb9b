package passes_test

import (
	"os"
	"testing"

	"etch/ir/random"
	"etch/ir/text"
	"etch/passes"
)

func TestBisect(t *testing.T) {
	seed := uint64(238)
	d := random.Design(seed, random.Config{Nodes: 50, Modules: int(seed % 4), State: seed%4 != 0, Stmts: seed%2 == 0, Extern: seed%3 == 0})
	for _, o := range options() {
		out := passes.Clone(d)
		for round := 0; round < 3; round++ {
			for _, p := range passes.Table {
				before := passes.Clone(out)
				if p.Design != nil {
					p.Design(out, &o)
				} else {
					for _, m := range out.Modules {
						p.Module(m, &o)
					}
				}
				os.WriteFile("/tmp/before.etch", []byte(text.String(before)), 0o644)
				os.WriteFile("/tmp/after.etch", []byte(text.String(out)), 0o644)
				t.Log(o.Flatten, o.KeepNames, round, p.Name)
				sameBehaviour(t, before, out, seed, 12)
			}
		}
	}
}
