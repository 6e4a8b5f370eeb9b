package dwctool

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/dwc/model"
	"etch/designs/dwc/pretrained"
	"etch/designs/dwc/train"
	"etch/designs/pendulum"
)

// Noise is the experiment of the paper's figure 4: how returns fall with noise on
// the observations.
var Noise = cli.Command{
	Name: "dwc-noise", Usage: "[-p model=FILE] [-rollouts 1000] [-levels 0,0.1,…] [-seed 1] [-hidden 64] [-o DIR] [-json]",
	Doc: "return of the pendulum's controller against Gaussian noise on the normalised observation, the circuit in lanes",
	Run: func(_ *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment dwc-noise", out)
		given := f.Values()
		rollouts := f.Int("rollouts", 1000, "episodes of each level")
		levels := f.String("levels", "0,0.05,0.1,0.2,0.3,0.5,0.75,1", "standard deviations, in units of those of the observation, comma-separated")
		seed := f.Uint64("seed", 1, "seed of starts and noise")
		dir := f.String("o", "etch-out", "`folder` for noise.svg")
		hidden := f.Int("hidden", 64, "units in each of the two layers of the perceptron beside the circuit")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}

		m, err := noiseModel(given)
		if err != nil {
			return err
		}
		e := noiseExperiment{model: m, seed: *seed, hidden: *hidden, starts: pendulum.Starts(max(0, *rollouts), *seed)}
		if e.levels, err = noiseLevels(*levels); err != nil {
			return err
		}
		if *rollouts < 1 || *rollouts > 100_000 {
			return cli.Usagef("-rollouts: %d is not in 1 to 100000", *rollouts)
		}

		// The folder is made before the work, so that a bad path shows at once.
		if err := os.MkdirAll(*dir, 0o777); err != nil {
			return err
		}
		return e.report(*dir, *asJSON, out)
	},
}

// noiseModel is the trained controller, or the one in a file.
func noiseModel(given cli.Values) (*model.Model, error) {
	path, ok := given["model"]
	if len(given) > 1 || len(given) == 1 && !ok {
		return nil, cli.Usagef("-p takes model=FILE only")
	}
	if !ok {
		return pretrained.Pendulum()
	}
	m, err := model.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(m.Obs) != len(pendulum.Observation{}) || !m.Head.Kind.ROM() || m.Groups() != 1 {
		return nil, fmt.Errorf("%s: the pendulum wants 3 observations and 1 action, the model has %d and %d", path, len(m.Obs), m.Groups())
	}
	return m, nil
}

func noiseLevels(text string) (levels []float64, err error) {
	for _, s := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(v >= 0 && v <= 100) {
			return nil, cli.Usagef("-levels: %q is not a standard deviation in 0 to 100", s)
		}
		levels = append(levels, v)
	}
	if len(levels) > 100 {
		return nil, cli.Usagef("-levels: %d levels, at most 100", len(levels))
	}

	// Ascending for the plot, and each level once.
	slices.Sort(levels)
	return slices.Compact(levels), nil
}

// noiseExperiment holds the policies and levels to measure. Rollout i has the same start and the same
// normal deviates for every level and every policy.
type noiseExperiment struct {
	model  *model.Model
	seed   uint64
	levels []float64
	starts []pendulum.State
	hidden int // units in a layer of the perceptron
}

// NoiseRow is the returns at a level of noise.
type NoiseRow struct {
	Noise     float64      `json:"noise"` // standard deviation over that of the observation
	Circuit   NoiseReturns `json:"circuit"`
	Float     NoiseReturns `json:"float"`     // the same network without sensor and DAC
	Reference NoiseReturns `json:"reference"` // value iteration
	// Perceptron is a float network of two hidden layers that imitates the
	// controller, and so has about its return; Quantised is the same with weights
	// and activations of twinBits bits.
	Perceptron NoiseReturns `json:"perceptron"`
	Quantised  NoiseReturns `json:"quantised"`
}

// The networks beside the circuit.
const (
	twinBits  = 8
	twinSeed  = 1
	twinCheck = 64 // rollouts whose observations set the activations' range
)

// twins trains the networks beside the circuit.
func (e *noiseExperiment) twins() (float, quantised *train.Perceptron, err error) {
	policy, err := model.NewFloatPolicy(e.model)
	if err != nil {
		return nil, nil, err
	}

	// The float perceptron imitates the float policy; the quantised one takes its ranges from
	// states that the first one visits.
	float, err = train.Imitate(func(s pendulum.State) float64 {
		o := s.Observe()
		return policy.Act(o[:])[0]
	}, e.hidden, twinSeed)
	if err != nil {
		return nil, nil, err
	}

	var seen []pendulum.Observation
	for _, s := range pendulum.Starts(twinCheck, twinSeed+1) {
		for range pendulum.Steps {
			o := s.Observe()
			seen = append(seen, o)
			s, _ = s.Step(float.Act(o))
		}
	}
	quantised, err = float.Quantised(twinBits, seen)
	return float, quantised, err
}

// NoiseReturns summarises the returns of the rollouts.
type NoiseReturns struct {
	Mean   float64 `json:"mean"`
	Error  float64 `json:"standard_error"`
	Low    float64 `json:"p5"` // 5th percentile
	Median float64 `json:"median"`
	High   float64 `json:"p95"`
}

