package train

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"etch/designs/rl/env"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
	"etch/ir/bits"
	"etch/sim"
)

// circuitDQN is the circuit in simulation, with the model beside it.
type circuitDQN struct {
	*modelDQN
	*host.SimulatedDQN
}

func newCircuitDQN(c Config, start *policy.Policy) (*circuitDQN, error) {
	m, err := newModelDQN(c, start)
	if err != nil {
		return nil, err
	}
	h, err := host.SimulateDQN(c.system())
	if err != nil {
		return nil, err
	}
	a := &circuitDQN{m, h}
	set := host.Settings{Alpha: c.Alpha, Beta: c.Beta, Epsilon: c.Epsilon, Plain: c.Plain, Tau: c.DQN.Tau}
	if c.Uniform {
		set.Alpha, set.Beta = 0, 0
	}
	if err = h.Set(set); err == nil {
		if err = h.Seed(c.Seed); err == nil {
			err = h.Load(m.m.Online, m.m.Target)
		}
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return a, a.check()
}

// Act has the circuit act, and compares.
func (a *circuitDQN) Act(observation []float64) (env.Action, error) {
	x := a.raws(observation)
	got := a.Best(x)
	if _, want := a.m.Act(x); got != want {
		return env.Action{}, fmt.Errorf("observation %v: the circuit's action is %d, the model's %d", x, got, want)
	}
	return env.Action{Number: got}, a.Err()
}

// Insert gives both the transition.
func (a *circuitDQN) Insert(t loop.Transition) error {
	x := a.transition(t)
	a.m.Insert(x)
	a.SimulatedDQN.Insert(x)
	return a.Err()
}

// Step has both learn, and compares all weights.
func (a *circuitDQN) Step(synchronise bool) error {
	if err := a.m.Step(synchronise); err != nil {
		return err
	}
	if err := a.SimulatedDQN.Step(synchronise); err != nil {
		return err
	}
	return a.check()
}

// check compares every word of both networks in the circuit's memories with the model.
func (a *circuitDQN) check() error { return a.Equal(a.m.Online, a.m.Target) }

func (a *circuitDQN) close() error { return a.Close() }

// savedCircuit is the model with all state of the circuit.
type savedCircuit struct {
	Model     json.RawMessage     `json:"model"`
	Registers map[string]string   `json:"registers"` // hexadecimal
	Memories  map[string][]string `json:"memories"`
}

func (a *circuitDQN) save() (json.RawMessage, error) {
	text, err := a.modelDQN.save()
	if err != nil {
		return nil, err
	}
	s := savedCircuit{text, map[string]string{}, map[string][]string{}}
	for sig := range a.Sim.Signals() {
		if sig.IsState() {
			s.Registers[sig.Name()] = a.Sim.GetBits(sig).Big().Text(62)
		}
	}
	visit(a.Sim.Root(), func(m sim.Mem) {
		words := make([]string, m.Depth())
		for i := range words {
			words[i] = m.Read(i).Big().Text(62)
		}
		s.Memories[m.Name()] = words
	})
	plain, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(plain)
	z.Close()
	return json.Marshal(packed.Bytes())
}

func visit(s sim.Scope, f func(sim.Mem)) {
	for _, m := range s.Mems() {
		f(m)
	}
	for _, c := range s.Children() {
		visit(c, f)
	}
}

// maxState bounds the circuit's state in a file, in bytes.
const maxState = 1 << 30

func (a *circuitDQN) restore(text json.RawMessage) error {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	var s savedCircuit
	if err := json.NewDecoder(io.LimitReader(z, maxState)).Decode(&s); err != nil {
		return err
	}
	if err := a.modelDQN.restore(s.Model); err != nil {
		return err
	}
	for sig := range a.Sim.Signals() {
		if !sig.IsState() {
			continue
		}
		v, err := value(s.Registers[sig.Name()], sig.Width())
		if err == nil {
			err = a.Sim.Poke(sig, v)
		}
		if err != nil {
			return fmt.Errorf("the state is of another circuit: register %s: %w", sig.Name(), err)
		}
	}
	visit(a.Sim.Root(), func(m sim.Mem) {
		words := s.Memories[m.Name()]
		if len(words) != m.Depth() && err == nil {
			err = fmt.Errorf("the state is of another circuit: memory %s has %d words, not %d", m.Name(), len(words), m.Depth())
		}
		for i := 0; i < len(words) && err == nil; i++ {
			var v bits.Value
			if v, err = value(words[i], m.Width()); err == nil {
				err = m.Write(i, v)
			}
		}
	})
	if err != nil {
		return err
	}
	a.Forget()
	return a.check()
}

// value reads a number of so many bits.
func value(text string, width int) (bits.Value, error) {
	x, ok := new(big.Int).SetString(text, 62)
	if !ok || x.Sign() < 0 || x.BitLen() > width {
		return bits.Value{}, fmt.Errorf("%.20q is no number of %d bits", text, width)
	}
	return bits.FromBig(width, x), nil
}
