// Package drivers finds nets of Verilog that several things drive, before yosys joins them.
//
// yosys makes one net of all that an assign joins, so that of two drivers one is lost. The
// netlist that write_rtlil prints of the files, as they were elaborated, still has both.
// [Mend] counts the drivers of each bit there. Drivers that fight are an error with both
// lines. Between a driver that lets go of the net (z) and the net it puts a cell.
//
//	rtlil.go            the text of write_rtlil
//	drivers.go          the drivers of each bit, and whether they fight
//	drivers_open.go     whether a driver lets go
//	drivers_explain.go  the errors
//	mend.go             the changes to the text
//	assignments.go      the lines of the user's Verilog that assign to a net
//
// The package imports attribute, cells and the standard library.
package drivers
