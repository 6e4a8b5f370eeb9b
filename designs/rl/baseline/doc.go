// Package baseline holds the references for the learners in hardware: DQN and DDPG in
// float64 or float32 with a prioritized memory. The steps and their order are those of
// designs/rl/model; the fixed-point formats are absent.
//
//	d := baseline.NewDQN[float64](config, first)
//	m := baseline.NewMemory(baseline.MemoryConfig{Capacity: 4096, Alpha: 0.6, Beta: 0.4, Epsilon: 0.01, Seed: 1})
//	m.Insert(transition)
//	err := m.Step(config.Batch, d.Learn)
//
// Networks are those of package mlp. The formats in a learner's configuration are
// ignored; rates are 2^-k and the rate of soft targets is in 2^-16, as in the circuit.
//
// The package imports mlp, the learner's and the loop's packages.
package baseline
