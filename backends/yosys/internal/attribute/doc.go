// Package attribute has the attributes and parameters of yosys's netlists, and the places
// in the user's Verilog that the attribute src names.
//
// Both readers use it: cells, of the output of write_json, and drivers, of that of
// write_rtlil. It imports the standard library.
package attribute
