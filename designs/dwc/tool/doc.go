// Package tool is the part of the etch command for weightless controllers: the
// design for export and report, and the verbs convert, run, train and demo.
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
package tool
