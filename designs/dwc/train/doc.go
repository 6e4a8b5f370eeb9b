// Package train trains differentiable weightless controllers in plain Go on
// the CPU, and exports them as package model's models. The task is the
// pendulum of package pendulum or the car of package mountaincar; the method
// is soft actor-critic (SAC), deep deterministic policy gradient (DDPG) or
// proximal policy optimisation (PPO).
//
//	t, err := train.New(train.Default())
//	err = t.Run(ctx, func(p train.Progress) { fmt.Println(p.Step, p.Return) })
//	m, err := t.Model()
//	r, err := train.Evaluate(m, pendulum.Solve(), train.TestStarts(1000))
//	fmt.Println(r.Gap())
//
// # The trained network
//
// The actor is the network that becomes the circuit: thermometer bits of the
// sensors' codes, layers of LUTs with real-valued tables, a popcount, and
// y = e^logα·(count/G − ½) + β. Forward it is exactly the circuit: sensor
// codes, folded integer thresholds, an entry's sign as the bit. Backward,
//
//   - a table entry that was read gets the output's gradient;
//   - a pin gets the extended finite difference (EFD) of its table, see efd.go;
//   - a learnable mapping's scores W get (2x−1)ᵀp and the inputs before it
//     p·softmax(W/0.001)ᵀ, see mapping.go; a fixed mapping passes p on.
//
// Tables are clamped to ±1 after every step. The standard deviation of the
// exploration comes from a small ReLU network that the circuit does not need;
// so do the twin critics. Widths, pins per LUT, thresholds and both kinds of
// mapping are options.
//
// At regular steps the policy, without noise, is scored on validation starts
// of its own, and Model exports the best one. The rates fall to zero
// towards the end of the run. The validation starts come from another random
// stream than TestStarts, on which finished controllers are judged.
//
// # Left out
//
// Observation statistics are fixed, not running, because the tasks' ranges are
// known. PPO's gradients are not limited in length, since tables learn one by
// one.
//
// # Results of the default configuration
//
// Reference minus controller over the 1000 TestStarts, the controller as
// exported with its 12-bit sensor and its 12-bit DAC; the reference returns
// −138.5. The float column is the same network without the two roundings.
//
//	seed   gap  float   policy of step
//	   1   5.5    5.6   20000
//	   2   8.0    8.0   19000
//	   3   6.2    6.2   17000
//	   4   7.6    7.7   18000
//	   5   5.8    5.9   20000
//	   6   6.2    6.2   17500
//	   7   7.8    7.8   19500
//	   8   6.7    6.7   17500
//	   9   6.5    6.5   20000
//	  10   6.6    6.7   18500
//
// A run took 27–55 s on a machine of two processors that others kept busy
// too, and 28–39 s of processor time. Seed 1 with a fixed mapping: 6.8; with
// 12,000 steps and 31 thresholds: 8.5; with 12,000 steps and 4 pins: 8.9.
// ETCH_SLOW=1 go test -run Goal -v repeats seeds 1–5.
//
// # Results of other tasks and algorithms
//
// Gaps of the defaults over 1000 starts, seeds 1 to 5 (etch train dwc -task T -algorithm A
// -seed N -o F); the pendulum's reference returns −138.5, the car's 95.8, which is a grid's
// and a little below the optimum:
//
//	task         algorithm    steps   gaps
//	pendulum     ddpg        20,000   12.0  11.1   8.8  15.9   9.8
//	pendulum     ppo        102,400   10.5  12.8  13.2  13.1  11.1
//	mountaincar  sac         20,000   −0.6   0.4   1.1   1.3   0.3
//	mountaincar  ddpg        20,000    1.6   2.2   1.8  −0.1   2.7
//	mountaincar  ppo         81,920   −1.2  −2.0  −2.7  −1.7  −0.8
//
// The car's goal takes a swing, which noise that is new in every step does not find: SAC
// and DDPG explore by noise that is correlated from step to step (0.98), and PPO's policy
// is a distribution given the noise before, see ppo. With independent noise PPO stood still
// on the car (95.8), and on the pendulum ended at 16.2, 17.2 and 12.7 after 200,000 steps
// with γ = 0.95.
//
// # Invariants
//
// A run depends on its Config alone: the same bits come out on every repeat,
// for every number of processors, on every architecture, and with or without
// a Save and Resume anywhere. Hence work is always cut into the same two
// shards, sums have one order, every product is rounded before it is added,
// and logarithm, exponential and sine are our own.
//
// The package imports model, the tasks and ir/output, and no other part of etch.
package train
