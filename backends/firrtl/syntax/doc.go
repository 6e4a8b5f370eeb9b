// Package syntax reads the text of FIRRTL: a lexer that knows indentation, a
// recursive-descent parser, and the tree they make. It takes files of versions 2
// to 7 and files without a version line, as they were before that.
//
//	c, err := syntax.Parse("core.fir", text)
//	for _, m := range c.Modules {
//		fmt.Println(c.Names[m.Name], len(m.Ports))
//	}
//
// The tree is a handful of slices: an expression, a statement or a type is the
// index of its row (Expr, Stmt, Type; 0 is none), a name the index of its string.
// A file of a million lines so makes a few dozen allocations, and a second or so.
// What hardware does not need (properties, probes' layers, classes, annotations)
// is read over, with a [Note] where something was left out.
//
// Limits, all with an error that names the line: expressions, types and blocks
// nest at most MaxNesting deep, a file has less than 2 GB.
//
// The parser checks form only: types, widths and names are package lower's. It
// imports ir/input and the standard library only.
package syntax
