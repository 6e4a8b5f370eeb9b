package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func TestMutate(t *testing.T) {
	cfg := &packages.Config{Mode: loadMode &^ packages.NeedDeps, Dir: "../.."}
	pkgs, err := packages.Load(cfg, "./designs/examples/...", "./hw/stream", "./designs/dwc/network", "./designs/dwc")
	if err != nil {
		t.Fatal(err)
	}
	type edit struct{ from, to int; text string }
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			name := p.Fset.Position(f.Pos()).Filename
			src, _ := os.ReadFile(name)
			off := func(pos token.Pos) int { return p.Fset.Position(pos).Offset }
			txt := func(n ast.Node) string { return string(src[off(n.Pos()):off(n.End())]) }
			try := func(kind string, at token.Pos, es ...edit) {
				out := []byte{}
				last := 0
				for _, e := range es {
					out = append(out, src[last:e.from]...)
					out = append(out, e.text...)
					last = e.to
				}
				out = append(out, src[last:]...)
				c := *cfg
				c.Overlay = map[string][]byte{name: out}
				q, err := packages.Load(&c, p.PkgPath)
				if err != nil { t.Fatal(err) }
				if len(q[0].Errors) > 0 {
					fmt.Printf("%s NOCOMPILE %v %s\n", kind, p.Fset.Position(at), q[0].Errors[0].Msg)
					return
				}
				g, err := checker.Analyze(Analyzers(), q, nil)
				if err != nil { t.Fatal(err) }
				n := 0
				for _, a := range g.Roots {
					for _, d := range a.Diagnostics {
						n++
						if n == 1 { fmt.Printf("%s CAUGHT %v %s\n", kind, p.Fset.Position(at), d.Message) }
					}
				}
				if n == 0 { fmt.Printf("%s MISSED %v\n", kind, p.Fset.Position(at)) }
			}
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.ExprStmt)
				if !ok { return true }
				call, ok := s.X.(*ast.CallExpr)
				if !ok { return true }
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok { return true }
				switch {
				case sel.Sel.Name == "Set" && len(call.Args) == 1:
					try("ASSIGN", s.Pos(), edit{off(s.Pos()), off(s.End()), txt(sel.X) + " = " + txt(call.Args[0])})
					if _, ok := call.Args[0].(*ast.CallExpr); ok {
						try("DISCARD", s.Pos(), edit{off(s.Pos()), off(s.End()), txt(call.Args[0])})
					}
					try("REMOVE", s.Pos(), edit{off(s.Pos()), off(s.End()), ""})
				case sel.Sel.Name == "Set" && len(call.Args) == 2:
					try("ASSIGN", s.Pos(), edit{off(s.Pos()), off(s.End()), txt(call.Args[0]) + " = " + txt(call.Args[1])})
					try("REMOVE", s.Pos(), edit{off(s.Pos()), off(s.End()), ""})
				}
				return true
			})
		}
	}
}
