// Package tool gives the etch command its learner: the design with its report, the
// measurement of its area, and the search for the fastest one that fits a device.
//
// The search has exact cycles of all configurations from the learner's schedule, and cells
// of the fastest from a model of package area, fitted when the command runs to the
// learners in points.jsonl. A learner that the model was not fitted to differs from
// synthesis by up to 6 % in LUT and FF for xc7, by up to 11 % in LUT and 6 % in FF for
// ecp5; its multipliers are exact. All of those learners have 64 hidden neurons and
// numbers of 18 bits.
package tool
