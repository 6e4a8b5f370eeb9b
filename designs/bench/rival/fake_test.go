package rival_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/hw"
	"etch/ir"
)

// bin is a PATH of made-up tools, with a cache of its own.
type bin struct {
	t   *testing.T
	dir string
}

func newBin(t *testing.T) *bin {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	b := &bin{t, t.TempDir()}
	t.Setenv("PATH", b.dir)
	t.Setenv("ETCH_CACHE", t.TempDir())
	return b
}

// tool makes a tool whose version is 1.2.
func (b *bin) tool(name, script string) {
	text := "#!/bin/sh\nPATH=/bin:/usr/bin\ncase \"$1\" in --version|-dump*) echo 1.2; exit;; esac\n" + script + "\n"
	require.NoError(b.t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o755))
}

// model is what makes a model that prints a line.
func model(line string) string {
	return "printf '#!/bin/sh\\necho " + line + "\\n' > model; /bin/chmod +x model"
}

// cached lists what is in the cache of models.
func (b *bin) cached() []string {
	entries, _ := os.ReadDir(filepath.Join(os.Getenv("ETCH_CACHE"), "bench"))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func array(t *testing.T, n int) *ir.Design {
	d, _, err := hw.Build(bench.Systolic{N: n})
	require.NoError(t, err)
	return d
}
