// Package floattool makes the units of designs/float available to the etch command: the
// design float for export and report, and the verbs run float and experiment
// float-area.
//
// # Commands
//
// Formats are IEEE of 2 to 11 exponent and 1 to 52 fraction bits, OCP E4M3 and the MX ones, with
// subnormals or flushed, infinite or saturating; five roundings, fixed or a port, and stochastic;
// all flags. Units are correctly rounded and equal to the model in hw/float bit for bit: all pairs
// of 8-bit formats and triples of 6-bit ones are compared, in every mode, and samples of every
// format.
//
//	$ go run ./designs/cmd/etch run float -p op=fma -p format=e5m10 -p rounding=rne -in in.csv -out out.csv    # columns a,b,c: decimals or 0x codes
//	$ go run ./designs/cmd/etch experiment float-area          # cells beside HardFloat and CVFPU; -place for clock rates
//	$ go run ./designs/cmd/etch experiment float-functions     # errors, memory and cells of exp, log, tanh, …
//	$ go run ./designs/cmd/etch explore float -expr "m = .9*m0 + .1*g; m / (sqrt(v) + 1e-4)" -range "v=1e-6..1:log" -formats fp16,bf16,e5m5..9
//
// The last one computes an expression, exp, log, tanh and the like among it, in each format and in
// float64 beside it: signal-to-noise ratio, ulp, overflows and cancellation, LUT, DSP and block RAM,
// and the front of cells and error (-o DIR for the plot, -in for samples of a file, -values for each
// named value).
//
// Learning in sixteen bits (designs/lowprec) is six methods as units, an optimiser that moves a
// weight every cycle, and the experiment that shows what each is for:
//
//	$ go run ./designs/cmd/etch demo lowprecision                    # naive fp16 crashes, the six methods learn, their steps go through the circuits
//	$ go run ./designs/cmd/etch experiment lowprecision -stored      # returns of 17 variants, of stored runs; without -stored they are made
//
// A fused multiply-add of fp16 takes 458 LUT and 1 DSP, HardFloat's 929 and 1, CVFPU's 627 and 1
// (etch experiment float-area); go doc ./designs/float has the table.
//
// Judges besides our own: Berkeley TestFloat (3.4 million vectors of fp16 and fp32 in five
// roundings, values and flags, through model and circuit), MPFR, ml_dtypes and gfloat: 0 differ.
// Tests skip them where they are missing: go run ./testbench/cmd/check -short -require float-judges
// installs the last three, the comment at TestFloat (designs/float) says how the first is got.
//
// # Area against clock rate
//
// Placed and routed on an LFE5U-25F, speed 6, with flags, rounding to nearest; the median of
// three seeds. By
//
//	etch explore float -p op=add -sweep format=fp16,bf16,fp32 -sweep stages=1..8 \
//	  -measure cycles,pnr:lfe5u-25f -margin 0 -pareto lut,mhz -plot
//
// and the same for mul and fma, with yosys 0.23 and nextpnr-ecp5 0.11.1 (2026-11-24). MHz
// by stages, which are the latency in cycles:
//
//	             1      2      3      4      5      6      7      8    LUT at 6   FF   DSP
//	add  fp16    27.8   52.7   74.3   78.1   73.7  111.1   98.6  107.8      333    173     0
//	add  bf16    27.9   55.8   61.3   65.8   67.7  113.6  107.5  100.4      344    170     0
//	add  fp32    21.7   40.1   61.9   56.0   57.1   97.0   89.7   88.6      785    299     0
//	mul  fp16    32.8   55.1   61.8  107.7  103.7  102.1   98.2  105.4      321    176     1
//	mul  bf16    34.6   58.3   59.0  107.3  110.5  109.4  106.3  107.7      289    167     1
//	mul  fp32    25.5   41.0   39.4   74.3   75.3   76.0   76.5   76.4      772    313     4
//	fma  fp16    22.6   35.9   46.8   46.9   66.1   66.5   66.1   64.6      788    254     1
//	fma  bf16    23.3   34.3   48.9   51.0   67.3   73.9   72.4   71.6      559    229     1
//	fma  fp32    18.0   28.4   34.9   37.6   52.3   51.5   53.6   52.9     1704    455     4
//
// Registers beyond six gain nothing: the longest step is then a whole shifter or product.
// The adder, each dot a format with its stages:
//
//	 mhz
//	120 ┤
//	    │    ab
//	    │    ··
//	100 ┤    ··                                     ·
//	    │                                           ·
//	    │                                           ·
//	 80 ┤           ·
//	    │     ·  ·
//	    │       ·                                     ·
//	 60 ┤      ·                                  ·    ·
//	    │            ·
//	 40 ┤                                         ·
//	    │
//	    │         ··
//	 20 ┤                                                             ·
//	    │
//	    └──┬───────┬────────┬───────┬────────┬───────┬────────┬────────┬─── lut
//	      300     400      500     600      700     800      900     1000
//	a  lut 333, mhz 111.1  format=fp16 stages=6
//	b  lut 344, mhz 113.6  format=bf16 stages=6
//
// The fused multiply-add:
//
//	mhz
//	   │
//	   │    ab
//	70 ┤    ·
//	   │     ·       ·
//	60 ┤
//	   │
//	   │     ·                                      ··
//	50 ┤     ·    ··
//	   │
//	40 ┤                                              ·
//	   │     ·       ·                                ·
//	30 ┤
//	   │                                          ·
//	   │          ·          ·
//	20 ┤                                                             ·
//	   │
//	   └───┬────────────────┬─────────────────┬────────────────┬────────── lut
//	      500             1000              1500             2000
//	a  lut 553, mhz 72.39  format=bf16 stages=7
//	b  lut 559, mhz 73.88  format=bf16 stages=6
package floattool
