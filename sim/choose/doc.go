// Package choose decides which control states of a net get code of their own, and has the tunables
// of all engines ([Policy]). It sees a net and states that the design passed through, and makes no
// code. All work is estimated in machine cycles ([Effort]), never timed, so that equal nets and
// states give equal decisions. Where engines must measure, in contests, they read the clock that a
// Policy holds.
//
//	control.go  the control registers, and what a cycle costs when their values are known
//	reads.go    words of memories that control registers address
//	plan.go     a [Plan]: the registers that are taken as constant (guards), and those whose
//	            values tell bodies apart (deciding)
//	cover.go    the combinations of values that get a body: those that pay for their compiling
//	fork.go     conditions of a cycle by which a body is split
//	survey.go   all of this for callers that compile bodies themselves, as lanes do
//	policy.go   every tunable, with its meaning, unit and origin; in parts for gates
//	            (policy_gates.go), for lanes (policy_lanes.go) and for code of all kinds
//	            (policy_code.go). Those of sim/net are defined there (net.Costs), because that
//	            package is below this one.
//
// The package imports sim/net.
package choose
