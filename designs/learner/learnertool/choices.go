package learnertool

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/designs/learner"
	"etch/designs/learner/model"
	"etch/designs/rl"
	"etch/hw"
	"etch/ir"
)

// Choice is a configuration with its cycles and cells.
type Choice struct {
	Design      string             `json:"design"` // its name in the catalogue
	Given       cli.Values         `json:"parameters"`
	Bits        int                `json:"bits"`
	Tiles       string             `json:"tiles"` // by layer, of DDPG the actor's in front of a slash
	DP          int                `json:"dp"`
	Beat        int                `json:"beat"`
	Cycles      int                `json:"cycles"`      // of a gradient step, with -replay its draws among them
	Steps       float64            `json:"steps_per_s"` // at the assumed clock
	Multipliers int                `json:"multipliers"`
	Cells       map[string]float64 `json:"cells,omitempty"` // estimated
	Lacks       string             `json:"lacks,omitempty"` // why it does not fit

	build func() (*ir.Design, error)
}

// export is the command that writes the design.
func (c Choice) export() string {
	line := "etch export " + c.Design
	for _, name := range sortedNames(c.Given) {
		line += " -p " + name + "=" + c.Given[name]
	}
	return line
}

func sortedNames(v cli.Values) (names []string) {
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// candidate is a configuration before it is a [Choice].
type candidate struct {
	bits int
	tiled
	cycles int
}

// candidates is the Pareto front of cycles and multipliers, the fastest first; covered is the
// number of configurations behind it. Of all candidates with more multipliers than the device
// has blocks, only the candidate with the fewest is listed. Among equals the widest format comes
// first, since narrower formats may learn worse; with ranked formats the narrowest comes first.
func (q question) candidates(ctx context.Context) (front []candidate, covered int, err error) {
	// Neither cycles nor multipliers depend on the format; whether there is such a learner may.
	formats, err := q.possible()
	if err != nil {
		return nil, 0, err
	}
	tilings, covered, err := q.front(ctx)
	if err != nil {
		return nil, 0, err
	}

	// One learner has the constants of all; with a replay memory a step ends with the later
	// of two ends, and has to be worked out for each.
	any, err := q.choice(formats[0], tilings[0].tiles, tilings[0].dp)
	if err != nil {
		return nil, 0, err
	}
	cycles, multipliers := any.Cycles-tilings[0].step, any.Multipliers-tilings[0].multipliers

	var all []candidate
	for _, t := range q.fitting(tilings, multipliers) {
		all = append(all, candidate{formats[0], t, 0})
	}
	for i := range all {
		c := &all[i]
		c.cycles = c.step + cycles
		if q.replay > 0 {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			made, err := q.choice(c.bits, c.tiles, c.dp)
			if err != nil {
				return nil, 0, err
			}
			c.cycles = made.Cycles
		}
	}

	slices.Sort(formats)
	if q.quality.env == "" {
		slices.Reverse(formats)
	}
	return frontOf(all, formats), len(formats) * covered, nil
}

// frontOf lists the Pareto front of cycles and multipliers, fastest first, each point with every
// format. It is one pass over the candidates by cycles, then multipliers: a candidate is in the
// front if it has fewer multipliers than all before it.
func frontOf(all []candidate, formats []int) (front []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cycles, b.cycles), cmp.Compare(a.multipliers, b.multipliers),
			slices.CompareFunc(a.tiles, b.tiles, slices.Compare[[]int]), cmp.Compare(a.dp, b.dp))
	})

	fewest := math.MaxInt
	for _, c := range all {
		if c.multipliers >= fewest {
			continue
		}
		fewest = c.multipliers
		for _, bits := range formats {
			c.bits = bits
			front = append(front, c)
		}
	}
	return front
}

// possible lists the formats with which there is a learner of this network.
func (q question) possible() (formats []int, err error) {
	var refused error
	for _, bits := range q.formats {
		if _, err := q.choice(bits, single(q.networks()), 1); err != nil {
			refused = err
			continue
		}
		formats = append(formats, bits)
	}
	if len(formats) == 0 {
		return nil, cli.Usagef("no learner of this network: %v", refused)
	}
	return formats, nil
}

