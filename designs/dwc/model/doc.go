// Package model holds a trained differentiable weightless controller: its
// interchange format, the folding of its normalisation into integer thresholds,
// its action ROMs, and a bit-exact Go model of the circuit.
//
// The parts, in the order data takes:
//
//   - [Model] is everything a deployed controller needs. [Read], [ReadFile],
//     [Model.Write] and [Model.WriteFile] exchange it as JSON (below),
//     [Model.Validate] states its invariants, [Random] makes one of a given shape.
//   - [Model.Quantise] is the sensor: physical units to signed W-bit codes.
//   - [Model.Fold] gives the encoder's comparators, integers or constants:
//     [Folded]. They define the circuit.
//   - [Model.ROM] gives an action's DAC codes by popcount; [Model.Decode] turns
//     a code into physical units.
//   - [Eval] runs codes through encoder, LUT layers, popcount and head, bit for
//     bit as the circuit must; [FloatPolicy] runs physical observations without
//     any quantisation.
//
// Every number that decides hardware (thresholds, folding, ROM) comes from
// integer, rational or separately rounded float64 operations, so that a model
// file gives the same circuit on every architecture; [Exp] and [Tanh] exist for
// that reason. The package imports ir/output and the standard library, and must not import the
// generator or the trainer, which both build on it.
//
// # The format, version 1
//
// One JSON object, UTF-8, at most 32 MiB. Fields marked ? may be left out, no
// others; unknown and repeated fields are errors. Numbers are float64 in their
// shortest decimal form where etch writes them, and integers where said.
//
//	format       integer, 1
//	name?        label
//	provenance?  object of strings: where the model comes from; free text
//	sensor_bits  integer W, 2..32: width of a signed sensor code
//	dac_bits     integer, 2..32: width of a signed action word
//	obs          array of D dimensions:
//	  name?        label, such as a CSV column
//	  mean, var    frozen statistics, physical units; the network sees
//	               clip((x − mean)/√(var + 1e-8), ±10)
//	  max?         largest |x| seen; 0 or left out if not recorded
//	  scale        q > 0, physical units per sensor code
//	thresholds
//	  kind         "own", "imported" (the rows are those of OwnThresholds or
//	               ImportedThresholds), "custom" or "physical" (compared with
//	               the observation itself: no normalisation, no clip)
//	  rows         1 row for all dimensions or D rows, each of B non-decreasing
//	               numbers in normalised units, for "physical" in physical ones;
//	               B is odd, 3..4095, for own and imported, else 1..4095
//	layers       array of LUT layers, the one that reads the encoder first:
//	  n            integer 2..6, inputs per LUT; comes before tables
//	  inputs       integer, bits the layer reads: D·B, then the width before it;
//	               encoder bit d·B+k is x_d > rows[d][k]
//	  pins         per LUT an array of n input bits; pin 0 is the address's LSB
//	  tables       per LUT a string of 2^n/4 lower-case hexadecimal digits, the
//	               digit of the highest addresses first ("8" is AND for n = 2)
//	head
//	  kind         "sac", "ddpg", "ppo" (action ROM), "counts" or "argmax"
//	  actions      for the ROM heads, per action
//	    name?        label
//	    log_alpha, beta  y = e^log_alpha·(clamp(c/G, 1e-6, 1−1e-6) − ½) + beta
//	    scale, bias  sac, ddpg: action = tanh(y)·scale + bias, physical units
//	    low, high    ppo: action = clamp(y, low, high); for every kind the DAC's
//	                 full scale is max(|low|, |high|)
//	  classes      for counts and argmax: the groups' labels
//
// Group g of the head counts the last layer's outputs g·G … (g+1)·G−1; the
// width must be a multiple of the number of groups.
package model
