package rltool

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
	learner "etch/designs/learner/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/designs/rl/policy"

	"etch/sim"
)

// Run is the verb that puts observations through the circuit.
var Run = cli.Command{
	Name: "rl", Usage: "[-kind dqn|ddpg] [-waves rl.fst] -weights F -in obs.csv -out act.csv",
	Doc:      "the actions of a policy for observations s_0,…, from the circuit, cycle by cycle: of dqn with all values, of ddpg amounts from -1 to 1",
	Examples: []string{"run rl -weights policy.json -in obs.csv -out act.csv"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run rl", out)
		weights := f.String("weights", "", "policy `file`, .json, .safetensors or .pt")
		kind := f.String("kind", "", "dqn or ddpg, of a file that does not say; none is dqn")
		in, to := f.String("in", "", "CSV `file` of observations"), f.String("out", "", "CSV `file` of action,q_0,… or of a_0,…")
		waves := f.Waves()
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *weights == "" || *in == "" || *to == "" {
			return cli.Usagef("-weights, -in and -out are needed")
		}
		if !slices.Contains([]string{"", policy.DQN, policy.DDPG}, *kind) {
			return cli.Usagef("-kind %s; want dqn or ddpg", *kind)
		}
		if err := f.Apart([]string{"weights", "in"}, "out", "waves"); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}
		p, err := policy.ReadFile(*weights)
		if err != nil {
			return err
		}
		switch {
		case p.Kind == "":
			p.Kind = *kind
		case *kind != "" && *kind != p.Kind:
			return cli.Usagef("%s is a policy of %s", *weights, p.Kind)
		}
		rows, err := readRows(*in, observations(p.Sizes[0]))
		if err != nil {
			return err
		}

		// The policy in the circuit, beside the model.
		r, err := newRunner(p)
		if err != nil {
			return fmt.Errorf("%s: %w", *weights, err)
		}
		defer r.sim.Close()
		// A signal counts from the moment at which there are waves.
		ctx, stop := cli.Interruptible()
		defer stop()
		if err := waves.Trace(r.sim); err != nil {
			return err
		}

		// All answers, then the file.
		text, err := r.all(ctx, rows, p.Scales())
		if err := waves.Close(err); err != nil {
			return err
		}
		fmt.Fprintf(out.Err, "%d observations in %d cycles: all values equal the model's\n", len(rows), r.sim.Cycles())
		if r.cut > 0 {
			fmt.Fprintf(out.Err, "%d numbers of observations were cut to their format's range\n", r.cut)
		}
		return write(*to, []byte(text))
	},
}

// runner is a policy in the circuit, with the model beside it.
type runner struct {
	sim    *sim.Sim
	format learner.Number // of codes
	header []string
	cut    int // numbers beyond the range of codes
	// act has both act; their answers are a number, if actions have one, and codes.
	act func(observation []int64) (circuit, model answer)
	err func() error
}

// answer is a policy's decision: action is "" where there are only amounts.
type answer struct {
	action string
	values []int64
}

// newRunner puts a policy into the circuit. Nothing is learned here: tiles of one weight fit
// every network, and batches of one sample and a memory of two keep the rest small.
func newRunner(p *policy.Policy) (*runner, error) {
	if p.Kind == policy.DDPG {
		return newAmounts(p)
	}

	// The network's shape is the policy's, and so are its formats.
	s := rl.CartPole(32)
	if p.Formats != nil {
		s.Learner.Formats = *p.Formats
	}
	s.Learner.Sizes, s.Learner.Tiles, s.Learner.Batch, s.Capacity = p.Sizes, ones(p.Sizes), 1, 2
	if err := s.Validate(); err != nil {
		return nil, err
	}

	// Model and circuit with its weights.
	n, err := p.Net(s.Learner.Weights(), p.Sizes)
	if err != nil {
		return nil, err
	}
	m, err := learner.NewDQN(s.Learner.Model(), n)
	if err != nil {
		return nil, err
	}
	h, err := host.SimulateDQN(s)
	if err != nil {
		return nil, err
	}
	act := func(x []int64) (circuit, model answer) {
		got, action := h.Act(x)
		want, best := m.Act(x)
		return answer{strconv.Itoa(action), got}, answer{strconv.Itoa(best), want}
	}
	header := append([]string{"action"}, numbered("q", p.Sizes[len(p.Sizes)-1])...)
	return &runner{sim: h.Sim, format: s.Learner.Activations(), header: header, act: act, err: h.Err}, h.Load(m.Online, m.Target)
}

// newAmounts is [newRunner] of an actor, beside a critic of zeros that is not asked.
func newAmounts(p *policy.Policy) (*runner, error) {
	s := rl.Pendulum(32)
	if p.Formats != nil {
		s.Learner.Formats = *p.Formats
	}

	// The actor's shape is the policy's.
	last := len(p.Sizes) - 1
	c := &s.Learner.DDPG
	c.Observation, c.Actions, c.ActorHidden, c.CriticHidden = p.Sizes[0], p.Sizes[last], p.Sizes[1:last], []int{1}
	c.ActorTiles, c.CriticTiles = ones(p.Sizes), ones(c.Model().CriticSizes())
	s.Learner.Batch, s.Capacity = 1, 2
	if err := s.Validate(); err != nil {
		return nil, err
	}

	// Model and circuit with its weights.
	n, err := p.Net(c.Weights(), p.Sizes)
	if err != nil {
		return nil, err
	}
	m, err := learner.NewDDPG(c.Model(), n, learner.NewNet(c.Model().CriticSizes()...))
	if err != nil {
		return nil, err
	}
	h, err := host.SimulateDDPG(s)
	if err != nil {
		return nil, err
	}
	act := func(x []int64) (circuit, model answer) { return answer{"", h.Act(x)}, answer{"", m.Act(x)} }
	return &runner{sim: h.Sim, format: c.Activations(), header: numbered("a", c.Actions), act: act, err: h.Err}, h.Load(m)
}

// ones are tiles of one weight.
func ones(sizes []int) (tiles []int) {
	for range sizes[1:] {
		tiles = append(tiles, 1, 1)
	}
	return tiles
}

// all is the file of answers.
func (r *runner) all(ctx context.Context, rows []row, scale []float64) (string, error) {
	var b strings.Builder
	b.WriteString(strings.Join(r.header, ",") + "\n")
	for i, row := range rows {
		if ctx.Err() != nil {
			return "", &cli.ExitError{Code: 130, Msg: fmt.Sprintf("stopped behind row %d; no file is written", i)}
		}

		// Codes of the observation, and how many numbers are beyond their range.
		x := make([]int64, len(row.values))
		for k, v := range row.values {
			y := float64(v * scale[k])
			if low, high := r.format.Range(); y >= high+math.Ldexp(1, -r.format.Frac) || y < low {
				r.cut++
			}
			x[k] = r.format.Raw(y)
		}

		// The answer, if circuit and model give the same.
		got, want := r.act(x)
		if err := r.err(); err != nil {
			return "", err
		}
		if got.action != want.action || !slices.Equal(got.values, want.values) {
			return "", fmt.Errorf("line %d: the circuit answers %v, the model %v", row.line, got, want)
		}

		// A row of values, behind the action's number if it has one.
		var fields []string
		if got.action != "" {
			fields = append(fields, got.action)
		}
		for _, v := range got.values {
			fields = append(fields, strconv.FormatFloat(r.format.Value(v), 'g', -1, 64))
		}
		b.WriteString(strings.Join(fields, ",") + "\n")
	}
	return b.String(), nil
}