// fitting lists the tilings that the device has multipliers for, each with constant ones added. If
// the device lacks multipliers for some tilings, the smallest of these is last in the list, so
// that the answer can say how many are missing.
func (q question) fitting(tilings []tiled, constant int) (fit []tiled) {
	var above *tiled
	for _, t := range tilings {
		t.multipliers += constant
		if t.multipliers > q.device.DSP {
			if above == nil || t.multipliers < above.multipliers {
				above = &t
			}
			continue
		}
		fit = append(fit, t)
	}
	if above != nil {
		fit = append(fit, *above)
	}
	return fit
}

// maxDP is the greatest number of samples side by side that is tried, maxTile that of
// multipliers of a tile.
const (
	maxDP   = 16
	maxTile = 4096
)

// choice builds the learner of one configuration, or with -replay the system of learner
// and replay memory. The error says why a configuration is not valid.
func (q question) choice(bits int, tiles [][]int, dp int) (Choice, error) {
	c := Choice{Bits: bits, DP: dp}
	for i, t := range tiles {
		c.Tiles += strings.Repeat("/", min(i, 1)) + list(t)
	}

	// Parameters that the question leaves open have the values of CartPole, or of the pendulum.
	if q.algorithm == "dqn" {
		x := q.dqn(bits, tiles, dp)
		if err := x.Validate(); err != nil {
			return c, err
		}
		c.Design, c.Given = "learner", givenDQN(x)
		s := x.Schedule()
		c.Beat, c.Cycles, c.Multipliers = s.Beat, s.Cycles, x.Multipliers()
		c.build = builder(x)
		if q.replay > 0 {
			s := rl.CartPole(32)
			s.Learner.Config = x
			return system(q, c, "rl", s)
		}
	} else {
		x := q.ddpg(bits, tiles, dp)
		if err := x.Validate(); err != nil {
			return c, err
		}
		c.Design, c.Given = "learner_ddpg", givenDDPG(x)
		s := x.Schedule()
		c.Beat, c.Cycles, c.Multipliers = s.Beat, s.Cycles, x.Multipliers()
		c.build = builder(x)
		if q.replay > 0 {
			s := rl.Pendulum(32)
			s.Learner.DDPG = x
			return system(q, c, "rl_ddpg", s)
		}
	}

	// A system has this from its own cycles.
	c.Steps = q.mhz * 1e6 / float64(c.Cycles)
	return c, nil
}

// system is a choice with a replay memory in front of its learner.
func system[L rl.Learner](q question, c Choice, name string, s rl.System[L]) (Choice, error) {
	// The memory in front, and cycles with its draws.
	s.Capacity = q.replay
	if err := s.Validate(); err != nil {
		return c, err
	}
	given := cli.Values{"capacity": fmt.Sprint(q.replay)}
	for p, v := range c.Given {
		given["learner."+p] = v
	}

	draw, learn, update := s.StepCycles()
	c.Design, c.Given, c.Cycles, c.Multipliers = name, given, draw+learn+update, s.Multipliers()
	c.Steps = q.mhz * 1e6 / float64(c.Cycles)
	c.build = builder(s)
	return c, nil
}

// builder elaborates a component.
func builder[P any](c hw.Component[P]) func() (*ir.Design, error) {
	return func() (*ir.Design, error) {
		d, _, err := hw.Build(c)
		return d, err
	}
}

func (q question) dqn(bits int, tiles [][]int, dp int) learner.Config {
	c := learner.CartPole(32)
	c.Sizes, c.Tiles, c.Batch, c.DP, c.Formats = q.sizes, tiles[0], q.batch, dp, formatsOf(bits, 4)
	return c
}

// ddpg has a critic with the actor's hidden layers.
func (q question) ddpg(bits int, tiles [][]int, dp int) learner.DDPG {
	c, last := learner.Pendulum(32), len(q.sizes)-1
	c.Observation, c.Actions = q.sizes[0], q.sizes[last]
	c.ActorHidden, c.CriticHidden = q.sizes[1:last], q.sizes[1:last]
	c.ActorTiles, c.CriticTiles, c.Batch, c.DP, c.Formats = tiles[0], tiles[1], q.batch, dp, formatsOf(bits, 5)
	return c
}

