// Package rl joins a replay memory and a learner to a system that learns by itself, behind
// one AXI4-Lite port: a host writes what an environment does and reads what to do next;
// transitions, draws, gradient steps and new priorities stay on chip.
//
//	s := rl.CartPole(32) // DQN 4-64-2, 4,096 transitions, a beat of 32 cycles
//	d, _, err := hw.Build(s)
//
// [etch/designs/rl/model] is its arithmetic bit for bit, [etch/designs/rl/host] its driver,
// [etch/designs/rl/loop] closes the loop with an environment over either.
//
// # A gradient step
//
// The step of a batch has three phases, whose cycles the registers count:
//
//	draw    the memory is asked for a batch; its draws become the learner's samples, with
//	        their importance weights by the least priority among them
//	learn   the learner runs (see designs/learner). Its TD errors come early in it, and each
//	        goes on to the memory as the new priority of its transition
//	update  what is left of these writes, until a draw would see all of them
//
// The writes are in the order of the draws, so that of a transition drawn twice the last
// error counts. A step begins when everything inserted before it has reached the tree.
// So a host that inserts only between steps has the order of the model.
//
// # Acting
//
// The host writes an observation, element by element, and Act; the learner's online network
// answers with all values and the best action. The observation stays: with the action taken,
// the reward and the next observation it becomes the transition of Insert, which makes the
// next observation the present one.
//
// A [System] takes any [Learner].
//
// The package imports hw, hw/stream, hw/axi, designs/arith, designs/learner and
// designs/replay.
package rl
