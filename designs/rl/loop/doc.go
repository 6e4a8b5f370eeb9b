// Package loop closes the loop between a task and a learner: it acts, takes rewards,
// keeps transitions, asks for gradient steps and tests the policy, until the task is
// solved. The learner is anything that does these things on raw activations: the
// bit-exact model of designs/rl/model, or a circuit.
//
// A loop is deterministic by its seed. Its random numbers (starts of episodes,
// exploration, starts of tests) come from generators of its own, so that two learners of
// equal bits see the same task.
package loop
