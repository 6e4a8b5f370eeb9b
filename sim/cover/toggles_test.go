package cover_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/cover"
	"etch/sim/vcd"
)

// TestTogglesOfDump: the bits that rise and fall are those of a full dump of the same run, which a reader
// of this test takes apart: between two rising edges of the clock, in any instance.
func TestTogglesOfDump(t *testing.T) {
	some := 0
	for _, entry := range catalog.Designs() {
		switch entry.Name {
		case "counter", "pixel", "regfile", "arbiter", "fifo", "uart", "i2c", "fixedmac", "divider", "systolic", "protocol", "rv32i":
		default:
			continue // several clocks, or large
		}
		d, err := entry.Build(nil)
		require.NoError(t, err)
		some++
		t.Run(entry.Name, func(t *testing.T) {
			run, text := dumped(t, d)
			defer run.Close()
			c, err := cover.Of(run.Recorded(), d)
			require.NoError(t, err)

			modules := map[string]string{} // by path
			var visit func(s sim.Scope)
			visit = func(s sim.Scope) {
				modules[s.Path()] = s.Module().Name
				for _, k := range s.Children() {
					visit(k)
				}
			}
			visit(run.Root())
			all := readDump(text, modules, run.Top()[clockOf(run)].Name())
			for _, g := range c.Toggles {
				x := all[g.Module+" "+g.Name]
				require.NotNil(t, x, "%s.%s", g.Module, g.Name)
				require.Equal(t, string(x.rose)+" "+string(x.fell), digits(t, g.Rose)+" "+digits(t, g.Fell), "%s.%s", g.Module, g.Name)
			}
			require.NotEmpty(t, c.Toggles)
		})
	}
	require.Equal(t, 12, some)
}

// dumped is a run of a design with random inputs, and its waves.
func dumped(t *testing.T, d *ir.Design) (*sim.Sim, string) {
	t.Helper()
	run, err := sim.New(d, sim.WithOutput(nil), sim.WithSeed(5))
	require.NoError(t, err)
	run.Record(1 << 22)
	var text bytes.Buffer
	w := vcd.New(&text)
	require.NoError(t, run.Trace(w))
	run.Reset()
	r := rand.New(rand.NewPCG(5, 31))
	for range 700 {
		for _, p := range run.Top() {
			if kind := p.Type().Kind; p.IsInput() && !p.IsClock() && kind != ir.Reset && kind != ir.AsyncReset && r.IntN(3) == 0 {
				require.NoError(t, run.SetBits(p, bits.FromWords(p.Width(), words(r, p.Width()))))
			}
		}
		run.Step(1)
	}
	require.NoError(t, w.Close())
	return run, text.String()
}

// clockOf is the number of the clock among the ports of the top.
func clockOf(s *sim.Sim) int {
	for i, p := range s.Top() {
		if p.IsClock() {
			return i
		}
	}
	return -1
}

// digits is the binary digits of a number of Verilog.
func digits(t *testing.T, text string) string {
	v, err := bits.Parse(text)
	require.NoError(t, err)
	var b strings.Builder
	for i := v.Width() - 1; i >= 0; i-- {
		b.WriteByte('0' + byte(v.Bit(i)))
	}
	return b.String()
}

// dumpedSignal is a signal of a module in a dump: the digits that rose and fell, most significant first.
type dumpedSignal struct{ rose, fell []byte }

// readDump takes a dump apart.
func readDump(text string, modules map[string]string, clock string) map[string]*dumpedSignal {
	type variable struct {
		of         *dumpedSignal
		id         string
		width      int
		last, seen string
	}
	all := map[string]*dumpedSignal{}
	var vars []*variable
	var path []string
	now := map[string]string{} // by identifier
	pending := map[string]string{}
	clockID := ""

	// sample compares the values with those of the edge before.
	sample := func() {
		for _, v := range vars {
			value := strings.Repeat("0", v.width-len(now[v.id])) + now[v.id]
			for i := range v.width {
				if v.seen != "" && v.last[i] < value[i] {
					v.of.rose[i] = '1'
				} else if v.seen != "" && v.last[i] > value[i] {
					v.of.fell[i] = '1'
				}
			}
			v.last, v.seen = value, "1"
		}
	}
	// settle applies the changes of a time; a rising clock is an edge, which sees the values before it.
	settle := func() {
		if pending[clockID] == "1" && now[clockID] != "1" {
			sample()
		}
		for id, v := range pending {
			now[id] = v
		}
		clear(pending)
	}

	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "$scope":
			path = append(path, f[2])
		case f[0] == "$upscope":
			path = path[:len(path)-1]
		case f[0] == "$var" && f[1] != "string":
			where, name := strings.Join(path[1:], "."), f[4]
			if len(path) == 1 && name == clock {
				clockID = f[3]
			}
			key := modules[where] + " " + name
			width := 0
			for _, c := range f[2] {
				width = 10*width + int(c-'0')
			}
			if all[key] == nil {
				all[key] = &dumpedSignal{bytes.Repeat([]byte("0"), width), bytes.Repeat([]byte("0"), width)}
			}
			vars = append(vars, &variable{of: all[key], id: f[3], width: width})
		case line[0] == '#':
			settle()
		case line[0] == 'b':
			pending[f[1]] = f[0][1:]
		case line[0] == '0' || line[0] == '1':
			pending[line[1:]] = line[:1]
		}
	}
	settle()
	sample()
	return all
}
