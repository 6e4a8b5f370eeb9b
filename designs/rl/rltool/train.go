package rltool

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"etch/designs/cli"
	learnercircuit "etch/designs/learner"
	"etch/designs/rl"
	"etch/designs/rl/env"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
	"etch/designs/rl/train"
)

// TrainDQN and TrainDDPG are the verbs that learn a policy.
var (
	TrainDQN  = trainCommand(train.DQN, "cartpole", "values of numbered actions")
	TrainDDPG = trainCommand(train.DDPG, "pendulum", "amounts, by actor and critic")
)

// options are the flags of a training verb.
type options struct {
	name, engine, in, weights, to, save, resume string
	seed                                        uint64
	steps                                       int
	goal                                        *float64
	limits                                      env.Limits
	given                                       cli.Values
	flags                                       *cli.Flags
}

func trainCommand(algorithm, task, doc string) cli.Command {
	return cli.Command{
		Name: algorithm,
		Usage: "[-env " + task + "|COMMAND] [-engine model|circuit|float] [-seed 1] [-steps N] [-goal R] [-weights F] [-p name=value]… " +
			"[-in transitions.csv] [-save F] [-resume F] -o policy.json",
		Doc: "learns " + doc + ", in a closed loop or from a data set; -o takes .json or .safetensors",
		Run: func(app *cli.App, args []string, out cli.Output) error {
			// The task, and the engine that learns it.
			o := options{flags: cli.NewFlags("train "+algorithm, out)}
			f := o.flags
			o.given = f.Values()
			f.Parameters(func() []cli.Param {
				e, err := env.Open(task, env.Limits{})
				if err != nil {
					return nil
				}
				return parameters(train.Default(algorithm, task, e.Spec(), 1))
			})
			f.StringVar(&o.name, "env", task, "cartpole, pendulum, or a `command` that speaks lines of JSON")
			f.StringVar(&o.engine, "engine", train.Model, "model, the arithmetic bit for bit; circuit, cycle by cycle beside the model; or float, the baseline in float64")
			f.Uint64Var(&o.seed, "seed", 1, "equal seeds give equal policies")
			f.IntVar(&o.steps, "steps", 0, "gradient steps in all, 0 for the loop's limit")
			f.Func("goal", "mean `return` at which the task is solved", func(s string) error {
				x, err := strconv.ParseFloat(s, 64)
				if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
					return errors.New("not a number")
				}
				o.goal = &x
				return nil
			})

			// Files, and the limits of an environment that is a process.
			f.StringVar(&o.weights, "weights", "", "policy `file` to begin with, .json, .safetensors or .pt")
			f.StringVar(&o.in, "in", "", "CSV `file` of transitions to learn from, without environment")
			f.StringVar(&o.save, "save", "", "`file` to keep the run in, at the end and when interrupted")
			f.StringVar(&o.resume, "resume", "", "`file` of a run to go on with, bit for bit")
			f.StringVar(&o.to, "o", "", "policy `file` to write")
			f.DurationVar(&o.limits.Answer, "env-time", 30*time.Second, "within which a command must answer")
			f.IntVar(&o.limits.Episode, "env-steps", 10_000, "after which an episode of a command is truncated")
			if _, err := f.Positional(args); err != nil {
				return err
			}

			return o.run(algorithm, out)
		},
	}
}

func (o *options) run(algorithm string, out cli.Output) error {
	switch {
	case o.to == "":
		return cli.Usagef("-o is missing: where should the policy go?")
	case o.steps < 0:
		return cli.Usagef("-steps %d: want 0 and more", o.steps)
	case o.limits.Answer <= 0:
		return cli.Usagef("-env-time %v: want more than 0", o.limits.Answer)
	case o.limits.Episode < 1:
		return cli.Usagef("-env-steps %d: want 1 and more", o.limits.Episode)
	}

	// Files that cannot be written, or are read too, are an error before anything is learned. But
	// a policy may go on in place, and a run be kept where it came from.
	if err := o.flags.Apart([]string{"in", "resume"}, "o"); err != nil {
		return err
	}
	if err := o.flags.Apart([]string{"in", "weights", "o"}, "save"); err != nil {
		return err
	}
	for _, path := range []string{o.to, o.save} {
		if path != "" {
			if err := cli.Writable(path); err != nil {
				return err
			}
		}
	}

	// A run that goes on, or one that begins on a data set or in an environment.
	ctx, stop := cli.Interruptible()
	defer stop()
	o.limits.Stop = ctx.Done()
	var t *train.Trainer
	var data []loop.Transition
	var err error
	switch {
	case o.resume != "":
		t, err = o.resumed(algorithm)
	case o.in != "":
		t, data, err = o.fitter(algorithm, out.Err)
	default:
		t, err = o.trainer(algorithm)
	}
	if errors.Is(err, context.Canceled) {
		return &cli.ExitError{Code: 130, Msg: "interrupted before the first step; nothing is written"}
	}
	if err != nil {
		return err
	}
	defer t.Close()

	if t.Env == "" {
		return o.fit(ctx, t, data, out.Err)
	}
	return o.learn(ctx, t, out)
}

