package rltool

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"etch/designs/cli"
	circuit "etch/designs/learner"
	learner "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
	"etch/hw/fixed"
	"etch/sim"
)

// RunLearner is the verb that puts batches of the user's own through a learner.
var RunLearner = cli.Command{
	Name: "learner", Usage: "[-critic F] [-steps N] [-synchronise N] [-p name=value]… [-waves learner.fst] -weights F -in transitions.csv -out losses.csv [-save F] [-save-critic F]",
	Doc:      "gradient steps of dqn or ddpg on the rows of a file, in order, by the circuit, cycle by cycle; losses and weights come out",
	Examples: []string{"run learner -weights policy.json -in transitions.csv -out losses.csv -save trained.json"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run learner", out)
		o := fitting{given: f.Values(), flags: f}
		f.StringVar(&o.weights, "weights", "", "policy `file` to begin with, of dqn or of ddpg the actor: .json, .safetensors or .pt")
		f.StringVar(&o.critic, "critic", "", "`file` of the critic's weights, of ddpg; none draws them by -seed")
		f.StringVar(&o.in, "in", "", "CSV `file` of s_0,…,a or a_0,…,reward,next_0,…,discount and perhaps weight, the importance of a sample from 0 to 1")
		f.StringVar(&o.to, "out", "", "CSV `file` of step,row,q,target,delta,priority, a row a sample")
		f.StringVar(&o.save, "save", "", "policy `file` to write")
		f.StringVar(&o.saveCritic, "save-critic", "", "`file` to write the critic to, of ddpg")
		f.IntVar(&o.steps, "steps", 0, "gradient steps; behind the last whole batch the first one comes again. 0: each batch once")
		f.IntVar(&o.synchronise, "synchronise", 0, "the targets become the online networks every so many steps, 0 never")
		f.Uint64Var(&o.seed, "seed", 1, "of a critic that is drawn")
		f.Float64Var(&o.alpha, "alpha", 0.6, "priorities are (|delta| + epsilon)^alpha")
		f.Float64Var(&o.epsilon, "epsilon", 0.01, "see -alpha")
		o.waves = f.Waves()
		if _, err := f.Positional(args); err != nil {
			return err
		}
		return o.run(out)
	},
}

// fitting holds the flags of run learner.
type fitting struct {
	weights, critic, in, to, save, saveCritic string
	steps, synchronise                        int
	seed                                      uint64
	alpha, epsilon                            float64
	given                                     cli.Values
	waves                                     *cli.Waves
	flags                                     *cli.Flags
}

// trained is a learner in the circuit, with the model beside it.
type trained interface {
	// learn makes a step in both, and compares losses and all weights.
	learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error)
	policies(scale []float64) (online, critic *policy.Policy)
	saturated() learner.Saturations
	simulator() *sim.Sim
	cycles() int // of a step
	Close() error
}

func (o *fitting) run(out cli.Output) error {
	if err := o.check(); err != nil {
		return err
	}

	// Policy and transitions must agree; columns say which algorithm they are for.
	p, err := policy.ReadFile(o.weights)
	if err != nil {
		return err
	}
	rows, err := readTransitions(o.in, true)
	if err != nil {
		return err
	}
	if err := o.agree(p, rows); err != nil {
		return err
	}

	var x trained
	var step learner.Step
	if rows.spec.Actions > 0 {
		x, step, err = o.values(p)
	} else {
		x, step, err = o.actions(p)
	}
	if err != nil {
		return err
	}
	defer x.Close()

	// All steps, then all files.
	batches, cut, err := o.batches(p, rows.data, rows.weights, step)
	if err != nil {
		return err
	}

	// A signal counts from the moment at which there are waves.
	ctx, stop := cli.Interruptible()
	defer stop()
	if err := o.waves.Trace(x.simulator()); err != nil {
		return err
	}
	text, err := o.all(ctx, x, batches, step)
	if err := o.waves.Close(err); err != nil {
		return err
	}
	return o.report(out, x, p, text, len(batches), len(rows.data), cut, step)
}

