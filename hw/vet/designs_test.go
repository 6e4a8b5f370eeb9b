package vet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedExportFile | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule

// silent runs every check over packages, none of which may say anything, and
// returns how many it looked at. Packages that do not compile are left to their
// own tests.
func silent(t *testing.T, cfg *packages.Config, patterns ...string) (looked int) {
	t.Helper()
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	var good []*packages.Package
	for _, p := range pkgs {
		switch {
		case len(p.Errors) > 0 || p.IllTyped:
			t.Logf("%s does not compile", p.ID)
		case !strings.HasSuffix(p.ID, ".test"):
			good = append(good, p)
		}
	}
	graph, err := checker.Analyze(Analyzers(), good, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range graph.Roots {
		if a.Err != nil {
			t.Errorf("%v: %v", a, a.Err)
		}
		for _, d := range a.Diagnostics {
			t.Errorf("%v: %s", a.Package.Fset.Position(d.Pos), d.Message)
		}
	}
	return len(good)
}

// What is right is not reported, in any style.
func TestClean(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	cfg := &packages.Config{Mode: loadMode &^ packages.NeedExportFile, Dir: dir, Env: append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOWORK=off")}
	if silent(t, cfg, "clean") != 1 {
		t.Error("package clean was not looked at")
	}
}

// The designs that come with etch, and their tests, give no alarm.
func TestDesigns(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("loads every design")
	}
	const module = "../.."
	if _, err := os.Stat(filepath.Join(module, "designs")); err != nil {
		t.Skip("the designs are not here: ", err)
	}
	cfg := &packages.Config{Mode: loadMode &^ packages.NeedDeps, Dir: module, Tests: true}
	if n := silent(t, cfg, "./designs/...", "./hw/stream", "./hw/fixed"); n < 4 {
		t.Errorf("looked at %d packages", n)
	}
}
