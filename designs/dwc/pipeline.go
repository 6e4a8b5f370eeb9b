package dwc

import "fmt"

// Pipeline says where registers stand. The zero value is combinational. Every
// choice accepts a new observation each cycle (initiation interval 1).
type Pipeline struct {
	Input   bool // behind the ports
	Encoder bool // after the encoder
	Layers  bool // between lookup-table layers
	Votes   bool // after the last layer, before the popcounts
	Counts  int  // stages inside the popcounts
	Output  bool // after the popcounts' ROM, comparison or, for Voter, sum
}

// Registered is the pipeline of the demo: encoder, votes and output.
var Registered = Pipeline{Encoder: true, Votes: true, Output: true}

// Full has a register in every place, with two stages of popcount.
var Full = Pipeline{Input: true, Encoder: true, Layers: true, Votes: true, Counts: 2, Output: true}

func (p Pipeline) validate() error {
	if p.Counts < 0 || p.Counts > 8 {
		return fmt.Errorf("Pipeline.Counts = %d, want 0 to 8", p.Counts)
	}
	return nil
}

// latency is the number of stages for a network of that many layers.
func (p Pipeline) latency(layers int) int {
	n := p.Counts
	for _, on := range []bool{p.Input, p.Encoder, p.Votes, p.Output} {
		if on {
			n++
		}
	}
	if p.Layers {
		n += layers - 1
	}
	return n
}
