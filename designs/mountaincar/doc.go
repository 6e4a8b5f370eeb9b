// Package mountaincar is the physics of the public environment MountainCarContinuous-v0 of
// Gymnasium, in float64, with a near-optimal controller by value iteration.
//
//	var e mountaincar.Env
//	e.Reset(mountaincar.RandomState(r))
//	reward, terminated, truncated := e.Step(0.5)
//	fmt.Println(mountaincar.Solve().Score(mountaincar.Starts(1000, 1)).Mean)
//
// A car in a valley is too weak to climb the hill on its right at once: it must swing. Every
// step costs 0.1·action², the goal is worth 100 and ends the episode. The public code keeps
// the state in float32, so a long episode of it differs in the last digits.
//
// The reference returns 95.8 on the mean of Starts(1000, 1). The same bits come out on every
// architecture.
//
// The package imports nothing of etch but trig.
package mountaincar
