// Package baseline is what the learners in hardware are held against: DQN and DDPG in
// float64 or float32 with a prioritized memory, the same steps in the same order as
// designs/rl/model, without its formats.
//
//	d := baseline.NewDQN[float64](config, first)
//	m := baseline.NewMemory(baseline.MemoryConfig{Capacity: 4096, Alpha: 0.6, Beta: 0.4, Epsilon: 0.01, Seed: 1})
//	m.Insert(transition)
//	err := m.Step(config.Batch, d.Learn)
//
// Networks are those of package mlp. Of a learner's configuration the formats count for
// nothing; rates are 2^-k and the rate of soft targets is in 2^-16, as in the circuit.
//
// The package imports mlp, the learner's and the loop's packages.
package baseline
