// Package replay makes prioritized replay memories: a sum tree that draws slots in
// proportion to their priorities, and is exact for ever.
//
// A [Tree] takes a stream of operations (insert, insert at the largest priority,
// update by slot and generation, sample, stratified sample, find, clear) and answers
// each, in order, with the answers of the sequential object of package model: priorities and sums
// are integers, so nothing drifts.
//
//	tree := hw.Inst(m, "tree", replay.Tree{
//		Config: replay.Config{Params: model.Params{Capacity: 4096, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 128},
//		Seed:   1,
//	}, replay.TreePorts{Op: operations})
//	tree.Result // in the order of operations; it cannot wait
//
// # Rows of running sums
//
// A node has K children and its row K−1 running sums: word j is the sum of children 0
// to j. A draw compares its target x with all words at once; the first word above x
// names the child, and the distances from the words on both sides are the child's input: x in its
// own terms, and x less the child's total. No total is stored: at a
// leaf the two distances are apart by its priority. A write adds the difference between new
// and old leaf to the words from its child's on. The old leaf comes from a copy of
// the leaves that only writes read.
//
// The first operation that touches a row since a clear is the insert of its first
// leaf, since slots are filled in order: it takes the row as zeros. So nothing has to
// be swept at power-up or by a clear, which takes one cycle.
//
// [Pipelined] takes an operation every cycle. Rows are forwarded to the operations
// behind that read them too early, see bank. [Serial] uses one level's logic for all
// levels in turn. [Scan] is after the replay memory of Zhang, Kuppannagari and Prasanna (section
// 3.1): one word a child, children looked at one by one, draws and writes in passes.
//
// # Buffer
//
// A [Buffer] keeps transitions of any form beside the tree. Priorities come as they
// are or as errors |δ|, of which the exponents make (|δ|+ε)^α; batches have weights
// (least/p)^β. [Accelerator] is a buffer of words whose settings and counters are
// registers of an AXI4-Lite port; package host drives them.
//
// Sizes are those of [Config]; memory, all rows and the copy of the leaves:
// [Config.MemoryBits].
//
// # Area and clock
//
// 4,096 leaves of 16 bits, reads of one cycle, 128 strata; with generator, generations
// and counts. yosys 0.23, synth_xilinx -family xc7 (etch experiment replay-area; LUTs
// used as memory or shift register are not counted):
//
//	           K     LUT     FF  DSP  block RAM  latency
//	pipelined  2   2,204  2,401    6         13       45
//	           4   2,365  2,005    6         11       27
//	           8   3,568  2,225    6         14       21
//	          16   5,595  2,865    6         11       18
//	          64  13,210  6,317    6         39       15
//	serial     2   1,167    805    6          9       47
//	           4   1,604    962    6          7       29
//	           8   1,959  1,186    6          9       23
//	          16   3,559  1,836    6          6       20
//	          64   8,301  4,156    6         39       17
//	scan       2   3,344  2,130    6         15
//	           4   2,100  1,404    6          9
//	           8   1,641  1,158    6          7
//	          16   1,493  1,035    6          6
//	          64   1,216    912    6          5
//
// 16,384 leaves, reads of two cycles, placed and routed on an LFE5U-25F, speed 6 (etch
// experiment replay-area -pnr -p capacity=16384 -p read=2, nextpnr-ecp5 0.11.1). K = 2 and
// 4 of the pipeline are the median of three seeds with the least and the greatest, the
// others one seed (-seeds 1):
//
//	           K    LUT4     FF  RAM  latency  MHz
//	pipelined  2   3,474  5,061   41       65  113.6 (107.9 to 114.2)
//	           4   4,621  3,988   42       37  104.7 (103.4 to 111.8)
//	           8   5,878  4,232   46       29  102.6
//	          16   9,083  5,170   54       25   99.4
//	serial     4   2,514  2,141   36       40   86.0
//	          16   5,570  3,401   42       28   70.5
//	scan       4   4,379  2,542   42            70.3
//	          16   2,803  2,052   36            70.4
//
// The same by etch explore, one seed, of 2026-11-24; the scan of K = 2 does not fit a 25F. By
//
//	etch explore replay -p capacity=16384 -p read=2 -sweep form=pipelined,serial,scan \
//	  -sweep k=2,4,8,16 -measure cycles,pnr:lfe5u-25f -seeds 1 -margin 0 -pareto lut,mhz -plot
//
//	 mhz
//	    │
//	    │                 b
//	110 ┤                          ·
//	    │
//	    │                                    ·
//	100 ┤                                                             ·
//	    │
//	    │
//	 90 ┤    a
//	    │         ·     ·                 ·
//	    │
//	 80 ┤
//	    │
//	    │               ·
//	 70 ┤            ·           ·
//	    │
//	    └──────┬───────┬──────┬───────┬───────┬──────┬───────┬───────┬───── lut
//	         2000    3000   4000    5000    6000   7000    8000    9000
//	a  lut 1828, mhz 90.39  form=serial k=2
//	b  lut 3474, mhz 113.6  form=pipelined k=2
//
// 128 draws take 153 to 193 cycles in the pipeline, 3,585 to 8,705 in series.
//
// The pipeline is limited by the way out of a block RAM, 5.8 ns before the first wire,
// through one table into a register. A register before that table would take a second
// copy of each row on its way, some 400 FF at K = 4.
//
// # Evidence
//
// ETCH_SLOW=1 go test ./designs/replay compares 10^6 random operations with the
// sequential object for each form, K of 2, 4, 8, 16 and 64 and five or six capacities,
// 30.6 million of the pipeline, and has 10^7 updates and draws. TestProved proves trees
// of a few leaves for all runs of so many cycles: the pipeline 14 to 20, the serial form
// 40 and 50, the scan 22 to 30.
//
// The package imports hw, hw/stream, hw/pipe, hw/axi, hw/arith and
// designs/replay/model.
package replay
