// Package gaetool is the part of the etch command for the GAE accelerator: its
// designs, and the verbs run, demo and experiment.
//
// # Commands
//
// Package gae describes the circuit after HEPPO, package gae/model its arithmetic, registers and
// settings. The verb run puts a trajectory of your own through the circuit, cycle by cycle: a CSV
// with the header reward,value,next_value,terminated,truncated and one step a line in time order;
// next_value is the value of the next observation, at a truncation that of the final one:
//
//	$ go run ./designs/cmd/etch run gae -p gamma=0.99 -p lambda=0.95 -in steps.csv -out adv.csv
//	1000 steps, γ = 0.99, λ = 0.95, 4 rows: 2028 cycles from start to done in 2 runs, of which the last stores results in the finest units that hold them; 4196 of the host port
//	clipped on loading: 0 rewards, 0 values, 0 bootstrap values
//	saturated: 0 restored values, 0 δ, 0 advantages, 0 returns; as stored 0 advantages, 0 returns
//
// A truncation goes on with next_value, as in stable-baselines3; -convention cleanrl ends there.
// Without -variant nothing is standardised or quantised, and stored results are within 80 dB of
// float64 or better where rewards and values are not far below 1 (74 dB at 0.03, 65 dB at 0.01:
// data has 16 fraction bits); -variant 5 is the paper's own, with dynamically standardised rewards
// and 8-bit codes.
//
// An episode is a vector of its own, so that rows share the work (the example is one episode, on
// one row). Results outside the circuit's range, even shifted, are an error that names the lines
// (-saturate takes the nearest); so is a next_value that is not the next row's value, the sign of
// interleaved environments. Inside an episode and at a termination next_value may be empty.
//
// go run ./designs/cmd/etch demo gae trains PPO on the pendulum with three seeds, each with
// advantages from float64 and from the circuit behind its host port, draws the learning curves and
// says whether a difference is shown (about 80 s). etch experiment gae-quant compares the paper's
// five variants, each in float64 and in the circuit, 3 to 10 bits and three baselines, on two
// tasks; gae-area counts cells, gae-speed compares with a processor core, fmax places and routes
// parts on an ECP5 (after go run ./testbench/cmd/check -short -require nextpnr-ecp5).
//
// Over 10 seeds, rewards ten times too large ruin the run without standardisation; dynamic
// standardisation mends that as well as running-return scaling or a tuned constant does, with 8
// bits as with float64. At the task's own scale no variant and none of 3 to 8 bits differs from
// float64 beyond its interval; the paper's gain of half as much reward was not seen. Table,
// intervals and commands: RATIONALE.md.
package gaetool
