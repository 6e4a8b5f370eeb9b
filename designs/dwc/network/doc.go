// Package network is a folded controller as a logic network, and the exact
// reductions that make its circuit small.
//
// [Of] lays a [model.Folded] out as comparators, layers of lookup tables and
// groups to be counted, one for one. [Network.Reduce] returns a smaller network
// that computes the same counts for every sensor code, with the number of things
// each reduction removed ([Counts]). [Network.Run] evaluates either, which is how
// tests hold them against each other and against model.Eval.
//
// Layers stay layers: a table reads the outputs of the layer before it only, so
// that a pipeline register can stand between any two.
//
// The package imports designs/dwc/model and the standard library only.
package network
