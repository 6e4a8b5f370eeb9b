// Package gae is generalized advantage estimation in hardware, after HEPPO: a
// processing element that takes a step of a trajectory every cycle, by looking
// several steps ahead.
//
// Package gae/model is its arithmetic on Go integers, bit for bit.
package gae
