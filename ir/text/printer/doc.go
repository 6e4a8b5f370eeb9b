// Package printer writes the text form of a netlist. The grammar is documented
// in package [etch/ir/text], which also reads it; printing is apart so that what
// only prints (passes, the command) does not link the parser.
//
//	err := printer.Print(os.Stdout, design)
//
// Equal designs give equal bytes: everything is printed in the order of the
// design's own tables, files and enumerations in the order of their first use. A
// design that [ir.Verify] refuses is still printed, with "?" for what a broken
// reference cannot name, so that it can be looked at; only what verifies is sure
// to be read back.
//
// The package imports ir and the standard library only.
package printer