// check reports flags that are out of range, and files that cannot be written.
func (o *fitting) check() error {
	switch {
	case o.weights == "" || o.in == "" || o.to == "":
		return cli.Usagef("-weights, -in and -out are needed")
	case o.steps < 0:
		return cli.Usagef("-steps %d: want 0 and more", o.steps)
	case o.synchronise < 0:
		return cli.Usagef("-synchronise %d: want 0 and more", o.synchronise)
	case o.seed == 0:
		return cli.Usagef("-seed 0: want 1 and more")
	case !(o.alpha >= 0 && o.alpha <= 1):
		return cli.Usagef("-alpha %v: want 0 to 1", o.alpha)
	case !(o.epsilon >= 0 && o.epsilon <= 1):
		return cli.Usagef("-epsilon %v: want 0 to 1", o.epsilon)
	}

	// A file that cannot be written, or is read too, is an error before anything runs. But weights
	// may go on in place.
	if err := o.flags.Apart([]string{"weights", "critic", "in"}, "out", "waves"); err != nil {
		return err
	}
	if err := o.flags.Apart([]string{"critic", "in", "out", "waves"}, "save"); err != nil {
		return err
	}
	if err := o.flags.Apart([]string{"weights", "in", "out", "waves", "save"}, "save-critic"); err != nil {
		return err
	}
	for _, path := range []string{o.to, o.save, o.saveCritic} {
		if path != "" {
			if err := cli.Writable(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree checks a policy against the columns of transitions.
func (o *fitting) agree(p *policy.Policy, rows *dataSet) error {
	inputs, outputs := p.Sizes[0], p.Sizes[len(p.Sizes)-1]
	actions, amounts, observation := rows.spec.Actions, len(rows.spec.Low), rows.spec.Observation
	switch {
	case actions > 0 && p.Kind == policy.DDPG:
		return cli.Usagef("%s is a policy of ddpg, and %s has column a; want a_0,…", o.weights, o.in)
	case amounts > 0 && p.Kind == policy.DQN:
		return cli.Usagef("%s is a policy of dqn, and %s has column a_0; want a", o.weights, o.in)
	case observation != inputs:
		return cli.Usagef("%s has %d inputs, and %s %d columns s_0,…", o.weights, inputs, o.in, observation)
	case actions > outputs:
		return cli.Usagef("%s has %d actions, and %s one of number %d in line %d", o.weights, outputs, o.in, actions-1, rows.lines[rows.greatest()])
	case amounts > 0 && amounts != outputs:
		return cli.Usagef("%s has %d outputs, and %s %d columns a_0,…", o.weights, outputs, o.in, amounts)
	case actions > 0 && (o.critic != "" || o.saveCritic != ""):
		return cli.Usagef("-critic and -save-critic are of ddpg, whose transitions have columns a_0,…")
	}
	return nil
}

// tilesOf fits tiles of at most two outputs of hidden layers to a network.
func tilesOf(sizes []int) (tiles []int) {
	// A word takes two inputs and two outputs, and more of them at the ends of the network,
	// where layers are narrow.
	last := len(sizes) - 2
	for l := range sizes[1:] {
		in, out := min(2, sizes[l]), min(2, sizes[l+1])
		if l == 0 {
			in = min(16, sizes[l])
		}
		if l == last {
			out = min(16, sizes[l+1])
		}
		tiles = append(tiles, in, out)
	}
	return tiles
}

// values builds a circuit that trains by DQN, beside its model, from a policy's weights.
func (o *fitting) values(p *policy.Policy) (trained, learner.Step, error) {
	// The policy gives shape and formats; parameters come behind.
	c := circuit.CartPole(32)
	if p.Formats != nil {
		c.Formats = *p.Formats
	}
	c.Sizes, c.Tiles = p.Sizes, tilesOf(p.Sizes)

	if err := cli.Fill(&c, o.given); err != nil {
		return nil, c.Step, err
	}
	if err := c.Validate(); err != nil {
		return nil, c.Step, usage(cli.Usagef("%v", err), o.given)
	}

	// Model and circuit with its weights.
	n, err := p.Net(c.Weights(), c.Sizes)
	if err != nil {
		return nil, c.Step, fmt.Errorf("%s: %w", o.weights, err)
	}
	m, err := learner.NewDQN(c.Model(), n)
	if err != nil {
		return nil, c.Step, err
	}
	h, err := host.SimulateLearnerDQN(c, m)
	return &trainedDQN{h, m, c.Step}, c.Step, err
}

// actions makes a learner of amounts.
func (o *fitting) actions(p *policy.Policy) (trained, learner.Step, error) {
	// The actor gives shape and formats; the critic has hidden layers like it, or its own file's.
	c := circuit.Pendulum(32)
	var critic *policy.Policy
	last := len(p.Sizes) - 1
	c.Observation, c.Actions, c.ActorHidden = p.Sizes[0], p.Sizes[last], p.Sizes[1:last]
	c.CriticHidden = c.ActorHidden
	if o.critic != "" {
		var err error
		if critic, err = policy.ReadFile(o.critic); err != nil {
			return nil, c.Step, err
		}
		c.CriticHidden = critic.Sizes[1 : len(critic.Sizes)-1]
	}
	if p.Formats != nil {
		c.Formats = *p.Formats
	}

	// Tiles that fit both, then parameters.
	c.ActorTiles, c.CriticTiles = tilesOf(c.Model().ActorSizes()), tilesOf(c.Model().CriticSizes())
	if err := cli.Fill(&c, o.given); err != nil {
		return nil, c.Step, err
	}
	if err := c.Validate(); err != nil {
		return nil, c.Step, usage(cli.Usagef("%v", err), o.given)
	}

	// Both networks: the critic's are random where none are given.
	actor, err := p.Net(c.Weights(), c.Model().ActorSizes())
	if err != nil {
		return nil, c.Step, fmt.Errorf("%s: %w", o.weights, err)
	}

	q := learner.NewNet(c.Model().CriticSizes()...)
	if critic == nil {
		q.Init(rand.New(rand.NewPCG(o.seed, 1)), c.Weights())
	} else if q, err = critic.Net(c.Weights(), c.Model().CriticSizes()); err != nil {
		return nil, c.Step, fmt.Errorf("%s: %w", o.critic, err)
	}
	m, err := learner.NewDDPG(c.Model(), actor, q)
	if err != nil {
		return nil, c.Step, err
	}
	h, err := host.SimulateLearnerDDPG(c, m)
	return &trainedDDPG{h, m, c.Step}, c.Step, err
}

// batches are the rows in order, whole batches only, as codes; cut counts the numbers beyond
// the range of theirs.
func (o *fitting) batches(p *policy.Policy, data []loop.Transition, weights []float64, step learner.Step) (batches [][]learner.Sample, cut int, err error) {
	if len(data) < step.Batch {
		return nil, 0, cli.Usagef("%s has %d rows, fewer than a batch of %d; -p batch=…, a power of two, makes smaller ones", o.in, len(data), step.Batch)
	}

	// Codes, as the loop's learners make them.
	scale, f := p.Scales(), step.Activations()
	low, high := f.Range()
	raw := func(x float64) int64 {
		if x >= high+math.Ldexp(1, -f.Frac) || x < low {
			cut++
		}
		return f.Raw(x)
	}
	raws := func(xs, scale []float64) (codes []int64) {
		for i, x := range xs {
			if scale != nil {
				x = float64(x * scale[i])
			}
			codes = append(codes, raw(x))
		}
		return codes
	}
	unit := func(x float64) int64 { return int64(math.Round(float64(x * learner.One))) }

	// Whole batches, with importance weights in units of 2^-16.
	for n := 0; n+step.Batch <= len(data); n += step.Batch {
		var batch []learner.Sample
		for i, t := range data[n : n+step.Batch] {
			x := learner.Transition{State: raws(t.State, scale), Next: raws(t.Next, scale), Action: t.Action.Number, Actions: raws(t.Action.Amounts, nil), Reward: raw(t.Reward), Discount: unit(t.Discount)}
			batch = append(batch, learner.Sample{Transition: x, Weight: unit(weights[n+i])})
		}
		batches = append(batches, batch)
	}
	return batches, cut, nil
}

// all makes the steps and gives the file of losses.
func (o *fitting) all(ctx context.Context, x trained, batches [][]learner.Sample, step learner.Step) (string, error) {
	// Priorities as the replay memory of CartPole would have them.
	memory := rl.CartPole(32).Params
	e := replay.Exponents{Alpha: replay.Fixed(o.alpha), Epsilon: replay.Fixed(o.epsilon)}
	f := fixed.Format{Width: 64, Frac: step.Activations().Frac + learner.Unit}
	if o.steps == 0 {
		o.steps = len(batches)
	}

	var b strings.Builder
	b.WriteString("step,row,q,target,delta,priority\n")
	for n := range o.steps {
		if ctx.Err() != nil {
			return "", &cli.ExitError{Code: 130, Msg: fmt.Sprintf("stopped behind gradient step %d; no file is written", n)}
		}

		// A step, which circuit and model make alike.
		at := n % len(batches)
		losses, err := x.learn(batches[at], o.synchronise > 0 && (n+1)%o.synchronise == 0)
		if err != nil {
			return "", fmt.Errorf("gradient step %d: %w", n+1, err)
		}

		// A row a sample: exact numbers, and the priority of the error.
		for i, l := range losses {
			size := max(l.Delta, -l.Delta) >> (f.Frac - replay.ErrorFraction)
			priority := e.Priority(memory, uint32(min(size, math.MaxUint32)))
			fmt.Fprintf(&b, "%d,%d", n+1, at*step.Batch+i+1)
			for _, v := range []float64{step.Activations().Value(l.Q), f.Float(l.Target), f.Float(l.Delta), math.Ldexp(float64(priority), -memory.Fraction)} {
				b.WriteString("," + strconv.FormatFloat(v, 'g', -1, 64))
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

// report writes the files and summarizes the run. Weights come before losses: the last
// file says that all is there.
func (o *fitting) report(out cli.Output, x trained, p *policy.Policy, text string, batches, rows, cut int, step learner.Step) error {
	// Policies have the scales of the policy at the start.
	online, critic := x.policies(p.Scale)
	for _, file := range []struct {
		path string
		p    *policy.Policy
	}{{o.save, online}, {o.saveCritic, critic}} {
		if file.path == "" {
			continue
		}
		data, err := file.p.Encode(file.path)
		if err != nil {
			return err
		}
		if err := write(file.path, data); err != nil {
			return err
		}
	}

	// Cycles, then rows left out and values that did not fit.
	n, s := x.saturated(), x.simulator()
	fmt.Fprintf(out.Err, "%d gradient steps of %d samples, %d cycles each, %d cycles in all: losses and weights equal the model's\n", o.steps, step.Batch, x.cycles(), s.Cycles())
	if left := rows - batches*step.Batch; left > 0 {
		fmt.Fprintf(out.Err, "the last %d rows are no whole batch and were left out\n", left)
	}
	if cut > 0 {
		fmt.Fprintf(out.Err, "%d numbers of observations, rewards and actions were cut to their format's range\n", cut)
	}
	if n.Weight+n.Activation+n.Gradient > 0 {
		fmt.Fprintf(out.Err, "saturated: %d weights, %d activations, %d gradients\n", n.Weight, n.Activation, n.Gradient)
	}
	return write(o.to, []byte(text))
}

// modelled is the model of a learner.
type modelled interface {
	Learn(batch []learner.Sample) ([]learner.Loss, error)
	Synchronise()
	Saturated() learner.Saturations
}

// simulated is the circuit of a learner whose model is an M.
type simulated[M any] interface {
	Learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error)
	Equal(m M) error
	Saturated() (got learner.Saturations, counted bool)
}

// learnBoth makes a gradient step in both, and compares them.
func learnBoth[M modelled](x simulated[M], m M, batch []learner.Sample, synchronise bool) ([]learner.Loss, error) {
	// The model first: an error of the batch is its.
	want, err := m.Learn(batch)
	if err != nil {
		return nil, err
	}
	if synchronise {
		m.Synchronise()
	}

	// The circuit, whose losses, weights and counts must be the model's.
	got, err := x.Learn(batch, synchronise)
	if err == nil {
		err = equalLosses(got, want)
	}
	if err == nil {
		err = x.Equal(m)
	}
	if now, counted := x.Saturated(); err == nil && counted && now != m.Saturated() {
		err = fmt.Errorf("the circuit counts saturations %+v, the model %+v", now, m.Saturated())
	}
	return want, err
}

// trainedDQN is a learner of values with its model.
type trainedDQN struct {
	*host.LearnerDQN
	m *learner.DQN
	c learner.Step
}

func (x *trainedDQN) learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error) {
	return learnBoth(x.LearnerDQN, x.m, batch, synchronise)
}

func (x *trainedDQN) policies(scale []float64) (online, critic *policy.Policy) {
	return policy.Of(policy.DQN, scale, x.m.Online, x.c.Formats), nil
}

func (x *trainedDQN) saturated() learner.Saturations { return x.m.Saturated() }
func (x *trainedDQN) simulator() *sim.Sim            { return x.Sim }
func (x *trainedDQN) cycles() int                    { return x.Cycles() }

// trainedDDPG is a learner of amounts with its model.
type trainedDDPG struct {
	*host.LearnerDDPG
	m *learner.DDPG
	c learner.Step
}

func (x *trainedDDPG) learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error) {
	return learnBoth(x.LearnerDDPG, x.m, batch, synchronise)
}

func (x *trainedDDPG) policies(scale []float64) (online, critic *policy.Policy) {
	return policy.Of(policy.DDPG, scale, x.m.Actor, x.c.Formats), policy.Of("", nil, x.m.Critic, x.c.Formats)
}

func (x *trainedDDPG) saturated() learner.Saturations { return x.m.Saturated() }
func (x *trainedDDPG) simulator() *sim.Sim            { return x.Sim }
func (x *trainedDDPG) cycles() int                    { return x.Cycles() }

func equalLosses(got, want []learner.Loss) error {
	for i, l := range want {
		if got[i] != l {
			return fmt.Errorf("sample %d: the circuit's loss is %+v, the model's %+v", i, got[i], l)
		}
	}
	return nil
}
