// Package explore measures the configurations of a design and finds the best of them:
// design-space exploration that survives being killed.
//
// A [Plan] has sweeps of parameters, whose product are the candidates, and measures.
// [Run] builds each candidate, which refuses invalid ones, and applies the measures
// in order of their cost. A candidate that another one beats by a margin in all
// results so far gets no dearer measure.
//
// # Terms
//
//	candidate  one value for every swept parameter
//	measure    from a netlist (or from parameters) to named numbers, by a tool of a version
//	subject    the input of a measure; its hash, with measure and tool, is the key of a result
//	front      the candidates that no other one dominates on the axes (Pareto)
//
// # Invariants
//
//   - The journal, DIR/results.jsonl, is the truth. A result is in it before anything
//     counts it, one line a result, and a key once. Its results are not measured
//     again, by this sweep or a later one.
//   - A line without its end comes from a kill: it is dropped. Any other line that
//     cannot be read is an error with its number.
//   - One process at a time has a folder (DIR/lock).
//   - Equal sweeps with equal tools give equal tables, whatever was interrupted and
//     however many workers there were.
//
// # Several machines
//
// Over several machines: etch-cluster is etch with a server and workers, in a Go module of its own
// (NATS inside, nothing else to install). All machines run the same file; asker and workers need
// equal versions of yosys and nextpnr, and say so where they do not:
//
//	$ cd designs/explore/cluster && go build -trimpath -o etch-cluster ./cmd/etch-cluster
//	$ ./etch-cluster serve -store queue                       # 127.0.0.1:4222
//	$ ./etch-cluster work -server 127.0.0.1:4222              # in further terminals
//	$ ./etch-cluster explore fifo -sweep depth=2..64*2 -measure ops,yosys:xc7a35t -pareto lut,ff -o fifo -server 127.0.0.1:4222
//
// Any of them may be killed and started again; fifo/results.jsonl is the truth. From other machines
// a server wants a token and TLS; go doc etch/designs/explore/cluster in that folder has the lines.
//
// # A learner for a device
//
// Which learner fits a device? Cycles are exact; cells are estimated from learners that were
// synthesised:
//
//	$ go run ./designs/cmd/etch explore learner -net 8-64-4 -batch 64 -device xc7a35t
//
// It prints the fastest configurations that fit, what the next faster one lacks ("needs 138 DSP,
// the device has 90 (48 too many)"), and the line that exports the best; -budget dsp=60,lut=15000
// leaves room for the rest, -yosys and -pnr check the best. -algorithm ddpg -net 3-64-1 asks for
// actor and critic, -replay 4096 for a learner with its replay memory; -quality cartpole:8 first
// has the bit-exact model learn CartPole with 8 seeds in each number format (-formats 18,16,14),
// leaves out those that do not learn, and keeps the runs in -o DIR.
//
// # Fronts of our own designs
//
// Square root of 16 bits, pipelined, on an iCE40 UP5K: more bits a stage save flip-flops
// and cycles of latency, hardly tables, and cost the clock. By
//
//	etch explore root_pipelined -p radicand=16 -sweep bits_per_stage=1..4,8 \
//	  -measure ops,cycles,pnr:ice40up5k -seeds 1 -pareto lut,mhz -margin 0
//
// with yosys 0.23 and nextpnr-ice40 0.4:
//
//	bits a stage   latency   LUT    FF    MHz
//	1                    9   104   170   73.2
//	2                    5    99    94   45.4
//	3                    4    98    75   37.1
//	4                    3    97    56   27.3
//	8                    2    96    37   17.4
//
// Element of generalized advantage estimation: lookahead over k steps costs multipliers,
// C-slowing only flip-flops. By
//
//	etch explore gae_element -sweep form=direct,factored,cslow -sweep k=1..4 \
//	  -measure ops,cycles,yosys:lfe5u-25f -pareto lut,logic_depth -margin 0
//
// with yosys 0.23, synth_ecp5:
//
//	form       k   latency   LUT     FF   DSP
//	direct     1         6   386    470     4
//	direct     2         8   497    689     6
//	direct     3         9   630    910     8
//	direct     4         9   768   1047    10
//	factored   4         9   666    942     8
//	cslow      2         6   386    495     4
//	cslow      4         6   386    574     4
//
// Placed and routed, area against clock rate, in which k = 4 gains nothing over k = 3. By
//
//	etch explore gae_element -sweep form=direct,cslow -sweep k=1..4 -p split=true \
//	  -measure cycles,pnr:lfe5u-25f -seeds 1 -margin 0 -pareto lut,mhz
//
// with nextpnr-ecp5 0.11.1, one seed; * is on the front of LUT and MHz:
//
//	form    k   latency     FF    LUT  DSP    MHz
//	direct  1         6    484    532    4   65.2
//	direct  2         8    747    709    6  109.7
//	direct  3         9    965    904    8  137.1  *
//	direct  4         9  1,137  1,106   10  133.2
//	cslow   2         6    546    532    4  110.8
//	cslow   3         6    573    532    4  133.3  *
//	cslow   4         6    600    532    4  131.5
//
//	 mhz
//	    │
//	140 ┤                                         b
//	130 ┤    a                                                        ·
//	    │
//	120 ┤
//	    │
//	110 ┤    ·                 ·
//	    │
//	100 ┤
//	    │
//	 90 ┤
//	 80 ┤
//	    │
//	 70 ┤
//	    │    ·
//	 60 ┤
//	    └─┬─────────┬─────────┬─────────┬────────┬─────────┬─────────┬───── lut
//	     500       600       700       800      900      1000      1100
//	a  lut 532, mhz 133.3  form=cslow k=3
//	b  lut 904, mhz 137.1  form=direct k=3
//
// C-slowing takes as many trajectories in turn as it has k; a lookahead takes one. The
// same numbers came again on 2026-11-25, by the same command with -plot.
//
// Rows of the accelerator add area and leave the clock, whose longest step is in none of
// their elements (k = 2 above, 109.7 MHz). By
//
//	etch explore gae -sweep rows=1,2,4 -p split=true -p depth=256 \
//	  -measure cycles,pnr:lfe5u-45f -seeds 1 -margin 0 -pareto lut,mhz
//
// with one seed, of 2026-11-26; four rows were not done within 20 minutes:
//
//	rows   row latency   drain    LUT      FF   DSP   RAM    MHz
//	1               14     270   7,630   4,358   18     1   55.7
//	2               14     270   8,897   5,538   26     2   55.9
//
// # Devices
//
// devices.json names a vendor's document for each device. LUT and FF of xc7a35t and
// xc7a100t are also those that Vivado's utilization reports give as available, 20,800 and
// 41,600, 63,400 and 126,800; tables of ECP5 are as nextpnr counts them. etch explore
// -devices FILE adds devices or replaces these.
//
// Package explore knows nothing of commands: cli has the verb and the measures by yosys
// and nextpnr. It imports ir, ir/input and testbench/tools. Package paper, below, is the resource
// model of the replay accelerator's paper.
package explore
