// Package tool is what the etch command does with replay memories: their designs, and
// the verbs run and experiment.
package tool
