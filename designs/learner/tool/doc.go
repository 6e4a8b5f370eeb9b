// Package tool gives the etch command its learner: the design with its report, and the
// measurement of its area.
package tool
