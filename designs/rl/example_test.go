package rl_test

import (
	"fmt"
	"math"

	"etch/designs/learner"
	learnermodel "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/sim"
	"etch/sim/wave"
)

// One transition is followed from the environment to a weight, as the package's doc tells
// it. The network has one input, one hidden neuron and the values of two actions; a batch is
// that one transition. The first draw comes 36 cycles after the step begins, and the whole
// step takes 74.
func Example_transition() {
	s := rl.System[rl.Values]{
		Learner: rl.Values{Config: learner.Config{
			Sizes: []int{1, 1, 2}, Tiles: []int{1, 1, 1, 2}, DP: 1,
			Step: learnermodel.Step{Formats: learnermodel.Wide(), Batch: 1, Clip: 1}, Rate: 0,
		}},
		Memory: rl.Memory{Params: replay.Params{Capacity: 4, Leaf: 16, Fraction: 12}, K: 2, Read: 1, Seed: 1},
	}
	h, err := host.SimulateDQN(s)
	if err != nil {
		panic(err)
	}
	defer h.Close()
	h.Set(host.Default())

	// Q(x) = (x/8, x/2) for positive x.
	weight, code := s.Learner.Weight, s.Learner.Activation
	n := learnermodel.NewNet(1, 1, 2)
	n.Layers[0].W[0] = weight.Raw(0.5)
	n.Layers[1].W[0], n.Layers[1].W[1] = weight.Raw(0.25), weight.Raw(1)
	m, err := learnermodel.NewDQN(s.Learner.Model(), n)
	if err != nil {
		panic(err)
	}
	if err := h.Load(m.Online, m.Target); err != nil {
		panic(err)
	}

	// x = 1, action 0, reward ½, then x = ½, discounted by ½.
	waves := show(h.Sim, "bus.request_valid", "insert_waits", "buffer.write_valid_16", "buffer.events_inserted")
	h.Insert(learnermodel.Transition{State: []int64{code.Raw(1)}, Next: []int64{code.Raw(0.5)}, Action: 0, Reward: code.Raw(0.5), Discount: learnermodel.One / 2})
	h.Sim.Step(40)
	fmt.Println("Insert:")
	fmt.Println(waves.Window(waves.Len()-42, waves.Len()-8))

	draws := show(h.Sim, "buffer.request_valid", "buffer.arrives", "learner.push", "learner.start")
	learns := show(h.Sim, "learner.start", "learner.forward_0_valid_6", "learner.forward_1_valid_6", "learner.losses_valid", "buffer.update_valid",
		"learner.backward_1_valid_4", "learner.backward_1_valid_6", "learner.busy", "buffer.write_valid_16", "step_done")
	if err := h.Step(false); err != nil {
		panic(err)
	}
	fmt.Println("Draw:")
	fmt.Println(draws.Window(0, 40))
	fmt.Println("Learn:")
	fmt.Println(learns.Window(37, 79))

	after, err := h.Online()
	if err != nil {
		panic(err)
	}
	delta, _ := h.Sim.Signal("learner.losses_lanes_0_delta")
	fmt.Println("TD error", math.Ldexp(float64(h.Sim.GetInt(delta)), -code.Frac-learnermodel.Unit))
	fmt.Println("weight", weight.Float(n.Layers[1].W[0]), "→", weight.Float(after.Layers[1].W[0]))
	// Output:
	// Insert:
	// bus.request_valid       ‾‾‾\__________________________________________________________________________________________________
	// insert_waits            ___/‾‾\_______________________________________________________________________________________________
	// buffer.write_valid_16   ___________________________________________________/‾‾\_______________________________________________
	// buffer.events_inserted  ________________________________________________________________________________________________/‾‾\__
	//
	// Draw:
	// buffer.request_valid  _________/‾‾\___________________________________________________________________________________________________________
	// buffer.arrives        ____________________________________________________________/‾‾\________________________________________________________
	// learner.push          _______________________________________________________________________________________________________________/‾‾\_____
	// learner.start         __________________________________________________________________________________________________________________/‾‾\__
	//
	// Learn:
	// learner.start               ___/‾‾\_______________________________________________________________________________________________________________________
	// learner.forward_0_valid_6   ________________________/‾‾\__________________________________________________________________________________________________
	// learner.forward_1_valid_6   _____________________________________________/‾‾\_____________________________________________________________________________
	// learner.losses_valid        _________________________________________________________/‾‾\_________________________________________________________________
	// buffer.update_valid         __________________________________________________________________/‾‾\________________________________________________________
	// learner.backward_1_valid_4  ____________________________________________________________________________________/‾‾\______________________________________
	// learner.backward_1_valid_6  __________________________________________________________________________________________/‾‾\________________________________
	// learner.busy                ______/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\___________
	// buffer.write_valid_16       __________________________________________________________________________________________________________________/‾‾\________
	// step_done                   _____________________________________________________________________________________________________________________/‾‾\_____
	//
	// TD error 0.5
	// weight 0.25 → 0.5
}

// show traces signals.
func show(s *sim.Sim, names ...string) *wave.Wave {
	var signals []sim.Signal
	for _, n := range names {
		x, err := s.Signal(n)
		if err != nil {
			panic(err)
		}
		signals = append(signals, x)
	}
	w := wave.New(signals...)
	if err := s.Trace(w); err != nil {
		panic(err)
	}
	return w
}
