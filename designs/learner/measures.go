package learner

import "etch/hw"

// Multipliers is the number of multipliers: of products that the learner computes in a cycle. Two of
// each lane are the loss's, by the discount and by the importance weight.
func (c Config) Multipliers() int {
	other := 0
	if c.Double {
		other = 1
	}
	return c.net().multipliers(other, true, nil) + 2*c.DP
}

// Multipliers is the number of multipliers: of products that the learner computes in a cycle. The
// loss's products, by discount and importance weight, and the products of tanh and its derivative
// are included.
func (c DDPG) Multipliers() int {
	actor, wanted := c.actor(), c.critic().from(c.Observation)
	tanh, slope := 2*actor.tile(actor.last()).Out, 2*len(wanted)
	return actor.multipliers(0, false, nil) + c.critic().multipliers(1, false, wanted) + (tanh+slope+2)*c.DP
}

// multipliers counts the multipliers of a network that runs on other more inputs besides
// two. hot: only the action taken has a gradient. A gradient goes through the wanted
// columns of the first layer, if there are any.
func (t tiling) multipliers(other int, hot bool, wanted []column) (n int) {
	for l := range t.layers() {
		// Forward on states and next states, and the outer product, of which DQN's last layer has a
		// column.
		x := t.tile(l)
		tile, gradient := x.In*x.Out, x.In*x.Out
		if l == t.last() && hot {
			gradient = x.In
		}
		lanes := (2+other)*tile + gradient

		// The way back, but for the first layer's.
		if l > 0 {
			lanes += gradient
		}

		// A gradient that goes through begins behind the last layer, which does not run on the other
		// inputs, and ends with the wanted columns.
		switch {
		case wanted == nil:
		case l == t.last():
			lanes -= other * tile
		case l == 0:
			lanes += len(wanted) * x.Out
		default:
			lanes += tile
		}
		n += lanes * t.dp

		// Soft targets have a product for each weight and bias of a word, whatever the lanes.
		if t.soft() {
			n += tile + x.Out
		}
	}
	return n
}

// Memory is the bits of memories, by use.
type Memory struct {
	Weights   int `json:"weights"`   // of all networks, biases among them
	Gradients int `json:"gradients"` // sums of a step
	Batch     int `json:"batch"`     // the samples of a step
	Buffers   int `json:"buffers"`   // between stages
}

// Memory counts the bits of memories.
func (c Config) Memory() (m Memory) {
	// Double DQN's second pass on next states has activations of its own.
	t, s := c.net(), c.Schedule()
	passing := 1
	if c.Double {
		passing = 2
	}
	m.add(t, s.Passes, func(int) int { return passing }, false)
	m.Buffers += s.Gradients[t.last()] * c.DP * t.bits(Gradient)
	m.Batch = c.Batch * (t.sampleBits() + hw.AddressOf(t.outputs()).Width())
	return m
}

// Memory counts the bits of memories.
func (c DDPG) Memory() (m Memory) {
	// The critic runs on the actor's actions too, but for its last layer.
	actor, critic, s := c.actor(), c.critic(), c.Schedule()
	m.add(actor, s.Actor, func(int) int { return 1 }, false)
	m.add(critic, s.Critic, func(l int) int {
		if l+1 < critic.last() {
			return 2
		}
		return 1
	}, true)

	actions := c.Actions * c.DP
	m.Buffers += actions*((s.Next+s.Chosen)*actor.bits(Activation)+s.Actor.Gradients[actor.last()]*actor.bits(Gradient)) +
		s.Critic.Gradients[critic.last()]*c.DP*critic.bits(Gradient)
	m.Batch = c.Batch * (actor.sampleBits() + c.Actions*actor.bits(Activation))
	return m
}

// bits is the width of a code.
func (c common) bits(k Kind) int { return c.arithmetic().Code(k).Width() }

// sampleBits is a sample's bits without the action.
func (t tiling) sampleBits() int { return (2*t.sizes[0]+1)*t.bits(Activation) + 2*unitBits }

// add counts the memory of a network; passing is how many activations of each lane a
// layer passes on without keeping them.
func (m *Memory) add(t tiling, p Passes, passing func(l int) int, through bool) {
	sum := t.arithmetic().Sum(Activation, Gradient, t.Batch).Width
	for l := range t.layers() {
		values := (t.sizes[l] + 1) * t.sizes[l+1]
		m.Weights += values * (t.bits(Weight) + t.bits(t.targetKind()))
		m.Gradients += values * sum
		if l == t.last() {
			continue
		}
		each := t.bits(Activation)*(p.Activations[l]+passing(l)*p.Passing[l]) + t.bits(Gradient)*p.Gradients[l]
		if through {
			each += p.Activations[l] + t.bits(Gradient)*p.Gradients[l]
		}
		m.Buffers += t.sizes[l+1] * t.dp * each
	}
}

// Measures are the numbers for etch explore.
func (c Config) Measures() (map[string]float64, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return measures(c.Schedule().Timing, c.Multipliers(), c.Memory()), nil
}

// Measures are the numbers for etch explore.
func (c DDPG) Measures() (map[string]float64, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return measures(c.Schedule().Timing, c.Multipliers(), c.Memory()), nil
}

func measures(x Timing, multipliers int, m Memory) map[string]float64 {
	return map[string]float64{
		"cycles": float64(x.Cycles), "act_cycles": float64(x.ActCycles), "multipliers": float64(multipliers),
		"memory_bits": float64(m.Weights + m.Gradients + m.Batch + m.Buffers),
	}
}
