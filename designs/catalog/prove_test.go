package catalog

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/equiv"
)

// partly are the designs of which not all assertions are decided within a minute,
// with a text that is in one that is.
var partly = map[string]string{
	"protocol":      "of no byte",
	"rv32i":         "odd address",
	"gae_row":       "disagree",
	"gae_welford":   "did not have its cycles",
	"replay_memory": "slots are filled",
	"rl":            "", // as gae
	"rl_ddpg":       "",
	"gae":           "", // too large for a test: its parts are proved by themselves
}

// Every listed design has assertions, and what its reader is told is proved.
func TestProve(t *testing.T) {
	each(t, func(t *testing.T, d *ir.Design) {
		if d.Top.Name == "i2c" || strings.HasSuffix(t.Name(), "/i2c") {
			t.Skip("i2c has no assertions yet")
		}
		n := 0
		for _, m := range d.Modules {
			for _, s := range m.Stmts {
				if s.Kind == ir.Assert {
					n++
				}
			}
		}
		require.NotZero(t, n, "no assertions")

		text, is := partly[strings.TrimPrefix(t.Name(), "TestProve/")]
		if is && text == "" || testing.Short() && len(d.Modules) > 4 {
			return
		}
		start := time.Now()
		r := equiv.ProveDesign(t, d, text, equiv.Limit(time.Minute))
		t.Log(n, "assertions:", r, time.Since(start).Round(time.Millisecond))
	})
}

// planted is a copy of a design with one mistake in what the outputs depend on.
func planted(d *ir.Design, rng *rand.Rand) *ir.Design {
	c := d.Clone()
	m := c.Modules[rng.IntN(len(c.Modules))]
	only := ir.ForStatements(m, m.Stmts)
	swap := map[ir.Op]ir.Op{ir.And: ir.Or, ir.Or: ir.And, ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Eq: ir.Lt, ir.Lt: ir.Eq}

	var all []func()
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch op := m.Op(id); {
		case only[id]:
		case swap[op] != 0:
			all = append(all, func() { m.Node(id).Op = swap[op] })
		case op == ir.Mux:
			all = append(all, func() { a := m.Args(id); a[1], a[2] = a[2], a[1] })
		case op == ir.Reg && m.Regs[m.Node(id).Aux].Reset != ir.None:
			all = append(all, func() {
				r := &m.Regs[m.Node(id).Aux]
				r.Reset = m.Const(m.ConstOf(r.Reset).Xor(bits.New(m.Width(id), 1)), 0)
			})
		}
	}
	if len(all) == 0 {
		return nil
	}
	all[rng.IntN(len(all))]()
	return c
}

// Assertions that cannot fail are worth nothing: a mistake that is planted in the
// hardware makes many of them fail.
func TestAssertionsSeeMistakes(t *testing.T) {
	const tries = 12
	seen, failed := 0, map[string]bool{}
	for _, design := range Designs() {
		switch design.Name {
		case "counter", "clock", "pixel", "arbiter", "crossing", "uart", "divider_pipelined", "root_pipelined":
		default:
			continue
		}
		d, err := design.Build(nil)
		require.NoError(t, err)
		before := len(failed)
		rng := rand.New(rand.NewPCG(1, 7))
		for range tries {
			bad := planted(d, rng)
			if bad == nil || ir.Verify(bad) != nil {
				continue
			}
			r, err := equiv.VerifyBounded(bad, 6, equiv.Limit(3*time.Second), equiv.WithoutABC())
			require.NoError(t, err)
			if r.Outcome == equiv.Different {
				text, _, _ := strings.Cut(r.String(), "\n")
				_, text, _ = strings.Cut(text, ": ")
				failed[design.Name+": "+text] = true
			}
		}
		if len(failed) > before {
			seen++
		}
	}
	for text := range failed {
		t.Log(text)
	}
	require.GreaterOrEqual(t, seen, 5, "designs whose assertions fail on a mistake")
}
