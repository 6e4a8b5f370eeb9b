// Package dwctool is the part of the etch command for weightless controllers: the
// design for export and report, and the verbs convert, run, train and demo.
//
// # Commands
//
// Package dwc describes the circuit and its sizes, package dwc/model the model file.
//
//	$ go run ./designs/cmd/etch train dwc -seed 1 -o model.json
//	model.json: seed 1, 20000 steps, 26.5 s
//	mean return over 1000 starts: value iteration -138.5, circuit -144.0, float policy -144.0; gap 5.5
//	$ go run ./designs/cmd/etch run dwc -p model=model.json -in obs.csv -out act.csv
//	$ go run ./designs/cmd/etch convert checkpoint.pt -o model.json -bits 63 -sensor-bits 12 -sensor-max 3,3,8 -action-scale 1
//	$ go run ./designs/cmd/etch convert -list
//	$ go run ./designs/cmd/etch report dwc -p model=model.json -o plots
//
// The observations are a CSV file whose header names the model's dimensions in order (cos,sin,speed
// for the pendulum, obs_0,… after convert), in physical units or, with -codes, as sensor codes; -p
// head=counts or argmax gives the votes or the class instead of actions.
//
// convert reads controllers of the authors' scripts and networks of torch_dwn and difflogic, as
// state dictionaries or whole modules; convert -list has the layouts and the flags each needs,
// convert -list FILE tells which one a file is. Nothing in a checkpoint is run.
//
// etch experiment dwc-noise -o plots repeats the paper's figure 4: 1000 rollouts for each level of
// noise on the normalised observation, the circuit simulated in 8000 lanes, beside a perceptron
// that imitates the controller, in float and with 8 bits, with a table and an SVG; etch experiment
// dwc-size its table of sizes (minutes).
//
// Training is SAC with learnable wiring, or DDPG (-algorithm ddpg, gaps 12.0, 11.1 and 8.8 for
// seeds 1–3), or PPO (-algorithm ppo, gaps 10.5 to 13.2 for seeds 1–5); -task mountaincar learns
// MountainCarContinuous-v0 (seed 1: SAC 96.4, DDPG 94.3, PPO 97.0, value iteration 95.8); it is
// deterministic for a seed and can be resumed (-resume; the run is kept beside the model).
//
// Ten seeds of the default configuration come within 5.5 to 8.0 of value iteration (−138.5), in 27
// to 55 s each on a machine that others kept busy: go doc etch/designs/dwc/train has the table.
//
// # Inputs of a table and registers
//
// The pendulum's controller trained with tables of 2, 4 and 6 inputs (etch train dwc -seed 1 -n
// N -o nN.json; returns −147.3, −146.7 and −144.0, value iteration −138.5), placed and routed
// on an LFE5U-25F, the median of three seeds. By
//
//	etch explore dwc -sweep "model=n2.json,n4.json,n6.json" -sweep pipeline.layers=false,true \
//	  -sweep pipeline.counts=0,1,2 -measure ops,cycles,pnr:lfe5u-25f -margin 0 -pareto lut,mhz -plot
//
// with yosys 0.23 and nextpnr-ecp5 0.11.1 (2026-11-24); layers and counts are the registers
// between the layers and inside of the popcounts:
//
//	n   layers   counts   latency     LUT    FF     MHz
//	2   no       0              3     897   120    75.5
//	2   no       1              4     885   150   106.7
//	2   no       2              5     851   187   137.2
//	2   yes      0              4     924   156    78.5
//	2   yes      1              5     909   186   107.7
//	2   yes      2              6     873   223   135.2
//	4   no       0              3    1077   132    69.9
//	4   no       1              4    1068   165   109.8
//	4   no       2              5    1028   202   139.5
//	4   yes      0              4    1076   185    67.4
//	4   yes      1              5    1074   218   105.1
//	4   yes      2              6    1028   255   139.2
//	6   no       0              3    1376   139    64.6
//	6   no       1              4    1377   172   112.5
//	6   no       2              5    1330   209   132.9
//	6   yes      0              4    1400   199    71.1
//	6   yes      1              5    1380   232   115.5
//	6   yes      2              6    1330   269   141.9
//
// A register in the popcount costs nothing but flip-flops, and halves the period; one between
// the layers gains nothing behind it. Tables of two inputs are the smallest, of six the best.
//
//	 mhz
//	    │
//	140 ┤                       b                             c
//	    │    a  ·
//	130 ┤                                                     ·
//	    │
//	120 ┤                                                          ·
//	110 ┤                           ·                              ·
//	    │        · ·                ·
//	100 ┤
//	    │
//	 90 ┤
//	 80 ┤
//	    │         ·  ·
//	 70 ┤                           ··                                ·
//	    │                                                          ·
//	 60 ┤
//	    └─────────┬──────────┬─────────┬─────────┬─────────┬──────────┬──── lut
//	             900       1000      1100      1200      1300       1400
//	a  lut 851, mhz 137.2  model=n2.json pipeline.layers=false pipeline.counts=2
//	b  lut 1028, mhz 139.5  model=n4.json pipeline.layers=false pipeline.counts=2
//	c  lut 1330, mhz 141.9  model=n6.json pipeline.layers=true pipeline.counts=2
package dwctool
