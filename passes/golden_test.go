package passes_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"etch/ir"
	"etch/ir/text"
	"etch/passes"
)

var update = flag.Bool("update", false, "write what the passes make to testdata")

// TestGolden: each file of testdata/PASS holds a netlist before and after that
// pass, and what the pass counts. "options:" in the comment names keepnames.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	require.NoError(t, err)
	tested := map[string]bool{}
	for _, path := range files {
		name := filepath.Base(filepath.Dir(path))
		tested[name] = true
		t.Run(name+"/"+strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { golden(t, name, path) })
	}
	for _, p := range passes.Table {
		require.True(t, tested[p.Name], "pass %s has no test", p.Name)
	}
}

func golden(t *testing.T, name, path string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	sections := map[string]*txtar.File{}
	for i := range archive.Files {
		sections[archive.Files[i].Name] = &archive.Files[i]
	}
	before, err := text.Parse(strings.NewReader(string(sections["before"].Data)), path)
	require.NoError(t, err)
	o := &passes.Options{Flatten: true, KeepNames: strings.Contains(string(archive.Comment), "options: keepnames")}
	after := before.Clone()
	count := runPass(t, name, after, o)
	require.NoError(t, ir.Verify(after))
	sameBehaviour(t, before, after, 1, 20)
	require.Zero(t, runPass(t, name, after, o).Total(), "a second run changes more")

	got := map[string]string{"after": text.String(after), "count": count.String() + "\n"}
	if *update {
		for _, s := range []string{"after", "count"} {
			if sections[s] == nil {
				archive.Files = append(archive.Files, txtar.File{Name: s})
			}
			for i := range archive.Files {
				if archive.Files[i].Name == s {
					archive.Files[i].Data = []byte(got[s])
				}
			}
		}
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
		return
	}
	for _, s := range []string{"after", "count"} {
		require.NotNil(t, sections[s], "no section %s", s)
		require.Equal(t, string(sections[s].Data), got[s])
	}
}

func runPass(t *testing.T, name string, d *ir.Design, o *passes.Options) passes.Count {
	for _, p := range passes.Table {
		switch {
		case p.Name != name:
		case p.Design != nil:
			return p.Design(d, o)
		default:
			var c passes.Count
			for _, m := range d.Modules {
				c.Add(p.Module(m, o))
			}
			return c
		}
	}
	t.Fatalf("testdata/%s: there is no such pass", name)
	return passes.Count{}
}