// trainer begins a closed loop: the environment says its shape, then is opened again by the
// trainer.
func (o *options) trainer(algorithm string) (*train.Trainer, error) {
	e, err := env.Open(o.name, o.limits)
	if err != nil {
		return nil, err
	}
	spec := e.Spec()
	e.Close()
	c, start, err := o.config(algorithm, o.name, spec)
	if err != nil {
		return nil, err
	}
	t, err := train.New(c, o.limits, start)
	return t, usage(err, o.given)
}

// resumed goes on with a run. The flags that begin one must be its own.
func (o *options) resumed(algorithm string) (*train.Trainer, error) {
	if o.in != "" {
		return nil, cli.Usagef("-resume %s goes on with the transitions that it began with: leave out -in", o.resume)
	}

	// The file's own configuration, which must be of the algorithm asked for.
	data, err := binary(o.resume)
	if err != nil {
		return nil, err
	}

	t, err := train.Resume(data, o.limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.resume, err)
	}
	if t.Algorithm != algorithm {
		t.Close()
		return nil, cli.Usagef("%s is a run of %s", o.resume, t.Algorithm)
	}
	if err := o.same(t); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// same refuses flags that differ from the flags of the run that goes on, and fewer steps than
// it has made.
func (o *options) same(t *train.Trainer) error {
	goal := "none"
	if t.Loop.Goal != nil {
		goal = fmt.Sprint(*t.Loop.Goal)
	}
	asked := "none"
	if o.goal != nil {
		asked = fmt.Sprint(*o.goal)
	}
	for _, f := range []struct{ name, asked, has string }{
		{"env", o.name, t.Env}, {"engine", o.engine, t.Engine}, {"seed", fmt.Sprint(o.seed), fmt.Sprint(t.Seed)}, {"goal", asked, goal},
	} {
		if o.isGiven(f.name) && f.asked != f.has {
			return cli.Usagef("-%s %s: %s began with %s, and goes on with that", f.name, f.asked, o.resume, f.has)
		}
	}
	if o.weights != "" {
		return cli.Usagef("-weights %s: %s has weights of its own", o.weights, o.resume)
	}
	if n := t.Result().Steps; o.steps > 0 && o.steps < n {
		return cli.Usagef("-steps %d: %s has %d gradient steps already", o.steps, o.resume, n)
	}

	// Parameters are compared as they are shown: 0x10 is 16.
	c := t.Config
	if err := fill(&c, o.given); err != nil {
		return err
	}
	has := parameters(t.Config)
	for i, p := range parameters(c) {
		if _, given := o.given[p.Name]; given && p.Default != has[i].Default {
			return cli.Usagef("-p %s=%s: %s began with %s, and goes on with that", p.Name, p.Default, o.resume, has[i].Default)
		}
	}
	return nil
}

// usage names the parameters given in an error that they may have caused.
func usage(err error, given cli.Values) error {
	if err == nil || len(given) == 0 {
		return err
	}
	return fmt.Errorf("with %v: %w", given, err)
}

