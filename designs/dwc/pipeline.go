package dwc

// Pipeline says where registers stand. The zero value is combinational. Every
// choice accepts a new observation each cycle (initiation interval 1).
type Pipeline struct {
	Input   bool `help:"a register behind the ports"`
	Encoder bool `help:"a register after the encoder"`
	Layers  bool `help:"registers between layers of lookup tables"`
	Votes   bool `help:"a register after the last layer, before the popcounts"`
	Counts  int  `help:"registers inside the popcounts" range:"0..8"`
	Sums    bool `help:"a register between popcount and head"`
	Output  bool `help:"a register after the ROM, comparison or, without a head, sum"`
}

// Registered is the pipeline of the demo: encoder, votes and output.
var Registered = Pipeline{Encoder: true, Votes: true, Output: true}

// Full has every register but Sums; its two registers inside the popcounts make three steps.
var Full = Pipeline{Input: true, Encoder: true, Layers: true, Votes: true, Counts: 2, Output: true}

// latency is the number of stages for a network of that many layers.
func (p Pipeline) latency(layers int) int {
	n := p.Counts
	for _, on := range []bool{p.Input, p.Encoder, p.Votes, p.Sums, p.Output} {
		if on {
			n++
		}
	}

	// Registers stand between layers: the one behind the last is Votes.
	if p.Layers {
		n += layers - 1
	}
	return n
}
