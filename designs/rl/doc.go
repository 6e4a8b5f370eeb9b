// Package rl joins a replay memory and a learner to a system that learns by itself, behind
// one AXI4-Lite port: a host writes an environment's answers and reads the next action;
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
//	update  the rest of these writes, until a draw would see all of them
//
// The writes are in the order of the draws, so that of a transition drawn twice the last
// error counts. A step begins when everything inserted before it has reached the tree.
// So a host that inserts only between steps has the order of the model.
//
// With the learner's Prefetch a step has the batch of the next one drawn while it learns, into
// the other half of the memories of samples. These draws go before the new priorities of
// its own batch, which wait for them: priorities lag by one step, and so do transitions that
// the host inserts between the two. draw is then one cycle, in which the learner starts; the
// first step behind a reset or a clear draws its own batch as well.
//
// # Returns of several steps
//
// With a Horizon of n the system keeps the transitions of the last n steps and stores the
// first one's state and action with the return of all of them, the product of their
// discounts, and the last one's next observation. The host says with the command end where
// an episode is over: transitions that wait are stored with shorter returns. An insert that stores a
// return then takes 3 cycles for each transition joined, and 3 more (see InsertCycles).
//
// # From a transition to a weight
//
// The example Transition follows one transition through the circuit, with the waves of its
// step; the network is one weight, one hidden neuron and two values, a batch is that
// transition alone. A column is a clock cycle.
//
//	register insert      the host's write of insert (bus.request_valid). A cycle later it is a
//	                     command; the transition waits one cycle (insert_waits), and goes into
//	                     the memory's queue.
//	priority             16 cycles later (buffer.write_valid_16) it enters the tree with the
//	                     greatest priority so far, which went through the same pipeline as
//	                     exponents of errors do, so that writes stay in order.
//	stored               behind the levels of the tree (buffer.events_inserted) the transition
//	                     itself is written. Every draw that entered the tree later sees it.
//	draw                 a step asks for its batch (buffer.request_valid). A target goes down
//	                     the tree; a leaf comes out 17 cycles later (buffer.arrives) with its
//	                     index, generation and priority.
//	sample               17 cycles more make the importance weight of priority and least
//	                     priority; the transition is pushed into the learner (learner.push),
//	                     which starts behind the last one.
//	values               outputs of the hidden layer (learner.forward_0_valid_6), then values
//	                     (learner.forward_1_valid_6): in lock step the online network's of the
//	                     state, and the target network's of the next.
//	TD error             4 cycles later (learner.losses_valid). It goes two ways: its size to
//	                     the memory (buffer.update_valid), and clipped and weighted to the
//	                     gradients.
//	gradient             its product with the hidden neuron's output joins the sum of the batch
//	                     (learner.backward_1_valid_4).
//	weight               the last sample's sum, times the rate, moves the weight, which is
//	                     rounded and stored (learner.backward_1_valid_6), here from 0.25 to 0.5.
//	new priority         (|δ| + ε)^α enters the tree (buffer.write_valid_16). When a draw would
//	                     see it, the step is over (step_done).
//
// # Acting
//
// The host writes an observation, element by element, and Act; the learner's online network
// answers with all values and the best action. The observation stays: with the action taken,
// the reward and the next observation it becomes the transition of Insert, which makes the
// next observation the present one.
//
// A [System] takes any [Learner]. One that counts its saturations (its field Count) adds three
// registers: values beyond their format, of weights, activations and gradients.
//
// The package imports hw, hw/stream, hw/axi, hw/arith, hw/fixed, designs/learner, designs/replay and
// the models of both.
package rl
