// Package tool gives the etch command what it has of low-precision learning: experiment
// lowprecision and lowprecision-area, and demo lowprecision.
//
// # Returns
//
// etch experiment lowprecision -seeds 1 (seed 1; mean of the last five tests of 20 episodes;
// log σ in [-10,2], rate 1e-3, 12,000 steps). Only these variants were run.
//
//	variant                 return      temperature  scale at the end
//	float32                 -178        .010
//	fp16 naive              crash@1001  (the first update)
//	coercion                -1302       147
//	loss scaling            crash@1001  (the first update)
//	hAdam                   crash@1009
//	+ normal-fix            -784        .036
//	+ Kahan-momentum        -178        .025
//	+ Kahan-gradients       -318        .011         20000
//	without Kahan-momentum  -796        .021         20000
//
// The seed's last five tests with all six are -185 -482 -571 -179 -173: two dip. One seed
// does not tell the variants from each other beyond what fails and what learns.
//
// etch experiment lowprecision -check -steps 2000 -every 20: 1,145,950 records, 0 differ.
//
// # Areas
//
// etch experiment lowprecision-area, fp16, with the latencies of [lowprec.Half]:
//
//	unit                         latency  LUT   FF   DSP  block RAM
//	Kahan sum                         12   803  320    0  0
//	soft update: Kahan-momentum       19  1300  556    1  0
//	soft update: plain                 5   474  187    2  0
//	normal-fix                        13   752  344    1  0
//	loss scaler, 3 groups              0   159   63    0  0
//	detector, 16 lanes                 0    20    1    0  0
//
// These were measured before the units of designs/float became smaller:
//
//	optimizer: hAdam, Kahan              43  3706  1386    7  0
//	optimizer: hAdam, Kahan, folded          3031  1040    8  0
//	optimizer: hAdam                     34  3019  1140    7  0
//	optimizer: Adam, Kahan                   3944  1454    6  0
//	optimizer with 1024 states           44  3830  1481    7  2
//	softplus-fix                              850   361    5  8
package tool