// noiseStream separates the noise from other uses of the seed.
const noiseStream = 0x6e6f6973

// deviates is the source of a rollout's noise.
func (e *noiseExperiment) deviates(rollout int) *rand.Rand {
	return rand.New(rand.NewPCG(e.seed, noiseStream<<32|uint64(rollout)))
}

// observe is the reading of the sensors in state s: noise of a level, in units of
// the observation's standard deviation.
func (e *noiseExperiment) observe(s pendulum.State, level float64, r *rand.Rand) pendulum.Observation {
	o := s.Observe()
	for d := range o {
		// The deviate is drawn at level 0, too: every level has the same noise.
		noise := level * float64(r.NormFloat64())
		o[d] += float64(noise * e.model.Obs[d].Std())
	}
	return o
}

// returns runs a policy at a level in Go.
func (e *noiseExperiment) returns(level float64, act func(pendulum.Observation) float64) []float64 {
	all := make([]float64, len(e.starts))
	for i, s := range e.starts {
		r := e.deviates(i)
		for range pendulum.Steps {
			next, reward := s.Step(act(e.observe(s, level, r)))
			s = next
			all[i] += reward
		}
	}
	return all
}

func summary(returns []float64) NoiseReturns {
	sorted := slices.Clone(returns)
	slices.Sort(sorted)
	n := float64(len(sorted))
	var sum, squares float64
	for _, r := range sorted {
		sum += r
	}

	// A second pass for the squares keeps the digits that Σx² − n·mean² would lose.
	mean := sum / n
	for _, r := range sorted {
		squares += float64((r - mean) * (r - mean))
	}

	// A percentile is the return of nearest rank.
	at := func(p float64) float64 { return sorted[int(math.Round(p*(n-1)))] }
	return NoiseReturns{Mean: mean, Error: math.Sqrt(squares/max(1, n-1)) / math.Sqrt(n), Low: at(.05), Median: at(.5), High: at(.95)}
}

// rows measures all levels.
func (e *noiseExperiment) rows() (rows []NoiseRow, run *noiseRun, err error) {
	if run, err = newNoiseRun(e); err != nil {
		return nil, nil, err
	}

	defer run.lanes.Close()
	circuit, err := run.returns()
	if err != nil {
		return nil, nil, err
	}

	// A policy that cannot be made is found here, not in a goroutine.
	if _, err := model.NewFloatPolicy(e.model); err != nil {
		return nil, nil, err
	}

	reference := pendulum.Solve()
	perceptron, quantised, err := e.twins()
	if err != nil {
		return nil, nil, err
	}

	// Each goroutine takes a level. A policy holds the values of its last call, so each level has
	// copies of its own; the reference holds nothing.
	rows = make([]NoiseRow, len(e.levels))
	n := len(e.starts)
	parallel(len(rows), func(k int) {
		float, _ := model.NewFloatPolicy(e.model) // for one goroutine
		rows[k] = NoiseRow{
			Noise:   e.levels[k],
			Circuit: summary(circuit[k*n : (k+1)*n]),
			Float: summary(e.returns(e.levels[k], func(o pendulum.Observation) float64 {
				return float.Act(o[:])[0]
			})),
			Perceptron: summary(e.returns(e.levels[k], perceptron.Copy().Act)),
			Quantised:  summary(e.returns(e.levels[k], quantised.Copy().Act)),
			Reference: summary(e.returns(e.levels[k], func(o pendulum.Observation) float64 {
				return reference.Action(pendulum.State{Theta: math.Atan2(o[1], o[0]), Omega: o[2]})
			})),
		}
	})
	return rows, run, nil
}

// parallel calls f for 0 to n-1 on all processors.
func parallel(n int, f func(k int)) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				f(k)
			}
		})
	}
	wg.Wait()
}

// report measures, prints and plots.
func (e *noiseExperiment) report(dir string, asJSON bool, out cli.Output) error {
	began := time.Now()
	rows, run, err := e.rows()
	if err != nil {
		return err
	}

	file := cli.File{Name: "noise.svg", Data: noisePlot(e, rows)}
	if err := cli.WriteFiles(dir, file); err != nil {
		return err
	}

	// The figures of the run itself go beside the results.
	fmt.Fprintf(out.Err, "%d rollouts in %d lanes (%s), %d cycles each: %.2g lane-cycles/s; %d actions held against the Go model; %.1f s in all\n",
		len(e.starts)*len(e.levels), run.lanes.Len(), run.engine, run.cycles, run.speed(), run.checked, time.Since(began).Seconds())
	if asJSON {
		return cli.JSON(out.Out, map[string]any{"rows": rows})
	}
	if err := printNoise(out.Out, rows); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out.Out, "wrote %s\n", filepath.Join(dir, file.Name))
	return err
}

func printNoise(out io.Writer, rows []NoiseRow) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "noise\tcircuit\t± error\t5 %\tmedian\t95 %\tfloat policy\tperceptron\tof 8 bits\tvalue iteration\t")
	for _, r := range rows {
		c := r.Circuit
		fmt.Fprintf(w, "%g\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", r.Noise, c.Mean, c.Error, c.Low, c.Median, c.High, r.Float.Mean, r.Perceptron.Mean, r.Quantised.Mean, r.Reference.Mean)
	}
	return w.Flush()
}
