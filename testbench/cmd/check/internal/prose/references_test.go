package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReferences holds every Go file that a comment names to one that exists: comments outlive the
// files that they send the reader to.
func TestReferences(t *testing.T) {
	root := os.DirFS("../../../../..")
	used := map[string]bool{}

	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}

		text, err := fs.ReadFile(root, file)
		require.NoError(t, err)
		for _, r := range references(t, file, text) {
			if invented[r.name] != "" {
				used[r.name] = true
			} else if !exists(root, r) {
				t.Errorf("%s:%d: no file %s", file, r.line, r.name)
			}
		}
		return nil
	})
	require.NoError(t, err)

	for name := range invented {
		require.True(t, used[name], "%s is an exception, but no comment names it", name)
	}
}

// invented lists names of files that stand for the reader's own, with the reason.
var invented = map[string]string{
	"a.go":            "the shape of a message with two positions",
	"b.go":            "the shape of a message with two positions",
	"bad.go":          "a file of testdata, in the shape of a finding",
	"counter.go":      "the file of the example that printed forms show",
	"file.go":         "the shape of a position",
	"package/file.go": "the shape of a position",
	"phy.go":          "the shape of a position",
	"uart.go":         "the file of an example, in the shape of a position",
}

// reference is a file named in a comment.
type reference struct {
	name    string
	line    int
	folders []string // it is in one of these, if it exists
}

var (
	goFile = `[\w./*-]*[\w*]\.go\b`
	// In a list, a file without a folder may be in that of the file before.
	goFiles = regexp.MustCompile(goFile + `(?:(?:, and|,| and| or)\s+` + goFile + `)*`)
)

// references lists the names of Go files in the comments of one file, whose path is relative to the
// root. A name may have stars.
func references(t *testing.T, file string, text []byte) (all []reference) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, file, text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	if ast.IsGenerated(f) {
		return nil
	}

	for _, group := range f.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:") {
				continue
			}

			// Blocks between /* and */ have several lines, and a list does not go past the end of one.
			first := files.Position(comment.Pos()).Line
			for i, row := range strings.Split(comment.Text, "\n") {
				for _, list := range goFiles.FindAllString(row, -1) {
					all = append(all, listed(path.Dir(file), first+i, list)...)
				}
			}
		}
	}
	return all
}

// listed splits a list of names in a file of a folder.
func listed(folder string, line int, list string) (all []reference) {
	var before []string // folders of the name before
	for _, name := range regexp.MustCompile(goFile).FindAllString(list, -1) {
		// A name without a folder is of the same package, or of the list's. Any other is relative to
		// the folder or to one above it.
		folders := append([]string{folder}, before...)
		if strings.Contains(name, "/") {
			folders, before = nil, nil
			for up := folder; ; up = path.Dir(up) {
				folders = append(folders, up)
				before = append(before, path.Join(up, path.Dir(name)))
				if up == "." {
					break
				}
			}
		}
		all = append(all, reference{name, line, folders})
	}
	return all
}

// exists reports whether a named file is in one of its folders.
func exists(root fs.FS, r reference) bool {
	for _, folder := range r.folders {
		if found, err := fs.Glob(root, path.Join(folder, r.name)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

func TestListed(t *testing.T) {
	folder := filepath.ToSlash(t.TempDir())
	root := os.DirFS(folder)
	for _, file := range []string{"sim/a/x.go", "sim/a/y_1.go", "sim/b/z.go"} {
		require.NoError(t, os.MkdirAll(path.Join(folder, path.Dir(file)), 0o777))
		require.NoError(t, os.WriteFile(path.Join(folder, file), nil, 0o666))
	}

	text := "package b // x.go is elsewhere; see z.go (a/x.go, y_*.go)\n\n// sim/a/x.go and z.go, but\n// not y_1.go or b/x.go.\n"
	var found, missing []string
	for _, r := range references(t, "sim/b/z.go", []byte(text)) {
		if exists(root, r) {
			found = append(found, r.name)
		} else {
			missing = append(missing, r.name)
		}
	}
	require.Equal(t, []string{"z.go", "a/x.go", "y_*.go", "sim/a/x.go", "z.go"}, found)
	require.Equal(t, []string{"x.go", "y_1.go", "b/x.go"}, missing)
}
