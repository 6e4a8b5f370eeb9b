// Package tool has the replay memories of the etch command: their designs, and
// the verbs run and experiment.
package tool
