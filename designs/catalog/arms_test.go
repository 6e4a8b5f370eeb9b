package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/macgrid"
	"etch/hw"
	"etch/ir"
	"etch/passes"
)

// TestArmsKeepLines: each line of an example design with a Set or Goto is the
// position of at least one arm, before and after the passes. Lines in void are the
// exceptions; one that is no exception any more may not stay there.
func TestArmsKeepLines(t *testing.T) {
	lines := settingLines(t)
	require.Greater(t, len(lines), 250)
	plain, small := map[string]bool{}, map[string]bool{}
	for _, d := range exampleNetlists(t) {
		armLines(d, plain)
		armLines(passes.Optimize(d, passes.Options{}), small)
	}

	for _, at := range lines {
		if !plain[at] {
			t.Errorf("%s: no arm has this line", at)
		}
		switch {
		case !small[at] && void[at] == "":
			t.Errorf("%s: no arm has this line after the passes", at)
		case small[at] && void[at] != "":
			t.Errorf("%s is listed as void (%s), and is not", at, void[at])
		case !small[at]:
			t.Logf("%s: %s", at, void[at])
		}
	}
	for at := range void {
		require.Contains(t, lines, at, "listed as void, and sets nothing")
	}
}

// void are the lines that the passes prove to have no effect, with the reason.
var void = map[string]string{}

// exampleNetlists are the designs of designs/examples with their defaults, and
// those that the catalog does not list.
func exampleNetlists(t *testing.T) []*ir.Design {
	var all []*ir.Design
	for _, design := range Designs() {
		d, err := design.Build(nil)
		require.NoError(t, err)
		all = append(all, d)
	}
	for _, flat := range []bool{false, true} {
		d, _, err := hw.Build(macgrid.Grid{N: 2, Flat: flat})
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

// settingLines are the lines of the examples with a call of Set, SetIf, Goto or
// GotoIf, as package/file.go:12.
func settingLines(t *testing.T) []string {
	files, err := filepath.Glob("../examples/*/*.go")
	require.NoError(t, err)
	var lines []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && setters[sel.Sel.Name] {
				lines = append(lines, lineOf(file, set.Position(sel.Sel.Pos()).Line))
			}
			return true
		})
	}
	return lines
}

var setters = map[string]bool{"Set": true, "SetIf": true, "Goto": true, "GotoIf": true}

// lineOf is package/file.go:12.
func lineOf(file string, line int) string {
	dir, name := filepath.Split(file)
	return filepath.Base(dir) + "/" + name + ":" + strconv.Itoa(line)
}

// armLines adds the lines of all arms of a design: where the values of choices and
// wires, next values, outputs, inputs of instances and memory ports were given.
func armLines(d *ir.Design, found map[string]bool) {
	add := func(pos ...ir.Pos) {
		for _, p := range pos {
			for _, at := range d.Src.All(p) {
				found[lineOf(at.File, at.Line)] = true
			}
		}
	}
	for _, m := range d.Modules {
		for id := 1; id < m.Len(); id++ {
			add(m.ArmPos(ir.ID(id))...)
		}
		for i := range m.Ports {
			add(m.Ports[i].SetAt)
		}
		for i := range m.Regs {
			add(m.Regs[i].SetAt)
		}
		for i := range m.Insts {
			for j, p := range m.Insts[i].Mod.Ports {
				if p.Dir == ir.In {
					add(m.Insts[i].GivenAt(j))
				}
			}
		}
		for i := range m.Mems {
			for _, w := range m.Mems[i].Writes {
				add(w.Pos)
			}
			for _, r := range m.Mems[i].Reads {
				add(r.Pos)
			}
		}
	}
}
