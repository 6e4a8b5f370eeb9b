// Package tool is what the etch command does with the GAE accelerator: its
// designs, and the verbs run, demo and experiment.
package tool
