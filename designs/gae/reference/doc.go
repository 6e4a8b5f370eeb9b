// Package reference is generalized advantage estimation in float64, as the public
// trainers compute it, and the way from a trainer's data to the circuit's.
//
// [Trajectory] is the record of one environment; both conventions and the
// circuit start from it.
//
//	a, err := reference.StableBaselines.Estimate(tr, 0.99, 0.95)
//	steps, clipped := reference.StableBaselines.Steps(tr, model.Default)
//
// # Conventions
//
// The trainers differ in their notion of a truncation: an episode that ended because its
// time was up, in a state that has a future.
//
//   - [StableBaselines], the default, is stable-baselines3: the value of the final
//     observation stands in for the future that was cut off (the trainer adds γ·V of
//     it to the last reward).
//   - [CleanRL] is CleanRL's ppo.py: a truncated episode ends like a terminated one,
//     and nothing comes after it.
//
// Both let an episode that is still running at the end of the data go on with the
// value of the state after the last step.
//
// Results are the same bits on every architecture. Of etch the package imports
// the circuit's model and its number format alone.
package reference
