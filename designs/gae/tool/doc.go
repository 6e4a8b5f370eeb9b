// Package tool is the part of the etch command for the GAE accelerator: its
// designs, and the verbs run, demo and experiment.
package tool
