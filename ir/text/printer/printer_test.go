package printer

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

func TestPlain(t *testing.T) {
	for _, s := range []string{"a", "_", "A9", "a.b", "a$1", "module"} {
		require.True(t, Plain(s), "%q", s)
	}
	for _, s := range []string{"", "9", ".a", "$", "a b", "a[0]", "é", "\"a\"", "a\n"} {
		require.False(t, Plain(s), "%q", s)
	}
}

func TestPrint(t *testing.T) {
	m := ir.NewModule("m", ir.NewSources())
	a := m.AddInput("a[0]", 4, ir.TypeID(ir.SInt), m.Src.Line("x.go", 3))
	m.AddOutput("y", 4, 0, m.Add(ir.Node{Op: ir.Not, Width: 4}, a), 0)
	d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
	var b strings.Builder
	require.NoError(t, Print(&b, d))
	require.Equal(t, `etch 1
file 0 "x.go"
top m

module m {
  input "a[0]": 4 sint = %1 @0:3
  output y: 4 = %2
  %1 "a[0]": 4 sint = input "a[0]" @0:3
  %2: 4 = not %1
}
`, b.String())
	require.ErrorContains(t, Print(full{}, d), "disk full")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }
