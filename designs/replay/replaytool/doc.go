// Package replaytool has the replay memories of the etch command: their designs, and
// the verbs run and experiment.
//
// # Commands
//
// Package replay describes the tree and its forms. Operations of your own go through
// it, cycle by cycle; each response is compared with the exact sequential object's:
//
//	$ printf 'op,index,value\ninsert,,1.5\ninsert,,\nupdate,0,4\nstratified,,4\nfind,,4.5\n' > ops.csv
//	$ go run ./designs/cmd/etch run replay -p k=4 -p form=pipelined -in ops.csv -out results.csv
//	8 operations in 35 cycles, pipelined, K = 4: all responses equal the model's; 2 slots filled, sum 5.5
//
// An insert without a value is at the largest priority so far; values are real numbers, integers of
// LSBs with -codes, and |δ| with -error. In a design of your own replay.Buffer[T] keeps transitions
// of any form beside the tree, in the tree's order, and gives batches with weights;
// replay.Accelerator puts it behind AXI4-Lite, with a driver in designs/replay/host.
//
// 128 draws from 2^20 leaves, cycles from the first offer to the last response, in simulation (etch
// experiment replay-speed):
//
//	form                     K        draws                              updates
//	pipelined                4 / 64   168 / 150                          168 / 150
//	serial                   4 / 64   5,377 / 3,073                      5,377 / 3,073
//	the paper's scan         64       8,346 (Σf + (B−1)·max f = 8,324)   140
//	the same, ending early   64       5,211                              140
//
// Go trees on one core of the same machine in the same run, otherwise idle, millions a second:
//
//	leaves      K        draws        updates
//	16,384      2 / 16   8.6 / 14.5   39 / 78
//	1,048,576   2 / 16   3.4 / 7.2    6.2 / 33
//
// The pipelined tree of 4,096 leaves with K = 4 takes 2,365 LUT, 2,005 FF, 11 block RAMs, 6 DSP
// (yosys synth_xilinx -family xc7, etch experiment replay-area); with K = 64 13,210 LUT. With
// 16,384 leaves and registered memories it runs at 104.7 MHz with K = 4 and 113.6 MHz with K = 2 on
// an LFE5U-25F, speed 6 (median of three seeds, 103.4 to 111.8 and 107.9 to 114.2; -pnr -p
// capacity=16384 -p read=2): one operation a cycle, so 105 million a second. go doc
// etch/designs/replay has the table of all forms and K. etch experiment replay-draws has the χ² of
// ten million draws and the errors of priorities and weights against float64.
//
// The paper's ratios (draws 7.4 times as fast as its CPU, updates about 125) are to its own
// baselines. Its scan takes 8,346 cycles for 128 draws, 28 µs at an assumed 300 MHz; a Go tree with
// K = 16 takes 18 µs here, so with such a rival the scan has no gain. The pipelined form takes 168
// cycles: 0.56 µs at the assumed 300 MHz, 1.6 µs at 105 MHz. Updates at 105 million a second are
// 3.2 times that Go tree's at 2^20 leaves and 1.3 times at 16,384.
package replaytool
