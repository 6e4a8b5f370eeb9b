package catalog

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/designs/cli"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
	"etch/passes"
	"etch/sim"
)

// each builds every design with its defaults.
func each(t *testing.T, f func(t *testing.T, d *ir.Design)) {
	for _, design := range Designs() {
		t.Run(design.Name, func(t *testing.T) {
			net, err := design.Build(nil)
			require.NoError(t, err)
			require.NoError(t, ir.Verify(net))
			f(t, net)
		})
	}
}

// Every design exports, twice the same, and its netlist text reads back.
func TestExports(t *testing.T) {
	for _, design := range Designs() {
		var first []cli.File
		for range 2 {
			net, err := design.Build(nil)
			require.NoError(t, err)
			files, err := cli.Exported(net)
			require.NoError(t, err)
			if first == nil {
				first = files
			}
			require.Equal(t, first, files)
		}
		back, err := text.Parse(bytes.NewReader(first[1].Data), first[1].Name)
		require.NoError(t, err, design.Name)
		require.Equal(t, string(first[1].Data), text.String(back))
	}
}

// Verilog comes as one file a module, and with the contents of memories in files.
func TestExportForms(t *testing.T) {
	export := func(name string, as cli.Form) (names []string, v string) {
		for _, d := range Designs() {
			if d.Name != name {
				continue
			}
			net, err := d.Build(nil)
			require.NoError(t, err)
			files, err := cli.ExportedAs(net, as)
			require.NoError(t, err)
			for _, f := range files {
				names = append(names, f.Name)
				if strings.HasSuffix(f.Name, ".v") {
					v += string(f.Data)
				}
			}
		}
		return names, v
	}
	names, _ := export("clock", cli.Form{Split: true})
	require.Equal(t, []string{"counter_6.v", "clock.v"}, names[:2])
	_, text := export("rv32i", cli.Form{})
	require.NotContains(t, text, "$readmemh")
	names, text = export("rv32i", cli.Form{Options: verilog.Options{MemFiles: true}})
	require.Contains(t, text, "$readmemh")
	require.Equal(t, []string{".v", ".hex"}, []string{filepath.Ext(names[0]), filepath.Ext(names[1])})
}

// The passes change nothing that can be seen at the ports.
func TestPassesKeepBehaviour(t *testing.T) {
	each(t, func(t *testing.T, d *ir.Design) {
		for _, flat := range []bool{false, true} {
			small := passes.Optimize(d, passes.Options{Flatten: flat})
			require.NoError(t, ir.Verify(small))
			a, b := start(t, d), start(t, small)
			r := rand.New(rand.NewPCG(1, 2))
			for cycle := range 200 {
				for i, p := range a.Top() {
					if p.IsInput() {
						v := randomValue(r, p)
						require.NoError(t, a.SetBits(p, v))
						require.NoError(t, b.SetBits(b.Top()[i], v))
					}
				}
				a.Step(1)
				b.Step(1)
				for i, p := range a.Top() {
					require.Equal(t, a.GetBits(p).String(), b.GetBits(b.Top()[i]).String(), "flat=%v cycle %d: %s", flat, cycle, p.Name())
				}
			}
		}
	})
}

func start(t *testing.T, d *ir.Design) *sim.Sim {
	s, err := sim.New(d)
	require.NoError(t, err)
	s.Reset()
	return s
}

// randomValue is any value; a reset is rarely high.
func randomValue(r *rand.Rand, p sim.Signal) bits.Value {
	if k := p.Type().Kind; k == ir.Reset || k == ir.AsyncReset {
		if r.IntN(50) > 0 {
			return bits.Zero(1)
		}
	}
	var words []uint64
	for range bits.WordCount(p.Width()) {
		words = append(words, r.Uint64())
	}
	return bits.FromWords(p.Width(), words)
}

// Names in the netlist are the designer's: none that etch made up with a number.
func TestNoMadeUpNames(t *testing.T) {
	each(t, func(t *testing.T, d *ir.Design) {
		for _, m := range d.Modules {
			for id := ir.ID(1); int(id) < m.Len(); id++ {
				require.False(t, strings.HasPrefix(m.NameOf(id), "_"), m.NameOf(id))
			}
		}
	})
}