// widest are the default formats' bits, narrowest the fewest that leave activations a bit
// of fraction.
const (
	widest    = 18
	narrowest = 9
)

// formatsOf are formats of so many bits: the default ones, or narrower ones that have the
// integer bits of [model.Small] and lose fraction. integer is the number of integer bits
// of weights: 4 for DQN, 5 for DDPG.
func formatsOf(bits, integer int) model.Formats {
	if bits == widest {
		return model.Wide()
	}

	// All kinds lose as many bits as weights.
	f := model.Small(integer)
	less := f.Weight.Width - bits
	f.Weight.Width, f.Weight.Frac = bits, f.Weight.Frac-less
	f.Activation.Width, f.Activation.Frac = bits, f.Activation.Frac-less
	f.Gradient.Width, f.Gradient.Frac = bits, f.Gradient.Frac-less
	return f
}

func list(n []int) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",") }

// givenDQN lists the parameters of a configuration that a question sets.
func givenDQN(c learner.Config) cli.Values {
	v := cli.Values{"sizes": list(c.Sizes), "tiles": list(c.Tiles), "batch": fmt.Sprint(c.Batch), "dp": fmt.Sprint(c.DP)}
	giveFormats(v, c.Formats)
	return v
}

func givenDDPG(c learner.DDPG) cli.Values {
	v := cli.Values{
		"observation": fmt.Sprint(c.Observation), "actions": fmt.Sprint(c.Actions), "batch": fmt.Sprint(c.Batch), "dp": fmt.Sprint(c.DP),
		"actor_hidden": list(c.ActorHidden), "critic_hidden": list(c.CriticHidden), "actor_tiles": list(c.ActorTiles), "critic_tiles": list(c.CriticTiles),
	}
	giveFormats(v, c.Formats)
	return v
}

func giveFormats(v cli.Values, f model.Formats) {
	if f == model.Wide() {
		return
	}
	v["weight.width"], v["weight.frac"] = fmt.Sprint(f.Weight.Width), fmt.Sprint(f.Weight.Frac)
	v["activation.width"], v["activation.frac"] = fmt.Sprint(f.Activation.Width), fmt.Sprint(f.Activation.Frac)
	v["gradient.width"], v["gradient.frac"] = fmt.Sprint(f.Gradient.Width), fmt.Sprint(f.Gradient.Frac)
}

// network is the sizes of its layers.
type network []int

// networks lists a learner's networks: for DDPG the actor and the critic.
func (q question) networks() []network {
	if q.algorithm == "dqn" {
		return []network{q.sizes}
	}
	critic := slices.Clone(q.sizes)
	critic[0], critic[len(critic)-1] = critic[0]+critic[len(critic)-1], 1
	return []network{q.sizes, critic}
}

func (n network) layers() int { return len(n) - 1 }

// tiles are the inputs and outputs of tiles that divide a layer.
func (n network) tiles(l int) (all [][2]int) {
	// Tiles that do not divide a layer have multipliers that idle in its last word.
	for a := 1; a <= n[l]; a++ {
		for b := 1; b <= n[l+1] && n[l]%a == 0; b++ {
			if n[l+1]%b == 0 {
				all = append(all, [2]int{a, b})
			}
		}
	}
	return all
}

func (n network) words(l int, t [2]int) int { return n[l] / t[0] * (n[l+1] / t[1]) }

// smallest are the tiles of a layer of at most so many words that have the fewest
// multipliers, none of more than a learner has in one.
func (n network) smallest(l, beat int) (all [][2]int) {
	least := 0
	for _, t := range n.tiles(l) {
		if n.words(l, t) > beat || t[0]*t[1] > maxTile {
			continue
		}

		// Fewer multipliers than all before begin the list anew.
		switch k := t[0] * t[1]; {
		case least == 0 || k < least:
			least, all = k, [][2]int{t}
		case k == least:
			all = append(all, t)
		}
	}
	return all
}
