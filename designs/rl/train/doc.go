// Package train makes whole training runs: an environment, a loop, a learner in one of its
// engines, and the file from which a run goes on with equal bits.
//
//	t, err := train.New(train.Config{Algorithm: "dqn", Engine: "model", Env: "cartpole", Seed: 1}.Filled(spec))
//	err = t.Run(ctx, nil)
//	data, err := t.Save()
//
// # Engines
//
// model is the bit-exact model of designs/rl/model. circuit is the circuit of designs/rl in
// cycle-accurate simulation: it acts, keeps transitions and learns; the model does the same
// beside it, and every action, and every weight after every gradient step, must be equal.
// float is the baseline of designs/rl/baseline in float64. It begins with the weights that
// the model begins with and sees the same episodes and exploration.
//
// The package imports designs/rl and the packages below it.
package train
