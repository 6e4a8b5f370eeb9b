package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Discard reports results that are dropped where the result is all there is.
var Discard = &analysis.Analyzer{
	Name: "hwdiscard",
	Doc: `check for dropped results of hardware operations

An operation makes a new value and changes nothing: a statement such as

	count.Inc()        // should be count.Set(count.Inc())
	m.On(p.Wr)         // should be wr := m.On(p.Wr)

makes hardware that nothing uses. The check knows the operations of hw, hw/fixed
and hw/stream, and functions of the same package that only compute; a register, a wire or a memory without a variable is reported too,
for nothing can Set or read it. What declares something or names it (Inst, Delay,
Sync, Named) may stand alone.`,
	Requires: []*analysis.Analyzer{indexAnalyzer},
	Run:      runDiscard,
}

func runDiscard(pass *analysis.Pass) (any, error) {
	ix := indexOf(pass)
	if ix == nil {
		return nil, nil
	}
	for c := range ix.root.Preorder((*ast.ExprStmt)(nil)) {
		// Only statements: a result that an expression uses is not dropped.
		call := asCall(c.Node().(*ast.ExprStmt).X)
		if call == nil {
			continue
		}
		if why := ix.dropped(call); why != "" {
			ix.report(pass, analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
				Message:        brief(call.Fun) + ": " + why,
				SuggestedFixes: ix.keepResult(c, call)})
		}
	}
	return nil, nil
}

// dropped is the message about a call whose result nobody takes, "" for
// a harmless one.
func (ix *index) dropped(call *ast.CallExpr) string {
	// Handles whose result is the only way to use them.
	switch name := hwCall(ix.info, call); name {
	case "Module.On", "Module.Scope":
		return "the result is dropped and " + brief(operand(call)) + " is as before; use the view that is returned"
	case "Reg", "RegInit", "Wire":
		return "the result is dropped, so nothing can Set or read it; assign it to a variable"
	case "Mem", "Memory.ReadPort", "Memory.WritePort":
		return "the result is dropped, so nothing can read or write it; assign it to a variable"
	case "Enum.Cases", "UInt.Cases":
		return "the result is dropped; write for v := range " + brief(call)
	}

	// An operation of the library, or a function of the user's that is pure, does nothing else but
	// give its result.
	f := function(ix.info, call)
	if !ix.makesSignal(call) || !(f != nil && isOperation(f)) && !ix.pure(call) {
		return ""
	}
	return "the result is dropped and nothing else happens; use it, or drive a signal with Set"
}

// isOperation reports whether all that a function of the library does is its
// result.
func isOperation(f *types.Func) bool {
	if !isHW(f.Pkg()) && !isPart(f.Pkg(), "fixed") && !isPart(f.Pkg(), "stream") {
		return false
	}

	// Methods that build or drive have effects whatever their results.
	switch receiver(f) {
	case "Module", "Chain", "ReadPort", "WritePort":
		return false
	case "Memory":
		return f.Name() == "Read"
	}
	if f.Name() == "Named" || f.Name() == "Build" {
		return false
	}

	params := f.Signature().Params()
	for i := range params.Len() {
		t := params.At(i).Type()
		if _, isFunc := t.Underlying().(*types.Signature); isFunc || isModule(t) {
			return false // it may do anything
		}
	}
	return true
}

// makesSignal reports whether the one result of a call is hardware.
func (ix *index) makesSignal(call *ast.CallExpr) bool {
	t := ix.info.TypeOf(call)
	_, isParam := types.Unalias(t).(*types.TypeParam)
	return isParam || holds(t)
}

// keepResult is the fix that drives the operand of an operation with its result,
// where the operand is a register or wire of the same type.
func (ix *index) keepResult(c inspector.Cursor, call *ast.CallExpr) []analysis.SuggestedFix {
	x := operand(call)

	// Only a register or wire can be driven with its own next value.
	if x == nil || scalarMethod(ix.info, call) == "" || !types.Identical(ix.info.TypeOf(x), ix.info.TypeOf(call)) {
		return nil
	}
	v, _ := ix.rootOf(x)
	if v == nil || ix.declares(v) == "" {
		return nil
	}

	// A text that was shortened cannot be put into a fix.
	text := types.ExprString(x)
	if strings.Contains(text, "…") || strings.Contains(text, "...") {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "Set " + text,
		TextEdits: []analysis.TextEdit{
			{Pos: call.Pos(), End: call.Pos(), NewText: []byte(text + ".Set(")},
			{Pos: call.End(), End: call.End(), NewText: []byte(")")},
		},
	}}
}
