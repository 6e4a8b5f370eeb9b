// Package printer writes the text form of a netlist. Package [etch/ir/text] documents the
// grammar and reads it. Printing is separate, so that programs that only print (passes, the
// command) do not link the parser.
//
//	err := printer.Print(os.Stdout, design)
//
// Equal designs give equal bytes: everything is printed in the order of the design's own
// tables, files and enumerations in the order of their first use. A design that [ir.Verify]
// refuses is still printed, for inspection, with "?" for a broken reference. Only a valid
// design is sure to be read back.
//
// The package imports ir and the standard library only.
package printer
