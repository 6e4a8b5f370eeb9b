// Package rltool gives the etch command its learning systems: the designs rl and rl_ddpg with
// their reports, the demo replay, train, run rl and run learner, and four experiments.
//
// etch demo replay learns CartPole in the circuit (about 11 million clock cycles, 15 s): acting,
// transitions, draws, gradient steps and new priorities are its own, and every action, and every
// weight after every step, must equal the model's. It writes the learning curve, the policy,
// Verilog and the waves of one step.
//
// # Commands
//
//	$ etch train dqn -engine float -o policy.json                            # the float64 baseline
//	$ etch train ddpg -env 'python3 my_env.py' -p loop.scale=1,1,0.25 -o policy.json
//	$ etch train dqn -in transitions.csv -steps 5000 -save run -o policy.json    # s_0,…,a,reward,next_0,…,discount
//	$ etch train dqn -engine circuit -save run -o policy.safetensors             # -resume run goes on, bit for bit
//	$ etch convert policy.json -o policy.safetensors                             # and back
//	$ etch run rl -weights policy.json -in obs.csv -out act.csv                  # through the circuit
//	$ etch run learner -weights policy.json -in transitions.csv -out losses.csv -save trained.json
//
// # Measured
//
// CartPole counts as solved when the greedy policy keeps the pole up for 475 steps on the
// mean of 20 episodes, and again of 100; the pendulum when the mean return of 20 is above
// −200, and again of 100. Steps are gradient steps, of 32 transitions and of 64. Every run is
// a line of testdata/runs.jsonl; a command with -results and that file prints its table
// again, and without makes the runs again, with equal results.
//
// A run of the circuit compares every action, and every weight after every step, with the
// model, so that its steps and returns are the model's.
//
// etch experiment rl-seeds -engine circuit:
//
//	cartpole, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	                    kind    solved   mean steps  most steps  mean return  worst return
//	         circuit = model  20 of 20   2250 ± 832        6100        493.2         483.0
//	                 float64  20 of 20  2815 ± 1246        9800        494.9         477.6
//	    model, no priorities  20 of 20  3185 ± 1749       16700        498.2         475.1
//	  float64, no priorities  20 of 20  3585 ± 1848       18000        496.3         477.0
//
// etch experiment rl-seeds -task pendulum -engine circuit:
//
//	pendulum, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	                    kind    solved    mean steps  most steps  mean return  worst return
//	         circuit = model  20 of 20  15150 ± 1658       23000       -181.4        -199.6
//	                 float64  20 of 20  14575 ± 2215       26000       -175.6        -199.5
//	    model, no priorities  20 of 20  28025 ± 5098       54500       -182.8        -199.0
//	  float64, no priorities  20 of 20  28850 ± 3881       50500       -179.6        -196.3
//
// etch experiment rl-formats:
//
//	cartpole, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	            kind    solved   mean steps  most steps  mean return  worst return
//	  model, 18 bits  20 of 20   2250 ± 832        6100        493.2         483.0
//	  model, 16 bits  20 of 20  2405 ± 1087        9000        494.8         480.5
//
// etch experiment rl-formats -task pendulum:
//
//	pendulum, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	            kind    solved    mean steps  most steps  mean return  worst return
//	  model, 18 bits  20 of 20  15150 ± 1658       23000       -181.4        -199.6
//	  model, 16 bits  20 of 20  14950 ± 2522       30000       -176.4        -199.4
//
// etch experiment rl-variants:
//
//	cartpole, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	              kind    solved   mean steps  most steps  mean return  worst return
//	             model  20 of 20   2250 ± 832        6100        493.2         483.0
//	     model, double  20 of 20  3065 ± 1188        8000        494.1         476.8
//	   model, prefetch  20 of 20   2280 ± 673        5300        493.3         479.4
//	  model, horizon 3  20 of 20   2510 ± 810        5200        496.2         483.9
//
// etch experiment rl-variants -task pendulum:
//
//	pendulum, seeds 1 to 20; ± is half the 95 % interval of the mean (1.96 standard errors)
//	              kind    solved    mean steps  most steps  mean return  worst return
//	             model  20 of 20  15150 ± 1658       23000       -181.4        -199.6
//	   model, prefetch  20 of 20  13850 ± 2208       24500       -174.3        -198.1
//	  model, horizon 3  20 of 20  11975 ± 3679       34500       -182.4        -199.1
//
// With a beat of 32 cycles and batches of 32, a step of CartPole takes 1,209 cycles: 117 draw,
// 1,091 learn, 1 waits for writes. A step of the pendulum, of 64 transitions, takes 2,400:
// 185, 2,214 and 1. Both equal the formula, rl.System.StepCycles, in every run of designs/rl's
// tests. With -p learner.prefetch=true they take 1,093 and 2,216 (etch report rl, rl_ddpg).
//
// # Cells
//
// The whole of rl, by etch explore rl -sweep learner.dp=1 -measure yosys:xc7a35t (yosys 0.23):
// 9,642 of an xc7a35t's 20,800 LUT, LUT memories included, 9,553 of 41,600 flip-flops, 53 of 90
// DSP and 63 of 100 block RAM of 18 kbit. By these counts it fits; it was not placed. On an
// LFE5U-45F it is placed and routed at 89.5 MHz (etch explore rl -sweep learner.dp=1 -measure
// pnr:lfe5u-45f -seeds 1 -mhz 100, one seed): 18,150 of 43,848 tables, 15,327 of 43,848
// flip-flops, 53 of 72 multipliers and 65 of 108 block RAM. The learner alone reaches 107.4
// MHz. Placements differ: with nextpnr's seed 2 the same netlist reaches 72.4 MHz, two thirds
// of whose longest path is the way to a multiplier.
//
// In an older system prefetch took 290 LUT more, returns of three steps 18 LUT, 159 flip-flops
// and 2 DSP (etch explore rl -p capacity=4096 -sweep learner.prefetch=false,true
// -sweep horizon=0,3 -measure yosys:xc7a35t).
//
// rl_ddpg, by etch explore rl_ddpg -sweep capacity=16384 -measure yosys:xc7a35t, does not fit
// an xc7a35t: 17,744 LUT and 15,014 flip-flops would, 132 DSP and 195 block RAM of 18 kbit
// are more than its 90 and 100. Half as many multipliers and a memory of 4,096 do: 13,532 LUT,
// 10,371 flip-flops, 79 DSP, 61 block RAM, a step in 4,530 cycles (etch explore rl_ddpg
// -p learner.actor_tiles=3,1,1,1 -p learner.critic_tiles=4,1,1,1 -sweep capacity=4096
// -measure yosys:xc7a35t; not placed).
//
// The learner alone, etch explore learner -sweep dp=1 -seeds 1 -measure pnr:lfe5u-45f
// (yosys 0.23, nextpnr-ecp5 0.11.1): 107.4 MHz, one placement seed, 9,313 LUT4, 8,163
// flip-flops, 38 multipliers and 2 block RAM.
//
// # Speed
//
// Gradient steps a second beside float32 in Go, the rival on a CPU: draw, learn and new
// priorities, of 32 transitions and 4-64-2 (cartpole), of 64 and 3-64-1 with 4-64-1
// (pendulum). etch experiment rl-speed, median of three runs, on two cores that others used
// too (load 17 to 20): an idle machine is several times as fast. Rivals take turns, so ratios
// are steadier, to a quarter.
//
//	    task                    engine  steps/s  of float32
//	cartpole  float32, one batch again    10662       1.339
//	cartpole                   float32     7554       1.000
//	cartpole                   float64     7762       1.028
//	cartpole                     model     4769       0.641
//	cartpole        circuit, simulated      189       0.025
//	pendulum  float32, one batch again     1691       1.071
//	pendulum                   float32     1488       1.000
//	pendulum                   float64     1473       0.941
//	pendulum                     model      763       0.470
//	pendulum        circuit, simulated       57       0.034
//
// So the circuit in simulation is the slowest of all, and is there to be checked. On a chip a
// step of rl's 1,209 cycles at the 89.5 MHz above would be 74,000 a second, and one of 1,090
// cycles of the learner alone at 107.4 MHz 98,500; neither was run on a chip. The trial of the
// model made 14,000 steps a second on an idle core, without replay; by the ratio above float32
// would make some 22,000 there, and the chip 3.4 times as many.
//
// The paper has ratios to its own baselines: its learner 1.5 to 4.3 times a GPU's step (§4.3.2,
// fig. 9), the whole system 1.3 to 3.7 times a CPU with a GPU and 1.2 to 4.3 times a GPU (§4.4,
// fig. 10), up to 263 % by the replay memory alone. On that GPU the fetches from external memory
// take most of a small batch's time, as it says; a network of these sizes stays in the cache of
// a core, so its ratios say nothing of one in float32.
package rltool
