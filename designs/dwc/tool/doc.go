// Package tool is what the etch command does with weightless controllers: the
// design for export and report, and the verbs convert, run, train and demo.
package tool
