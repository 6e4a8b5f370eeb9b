// Package loop closes the loop between an environment and a learner: it acts, takes
// rewards, keeps transitions, asks for gradient steps and tests the policy, until the task
// is solved. The learner is anything that does these things: the bit-exact model of
// designs/rl/model, a circuit, float64 (see designs/rl/train).
//
//	l, err := loop.New(loop.CartPole(), environment, tests, agent, 1)
//	err = l.Run(ctx, nil)
//	fmt.Println(l.Result())
//
// A loop is deterministic by its seed. Its random numbers (seeds of episodes, exploration,
// seeds of tests) come from generators of its own, so that two learners of equal bits see
// the same task. [Loop.State] is all of a loop that a file must keep: a loop that is made
// from it goes on with the same numbers. The episode that was under way is kept by its seed
// and actions, and played again.
//
// Learners see observations and rewards by [Config.Scale] and Reward; actions that are
// amounts are in [−1, 1], the range of the environment.
package loop
