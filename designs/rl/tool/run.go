package tool

import (
	"fmt"
	"strconv"
	"strings"

	"etch/designs/cli"
	learner "etch/designs/learner/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/designs/rl/policy"
)

// Run is the verb that puts observations through the circuit.
var Run = cli.Command{
	Name: "rl", Usage: "[-waves rl.fst] -weights F -in obs.csv -out act.csv",
	Doc:      "the actions and values of a policy of dqn for observations s_0,…, from the circuit, cycle by cycle",
	Examples: []string{"run rl -weights policy.json -in obs.csv -out act.csv"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("run rl", out)
		weights := f.String("weights", "", "policy `file`, .json, .safetensors or .pt")
		in, to := f.String("in", "", "CSV `file` of observations"), f.String("out", "", "CSV `file` of action,q_0,…")
		waves := f.Waves()
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *weights == "" || *in == "" || *to == "" {
			return cli.Usagef("-weights, -in and -out are needed")
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}
		p, err := policy.ReadFile(*weights)
		if err != nil {
			return err
		}
		if p.Kind == policy.DDPG {
			return cli.Usagef("%s is a policy of ddpg", *weights)
		}
		rows, err := readRows(*in, observations(p.Sizes[0]))
		if err != nil {
			return err
		}
		r, err := newRunner(p)
		if err != nil {
			return fmt.Errorf("%s: %w", *weights, err)
		}
		defer r.Close()
		if err := waves.Trace(r.Sim); err != nil {
			return err
		}
		text, err := r.all(rows)
		if err := waves.Close(err); err != nil {
			return err
		}
		fmt.Fprintf(out.Err, "%d observations in %d cycles: all values equal the model's\n", len(rows), r.Sim.Cycles())
		return write(*to, []byte(text))
	},
}

// runner is a policy in the circuit, with the model beside it.
type runner struct {
	*host.SimulatedDQN
	p *policy.Policy
	c rl.System[rl.Values]
	m *learner.DQN
}

func newRunner(p *policy.Policy) (*runner, error) {
	s := rl.CartPole(32)
	if p.Formats != nil {
		s.Learner.Formats = *p.Formats
	}
	// Tiles of one output at a time fit every network; nothing is learned here.
	s.Learner.Sizes, s.Learner.Tiles, s.Learner.Batch, s.Capacity = p.Sizes, nil, 1, 2
	for range p.Sizes[1:] {
		s.Learner.Tiles = append(s.Learner.Tiles, 1, 1)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n, err := p.Net(s.Learner.Weight, p.Sizes)
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
	return &runner{h, p, s, m}, h.Load(m.Online, m.Target)
}

// all is the file of answers.
func (r *runner) all(rows [][]float64) (string, error) {
	var b strings.Builder
	b.WriteString("action," + strings.Join(numbered("q", r.p.Sizes[len(r.p.Sizes)-1]), ",") + "\n")
	scale, f := r.p.Scales(), r.c.Learner.Activation
	for i, row := range rows {
		x := make([]int64, len(row))
		for k, v := range row {
			x[k] = f.Raw(float64(v * scale[k]))
		}
		values, action := r.Act(x)
		if want, best := r.m.Act(x); fmt.Sprint(want, best) != fmt.Sprint(values, action) {
			return "", fmt.Errorf("row %d: the circuit answers %v, the model %v", i+1, values, want)
		}
		if err := r.Err(); err != nil {
			return "", err
		}
		fmt.Fprint(&b, action)
		for _, v := range values {
			b.WriteString("," + strconv.FormatFloat(f.Float(v), 'g', -1, 64))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}
