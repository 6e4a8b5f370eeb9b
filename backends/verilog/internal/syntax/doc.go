// Package syntax holds Verilog as trees and prints them: expressions ([Expr]) and the
// statements of always blocks ([Stmt]).
//
// Package verilog decides every text: which value is a name, which operator an operation
// becomes, which statements share an if. It makes the trees of a module first, with operands
// as references ([Ref]) and with open forms where the text depends on whether an operand is a
// name. It then decides the names from the references and closes all forms. Printing adds only
// brackets, line breaks and indents, which depend on nothing but the tree. So a question about
// the text, such as "does Verilog take this operand as signed?", is a question to the tree, and
// no second function has to predict the first.
//
// Trees live in an [Arena] that is reset from module to module. The package imports ir/bits,
// package names and the standard library.
package syntax