// config is the run that the flags ask for.
func (o *options) config(algorithm, name string, spec env.Spec) (c train.Config, start *policy.Policy, err error) {
	// An environment of the other kind: the configuration's own check has the words for it.
	if algorithm == train.DQN && spec.Actions == 0 || algorithm == train.DDPG && spec.Actions > 0 {
		c = train.Config{Algorithm: algorithm, Engine: o.engine, Env: name, Seed: o.seed, Loop: loop.Default(spec)}
		return c, nil, cli.Usagef("%v", c.Validate(spec))
	}

	// Defaults for the environment, then parameters by name.
	c = train.Default(algorithm, name, spec, o.seed)
	c.Engine = o.engine
	if o.goal != nil {
		c.Loop.Goal, c.Loop.Above = o.goal, false
	}

	if err := fill(&c, o.given); err != nil {
		return c, nil, err
	}

	// First weights, of the shape that the parameters ask for.
	if o.weights != "" {
		if start, err = policy.ReadFile(o.weights); err != nil {
			return c, nil, err
		}
		if start.Kind != "" && start.Kind != algorithm {
			return c, nil, cli.Usagef("%s is a policy of %s", o.weights, start.Kind)
		}

		sizes := c.DQN.Sizes
		if algorithm == train.DDPG {
			sizes = c.DDPG.Model().ActorSizes()
		}
		if !slices.Equal(start.Sizes, sizes) {
			return c, nil, fmt.Errorf("%s: weights of a network %v for one of %v", o.weights, start.Sizes, sizes)
		}
	}
	return c, start, nil
}

// dqnParams and ddpgParams are the parameters that -p sets of a run. Fields of Shared are
// exported, as embedded fields must be to be parameters.
type (
	dqnParams struct {
		Learner learnercircuit.Config
		Shared
	}
	ddpgParams struct {
		Learner learnercircuit.DDPG
		Shared
	}
	Shared struct {
		rl.Memory
		Loop    loop.Config
		Alpha   float64 `help:"priorities are (|delta| + epsilon)^alpha, 0 to 1"`
		Beta    float64 `help:"exponent of the weights by which samples count, 0 to 1"`
		Epsilon float64 `help:"see alpha, 0 to 1"`
		Plain   bool    `help:"draws without strata"`
		Uniform bool    `help:"without priorities: all stay 1"`
	}
)

// params is a pointer to the parameters of a configuration.
func params(c train.Config) any {
	s := Shared{c.Memory, c.Loop, c.Alpha, c.Beta, c.Epsilon, c.Plain, c.Uniform}
	if c.Algorithm == train.DQN {
		return &dqnParams{c.DQN, s}
	}
	return &ddpgParams{c.DDPG, s}
}

// parameters lists the parameters of a configuration, their values as defaults.
func parameters(c train.Config) []cli.Param {
	if p, ok := params(c).(*dqnParams); ok {
		return cli.ParamsOf(*p)
	}
	return cli.ParamsOf(*params(c).(*ddpgParams))
}

// fill sets the given parameters of a configuration.
func fill(c *train.Config, given cli.Values) error {
	p := params(*c)
	if err := cli.Fill(p, given); err != nil {
		return err
	}
	var s Shared
	switch p := p.(type) {
	case *dqnParams:
		c.DQN, s = p.Learner, p.Shared
	case *ddpgParams:
		c.DDPG, s = p.Learner, p.Shared
	}
	c.Memory, c.Loop, c.Alpha, c.Beta, c.Epsilon, c.Plain, c.Uniform = s.Memory, s.Loop, s.Alpha, s.Beta, s.Epsilon, s.Plain, s.Uniform
	return nil
}

// learn runs the loop, keeps the run and writes the policy.
func (o *options) learn(ctx context.Context, t *train.Trainer, out cli.Output) error {
	begin := time.Now()
	err := t.Run(ctx, o.steps, func(p loop.Point) {
		fmt.Fprintf(out.Err, "step %d: mean return %.1f, %.0f s\n", p.Steps, p.Return, time.Since(begin).Seconds())
	})

	if err := o.keep(t, err); err != nil {
		return err
	}

	// The policy, and the verdict.
	if err := o.write(t, out.Err); err != nil {
		return err
	}
	r := t.Result()
	verdict := "not solved"
	if r.Solved {
		verdict = "solved"
	}
	test := fmt.Sprintf("last test %.1f", r.Return)
	if len(r.Curve) == 0 {
		test = fmt.Sprintf("no test, they come every %d gradient steps", t.Loop.Test)
	}
	fmt.Fprintf(out.Out, "%s: %s; %d gradient steps, %d environment steps, %s, %.1f s\n", o.to, verdict, r.Steps, r.Environment, test, time.Since(begin).Seconds())
	return nil
}

