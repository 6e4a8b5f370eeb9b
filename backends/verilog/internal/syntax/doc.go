// Package syntax holds Verilog as trees and prints them: expressions ([Expr]) and the
// statements of always blocks ([Stmt]).
//
// Package verilog decides every text: which value is a name, which operator an operation
// becomes, which statements share an if. A tree is the result of these decisions. Printing
// adds only brackets, line breaks and indents, which depend on nothing but the tree. So a
// question about the text, such as "does Verilog take this operand as signed?", is a
// question to the tree, and no second function has to predict the first.
//
// Trees live in an [Arena] that is reset from statement to statement: a design of a
// million operations costs no garbage. The package imports ir/bits and the standard
// library.
package syntax
