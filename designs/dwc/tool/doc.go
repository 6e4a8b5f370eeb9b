// Package tool is the part of the etch command for weightless controllers: the
// design for export and report, and the verbs convert, run, train and demo.
package tool