// keep keeps a run that ended with that error, and gives the error that is left. One that is
// interrupted, or whose environment fails, is kept until its last complete step, without a policy.
func (o *options) keep(t *train.Trainer, err error) error {
	stopped := errors.Is(err, context.Canceled)
	var failure *env.Failure
	if err != nil && !stopped && !errors.As(err, &failure) {
		return err
	}

	// Hours of training are worth more than the word about them: save first.
	if o.save != "" {
		data, failed := t.Save()
		if failed == nil {
			failed = write(o.save, data)
		}
		if failed != nil {
			return errors.Join(err, failed)
		}
	}

	// Each way out says how to go on.
	if stopped {
		text := fmt.Sprintf("stopped at gradient step %d; no policy is written", t.Result().Steps)
		if o.save != "" {
			text += "; go on with -resume " + o.save
		}
		return &cli.ExitError{Code: 130, Msg: text}
	}
	if err != nil && o.save != "" {
		return fmt.Errorf("%w; go on from gradient step %d with -resume %s", err, t.Result().Steps, o.save)
	}
	return err
}

// fitter begins a run on a data set, and gives the transitions as a loop would insert them.
func (o *options) fitter(algorithm string, progress io.Writer) (*train.Trainer, []loop.Transition, error) {
	if o.isGiven("env") {
		return nil, nil, cli.Usagef("-in learns without -env")
	}
	rows, err := readTransitions(o.in, false)
	if err != nil {
		return nil, nil, err
	}
	data, spec := rows.data, rows.spec

	// Columns say which algorithm the rows are for.
	switch {
	case algorithm == train.DQN && spec.Actions == 0:
		return nil, nil, cli.Usagef("%s has columns a_0…, amounts for ddpg; dqn wants a column a", o.in)
	case algorithm == train.DDPG && spec.Actions > 0:
		return nil, nil, cli.Usagef("%s has a column a, numbered actions for dqn; ddpg wants columns a_0…", o.in)
	}
	if algorithm == train.DQN && o.given["learner.sizes"] == "" {
		at := rows.greatest()
		sizes := train.Default(algorithm, "", spec, o.seed).DQN.Sizes
		fmt.Fprintf(progress, "%s: its greatest action, %d in line %d, makes a network of %v; -p learner.sizes=… sets another\n", o.in, data[at].Action.Number, rows.lines[at], sizes)
	}
	c, start, err := o.config(algorithm, "", spec)
	if err != nil {
		return nil, nil, err
	}

	// Every row is of the network: an action that it lacks would end the run where it is drawn.
	if err := rows.within(c.Shape()); err != nil {
		return nil, nil, err
	}

	if len(data) > c.Memory.Capacity {
		return nil, nil, cli.Usagef("%s has %d transitions, the memory %d; -p capacity=%d", o.in, len(data), c.Memory.Capacity, len(data))
	}

	// Rows as a loop would insert them: scaled.
	for i := range data {
		data[i].State, data[i].Next, data[i].Reward = c.Loop.Observe(data[i].State), c.Loop.Observe(data[i].Next), float64(data[i].Reward*c.Loop.Reward)
	}
	t, err := train.New(c, o.limits, start)
	return t, data, usage(err, o.given)
}

// fit learns from transitions in a file, or goes on with the transitions of a run.
func (o *options) fit(ctx context.Context, t *train.Trainer, data []loop.Transition, progress io.Writer) error {
	steps := o.steps
	if steps == 0 {
		steps = 1000
	}
	if err := o.keep(t, t.Fit(ctx, data, steps)); err != nil {
		return err
	}

	text := fmt.Sprintf("%d gradient steps", t.Result().Steps)
	if data != nil {
		text += fmt.Sprintf(" on %d transitions", len(data))
	}
	fmt.Fprintln(progress, text)
	return o.write(t, progress)
}

// write writes the policy, and reports the numbers that did not fit.
func (o *options) write(t *train.Trainer, progress io.Writer) error {
	data, err := t.Policy().Encode(o.to)
	if err != nil {
		return err
	}
	if n := t.Cut(); n > 0 {
		fmt.Fprintf(progress, "%d numbers of observations, rewards and actions were cut to their format's range; -p loop.scale and loop.reward scale them\n", n)
	}
	return write(o.to, data)
}

// write writes a file at once.
func write(path string, data []byte) error {
	return cli.WriteFiles(filepath.Dir(path), cli.File{Name: filepath.Base(path), Data: data})
}

// isGiven reports whether a flag is on the command line.
func (o *options) isGiven(name string) (is bool) {
	o.flags.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// binary reads a file of at most 1 GiB.
func binary(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<30 {
		return nil, fmt.Errorf("%s: no regular file of at most 1 GiB", path)
	}
	return os.ReadFile(path)
}
