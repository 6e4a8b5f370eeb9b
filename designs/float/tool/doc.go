// Package tool makes the units of designs/float available to the etch command: the
// design float for export and report, and the verbs run float and experiment
// float-area.
package tool
