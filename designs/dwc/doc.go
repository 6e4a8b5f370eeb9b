// Package dwc generates circuits of differentiable weightless controllers
// (Kresse and Lampert, "Differentiable Weightless Controllers"): observations
// become thermometer bits, layers of small lookup tables read them, a popcount
// per action votes, and a ROM turns the count into an action word. There is no
// arithmetic but the comparison and the count, and a new action every cycle.
//
//	obs (signed, W bits each) → Encoder → Layer 1 … Layer L → popcount → action ROM → act (signed)
//
// [Controller] is the whole; [Voter] gives the raw counts and [Classifier] the
// index of the largest one, for users of weightless networks. All three take a
// [etch/designs/dwc/model.Model], a [Pipeline] and the reductions of
// etch/designs/dwc/network. Reduced or not, a circuit gives the results of model.Eval,
// bit for bit; tests hold them in lock step under every judge.
//
// # Latency
//
// Latency() is the number of clock edges from a port's input to the output that
// belongs to it. The authors do not count the register at the input:
// AuthorsLatency() leaves it out too.
//
// # Sizes
//
// Cells of random controllers of the paper's shapes after yosys 0.23's
// synth_xilinx -family xc7 with the hierarchy kept: two layers of 1024 LUT6 (the
// last padded), B = 63, W = 12, seed 1, a sensor range that leaves no threshold
// constant. An XC7A15T has 10,400 LUT, 20,800 FF.
//
//	                       LUT: encoder   core   ROM   popcounts, pipeline   whole     FF
//	Ant          reduced           3353   2046   189                  1450    7038   2740
//	             whole             3428   2048   189                  1446    7111   2824
//	HalfCheetah  reduced           2168   2050   247                  1496    5961   2153
//	             whole             2171   2050   247                  1491    5959   2172
//	Hopper       reduced           1413   2049   246                  1654    5362   1747
//	             whole             1398   2050   246                  1654    5348   1758
//	Humanoid     reduced          13579   2060   204                  1305   17148   6549
//	             reduced, W = 16  25902   2060   204                  1299   29465   6549
//	             whole, W = 8     43607   2061   204                  1253   47125  24932
//	             whole            47635   2061   204                  1253   51153  24932
//	             whole, W = 16    74036   2061   204                  1253   77554  24932
//
// With W = 8 the encoders are smaller (reduced: Ant 3050, HalfCheetah 2011,
// Hopper 1299, Humanoid 9933 LUT), with W = 16 larger (Hopper 2139, Ant 5201 LUT),
// and the rest is within 20 LUT of the above.
//
// All of these fit the paper's device but Humanoid, which needs 17,148 LUT with
// W = 12, 13,498 with W = 8 and 29,465 with W = 16. Built whole, it has 23,688 comparators and
// needs 47,125 LUT with W = 8, 51,153 with W = 12 and 77,554 with W = 16.
//
// Walker2d has HalfCheetah's shape. Random pins are the worst case for the
// reductions: in such a layer only 0.2 % of the tables are read by nobody, and
// but for Humanoid nearly every threshold is read by somebody. A trained controller differs: the
// pendulum controller that comes with etch keeps 60 of 65 comparators that are
// not constant, and drops 45 repeated pins and 28 more by thermometer order.
//
//	go run ./designs/cmd/etch experiment dwc-size -sensor-bits 12
//
// takes four to eight minutes a row on an idle core, Humanoid a quarter of an hour.
// Humanoid whole takes 20 to 40 minutes with -apart, which synthesises the encoder in runs of 32
// dimensions (with the same tables with W = 8); in one run it took more than 23 GB with W = 16.
//
// # Forms
//
// Form LUT6 builds comparators and popcounts of tables of six inputs. Classifiers
// with random tables beside the Verilog of dwn2rtl 0.3.0 with the same thresholds,
// all after the synthesis that dwn2rtl estimates by (yosys 0.23, synth; flatten;
// abc -lut 6), tables of encoder + core, and whole:
//
//	         lut6             dwn2rtl          lut6 to dwn2rtl
//	jsc50    618+108   716    693+110   798    −10.3 %
//	jsc300   346+500   846    374+534   890      −4.9 %
//	small    360+195   554    396+223   597      −7.2 %
//	n4       427+230   660    489+245   697      −5.3 %
//	deep     202+197   395    243+210   439    −10.0 %
//	pixels   342+291   632    346+297   664    −4.8 %
//	ant      871+858     -          -     -
//
// Ant was not measured beside it. Groups of 10, 12 and 14 votes count by a chain of
// counters: as a tree the cores of jsc50, n4 and pixels had 110, 238 and 300 tables. Of
// the plain form: jsc50 795, small 587, n4 693, deep 424, pixels 648.
//
// Codes of 14 bits and more keep the shared signals of their comparisons through
// synthesis, which undoes the sharing otherwise: jsc50 had 694 tables in its encoder,
// jsc300 357. Narrower codes lose by it (small 368, n4 437, pixels 368, deep 211).
//
//	go run ./designs/cmd/etch experiment dwc-area
//
// repeats it; tool/testdata/dwn2rtl.py makes the peer's Verilog.
//
// # A wanted clock
//
// The parameter clock of the command (-p clock=100MHz) chooses the registers: the
// least latency of those whose slowest of three placements reached it. The controller
// that comes with etch is measured, on an ECP5-85 -6 (tool/clock.csv): 33.9 MHz without a
// register, 62.7 with encoder, votes and output, 84.3 with a register behind the popcount
// too, 111.0 with one inside the popcount in its place, 130.9 with both, 143.3 at most.
// Any other model, form, head or reduction has paths of its own, so it is measured first:
//
//	etch experiment dwc-clock -p model=own.json -o own.csv
//	etch export dwc -p model=own.json -p clock=100MHz -p clocks=own.csv
package dwc
