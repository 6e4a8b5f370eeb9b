package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree writes files (path, text, path, text, …) into a new folder.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(root, filepath.FromSlash(files[i]))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(files[i+1]), 0o644))
	}
	return root
}

// lastLine is the last line of an output that ends with a newline.
func lastLine(out string) string {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestRunKeepsGoing(t *testing.T) {
	var out strings.Builder
	s := &session{out: &out}
	ran := ""
	do := func(name, remark string, err error) step {
		return step{name, func(context.Context) (string, error) { ran += name; return remark, err }}
	}
	good, skip := do("a", "fine", nil), do("c", "no such thing", errSkipped)
	code := s.run(t.Context(), []step{good, do("b", "", errors.New("broken")), skip, do("d", "2 files", nil)})
	assert.Equal(t, 1, code)
	assert.Equal(t, "abcd", ran)
	assert.Regexp(t, `(?m)^b +FAILED .* broken$`, out.String())
	assert.Regexp(t, `(?m)^c +skipped .* no such thing$`, out.String())
	assert.Equal(t, "0 passed, 0 failed, 0 skipped", lastLine(out.String()))

	assert.Equal(t, 0, s.run(t.Context(), []step{good, skip}))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ran = ""
	assert.Equal(t, 1, s.run(ctx, []step{good}))
	assert.Empty(t, ran)
}

func TestGofmtStep(t *testing.T) {
	root := tree(t,
		"go.mod", "module m\n",
		"good.go", "package m\n",
		"sub/bad.go", "package  sub\n",
		"sub/broken.go", "package sub\nfunc {\n",
		"testdata/x.go", "package  x\n",
		".hidden/x.go", "package  x\n",
		"_off/x.go", "package  x\n",
		"vendor/v/x.go", "package  x\n",
		"nested/go.mod", "module n\n",
		"nested/x.go", "package  x\n",
	)
	var out strings.Builder
	s := &session{root: root, out: &out}
	remark, err := s.gofmt(t.Context())
	assert.ErrorIs(t, err, errFindings)
	assert.Equal(t, "2 of 3 files", remark)
	lines := strings.Split(out.String(), "\n")
	assert.Equal(t, filepath.FromSlash("sub/bad.go")+": not formatted by gofmt", lines[0])
	assert.True(t, strings.HasPrefix(lines[1], filepath.FromSlash("sub/broken.go")+":2:"), lines[1])

	require.NoError(t, os.RemoveAll(filepath.Join(root, "sub")))
	remark, err = s.gofmt(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, "1 files", remark)
}

func TestToolsStep(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("ETCH_CACHE", t.TempDir())
	var out strings.Builder
	s := &session{out: &out}
	remark, err := s.tools(t.Context())
	assert.NoError(t, err, "nothing is required")
	assert.Contains(t, remark, "not available: iverilog")
	for line := range strings.Lines(out.String()) {
		assert.Contains(t, line, "not available: ")
	}
	s.opts.Require = []string{"yosys"}
	remark, err = s.tools(t.Context())
	assert.ErrorIs(t, err, errFindings)
	assert.Equal(t, "required but not available: yosys", remark)
}

// TestMainOnAModule runs the whole command on a small module.
func TestMainOnAModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module")
	}
	root := tree(t,
		"go.mod", "module m\n\ngo 1.24\n",
		"a/a_test.go", `package a

import (
	"os"
	"testing"
)

func TestOK(t *testing.T)   {}
func TestSkip(t *testing.T) { t.Skip("no reason to") }
func TestEnv(t *testing.T) {
	if os.Getenv("ETCH_STRICT") != os.Getenv("WANT_STRICT") {
		t.Error("ETCH_STRICT is " + os.Getenv("ETCH_STRICT"))
	}
}
`)
	t.Chdir(filepath.Join(root, "a"))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("ETCH_STRICT", "")
	t.Setenv("WANT_STRICT", "")
	var out, errs strings.Builder
	require.Equal(t, 0, Main(t.Context(), []string{"-install=false"}, &out, &errs), "%s", &out)
	assert.Empty(t, errs.String())
	assert.Equal(t, "2 passed, 0 failed, 1 skipped", lastLine(out.String()))
	assert.Contains(t, out.String(), "   1  no reason to\n")
	assert.Regexp(t, `(?m)^hwvet +skipped`, out.String())

	// a missing package, and ETCH_STRICT where something is required
	require.NoError(t, os.WriteFile("x.go", []byte("package a\n\nimport \"m/nowhere\"\n\nvar _ = nowhere.X\n"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(root, "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "b", "b_test.go"), []byte(`package b

import (
	"os"
	"testing"
)

func TestStrict(t *testing.T) {
	if os.Getenv("ETCH_STRICT") != "1" {
		t.Error("ETCH_STRICT is not set")
	}
}
`), 0o644))
	out.Reset()
	assert.Equal(t, 1, Main(t.Context(), []string{"-install=false", "-require", "make"}, &out, &errs))
	assert.Equal(t, "1 passed, 1 failed, 0 skipped", lastLine(out.String()), "%s", &out)
	assert.Contains(t, out.String(), "m/nowhere")
	assert.Regexp(t, `(?m)^vet +FAILED`, out.String())

	// a failure in a module inside
	inner := filepath.Join(root, "inner")
	require.NoError(t, os.MkdirAll(filepath.Join(inner, "testdata", "z"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(inner, "go.mod"), []byte("module inner\n\ngo 1.24\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(inner, "testdata", "z", "go.mod"), []byte("nonsense\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(inner, "i_test.go"), []byte("package inner\n\nimport \"testing\"\n\nfunc TestInner(t *testing.T) { t.Fatal(\"inside\")  }\n"), 0o644))
	require.NoError(t, os.Remove("x.go"))
	out.Reset()
	assert.Equal(t, 1, Main(t.Context(), []string{"-install=false", "-require", "make"}, &out, &errs))
	assert.Contains(t, out.String(), "TestInner", "%s", &out)
	assert.Contains(t, out.String(), filepath.Join("inner", "i_test.go")+": not formatted")
	require.NoError(t, os.RemoveAll(inner))

	// no test at all is no success
	require.NoError(t, os.RemoveAll(filepath.Join(root, "b")))
	require.NoError(t, os.Remove("a_test.go"))
	require.NoError(t, os.WriteFile("x.go", []byte("package a\n"), 0o644))
	out.Reset()
	assert.Equal(t, 1, Main(t.Context(), []string{"-install=false"}, &out, &errs))
	assert.Contains(t, out.String(), "no test ran")
}
