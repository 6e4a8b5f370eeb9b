// Package learner makes circuits that train small networks on chip: forward and backward passes, the
// losses of DQN ([Config]) and of DDPG ([DDPG]), gradient descent and target networks, in lock step
// and without handshakes. [etch/designs/learner/model] is its arithmetic, bit for bit. The
// architecture goes back to Zhang, Kuppannagari and Prasanna's on-chip replay and learner; the
// schedule and the sharing of weights are this package's own.
//
// # Tiles and beats
//
// Each layer has a tile of a·b multipliers and memories whose word is the a·b weights
// of a tile. Every stage walks over all words of its layer, one a cycle:
//
//	forward    broadcasts a inputs down the tile and sums along it      b sums
//	backward   the other way, with the gradients of the outputs         a sums
//	gradient   adds the outer product to a word of the gradient memory  a·b sums
//
// The last tile of a layer is filled up: with inputs of 0, and with outputs that nobody
// reads.
//
// A stage has a new sample every beat: as many cycles as the largest layer has words.
// With DP > 1, DP samples are processed side by side. They use the same word of weights in the same
// cycle, so neither weights nor gradients are copied.
//
// # Schedule
//
// [Config.Schedule] says in which cycle of a step each stage begins, how deep the
// buffers between stages are, and how long a step takes. A stage begins as soon as
// every tile it reads will be there in time, which may be long before its producer
// ends. Nothing waits for anything: a counter of cycles starts the stages.
//
// There is no pass for the update. The gradient of a batch's last sample completes a
// word's sum, which goes on to the weight at once; the first sample's begins it, so
// that nothing is cleared. By then no forward pass of the step is left, and the same
// layer's backward pass has read the word some cycles before.
//
// # Streams
//
// Chains that read one memory go along with one another, so that one port serves them.
// The target network runs on next states beside the online network. Double's choice of
// the next action, or DDPG's critic on the actor's actions, runs in lanes behind the
// learning lanes, on the same words of weights. So does the way back through the critic
// to the actions, beside the backward pass of the loss: both read the critic as it was
// before the step, and nothing is copied (the paper's lagged critic).
//
// # Arithmetic
//
// Sums are exact; a value is rounded where it is stored (see [Arithmetic]). So results
// depend neither on tiles nor on DP.
//
// # Area
//
// CartPole with a beat of 32 cycles takes 3,927 LUT, 4,897 flip-flops and 38 DSP of the xc7
// family, by yosys 0.23: etch explore learner -sweep dp=1 -measure yosys:xc7. A gate is
// therefore written as hw.Mux(c, x, 0) right before a register wherever it can be: synthesis
// makes it the register's reset, which takes no table.
//
// The package imports hw, hw/arith, hw/fixed, hw/float, hw/pipe, designs/float and the model.
package learner
