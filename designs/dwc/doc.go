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
// etch/designs/dwc/network. Reduced or not, a circuit computes what model.Eval
// computes, bit for bit; tests hold them in lock step under every judge.
//
// # Latency
//
// Latency() is the number of clock edges from a port's input to the output that
// belongs to it. The authors do not count the register at the input:
// AuthorsLatency() leaves it out too.
package dwc
