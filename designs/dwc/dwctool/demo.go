package dwctool

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/dwc/pretrained"
	"etch/designs/pendulum"
	"etch/hw"
	"etch/ir"
	"etch/sim"
	"etch/sim/vcd"
	"etch/sim/wave"
)

const demoEpisodes = 20

// Demo is the verb that shows a trained controller at work.
var Demo = cli.Command{
	Name: "demo", Usage: "[-o DIR]", Doc: "a trained controller becomes a circuit, drives a pendulum cycle by cycle, comes out as Verilog",
	Examples: []string{"demo", "demo replay -o cartpole"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("demo", out)
		dir := f.String("o", "etch-out", "`folder` to write to")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if err := cli.WritableIn(*dir, "dwc.v"); err != nil {
			return err
		}
		m, err := pretrained.Pendulum()
		if err != nil {
			return err
		}
		return demo(m, *dir, out.Out)
	},
}

func demo(m *model.Model, dir string, w io.Writer) error {
	c := dwc.Controller{Net: dwc.Reduced(m), Pipeline: dwc.Registered}
	d, p, err := hw.Build(c)
	if err != nil {
		return err
	}

	fmt.Fprintf(w, "controller %s: %d observations of %d bits, %d thresholds each, layers of %s, trained by %q\n",
		m.Name, len(m.Obs), m.SensorBits, m.B(), layerSizes(m), m.Provenance["command"])
	describe(w, c, d)
	plant, err := newPlant(m, c, d, p)
	if err != nil {
		return err
	}

	// The closed loop first: a wrong action ends the demo before anything is written.
	if err := plant.episodes(w); err != nil {
		return err
	}
	dump, err := plant.waves(w)
	if err != nil {
		return err
	}

	files, err := cli.Exported(d)
	if err != nil {
		return err
	}
	files = append(files, cli.File{Name: d.Top.Name + ".vcd", Data: dump})
	if err := cli.WriteFiles(dir, files...); err != nil {
		return err
	}

	fmt.Fprintln(w)
	for _, f := range files {
		fmt.Fprintf(w, "wrote %s/%s (%d bytes)\n", dir, f.Name, len(f.Data))
	}
	return nil
}

func layerSizes(m *model.Model) string {
	s := ""
	for i := range m.Layers {
		if i > 0 {
			s += "+"
		}
		s += fmt.Sprintf("%d LUT%d", m.Layers[i].Width(), m.Layers[i].N)
	}
	return s
}

// describe prints the circuit's parts and size.
func describe(w io.Writer, c dwc.Controller, d *ir.Design) {
	net, n := c.Net.Network(), c.Net.Counts()
	stats, err := cli.StatsOf(d)
	// The size is for show: without it the demo goes on.
	if err != nil {
		return
	}
	fmt.Fprintf(w, "circuit: %d comparators, %d tables, %d register bits, %d ROM bits; latency %d cycles, one action per cycle\n",
		net.Comparisons(), net.Luts(), stats.RegisterBits, stats.MemoryBits, c.Latency())

	dead := 0
	for _, k := range n.DeadLuts {
		dead += k
	}
	fmt.Fprintf(w, "left out, all exactly: %d tables nothing reads, %d repeated pins, %d pins by thermometer order, %d comparators nothing reads\n",
		dead, n.RepeatedPins, n.UnreachedPins, n.DeadComparators)
}

// plant is a pendulum with the circuit in its loop.
type plant struct {
	model *model.Model
	c     dwc.Controller
	sim   *sim.Sim
	valid sim.Signal
	obs   []sim.Signal
	done  sim.Signal
	act   sim.Signal
	eval  *model.Eval
	steps int
}

func newPlant(m *model.Model, c dwc.Controller, d *ir.Design, p dwc.ControllerPorts) (*plant, error) {
	f, err := m.Fold()
	if err != nil {
		return nil, err
	}
	s, err := sim.New(d)
	if err != nil {
		return nil, err
	}

	// The simulator has the ports of the top in the order of the design.
	top := s.Top()
	port := func(sig hw.Signal) sim.Signal {
		_, i, _ := hw.PortOf(sig)
		return top[i]
	}
	pl := &plant{model: m, c: c, sim: s, valid: port(p.Valid), done: port(p.ActValid), act: port(p.Act[0]), eval: model.NewEval(f)}
	for _, o := range p.Obs {
		pl.obs = append(pl.obs, port(o))
	}

	// Reset, so that the first action follows from the first observation alone.
	s.Reset()
	return pl, nil
}

// action runs the circuit for one observation and holds its answer against the
// Go model.
func (p *plant) action(s pendulum.State) (float64, error) {
	codes, want := make([]int, len(p.obs)), make([]int, 1)
	for i, x := range s.Observe() {
		codes[i] = p.model.Quantise(i, x)
		if err := p.sim.SetInt(p.obs[i], int64(codes[i])); err != nil {
			return 0, err
		}
	}

	// One valid cycle, then wait out the latency: the loop needs the action before the next
	// observation exists.
	if err := p.sim.Set(p.valid, 1); err != nil {
		return 0, err
	}
	p.sim.Step(1)
	if err := p.sim.Set(p.valid, 0); err != nil {
		return 0, err
	}
	p.sim.Step(p.c.Latency() - 1)
	p.steps++

	p.eval.Act(codes, want)
	if got := p.sim.GetInt(p.act); p.sim.Get(p.done) != 1 || got != int64(want[0]) {
		return 0, fmt.Errorf("observation %v: the circuit says %d (valid %d), the Go model %d", codes, got, p.sim.Get(p.done), want[0])
	}
	return p.model.Decode(0, want[0]), nil
}

// episodes runs the closed loop and prints the returns.
func (p *plant) episodes(w io.Writer) error {
	float, err := model.NewFloatPolicy(p.model)
	if err != nil {
		return err
	}

	// The same starts for circuit, float policy and reference: their differences are the
	// controllers'.
	starts := pendulum.Starts(demoEpisodes, 2026)
	var failed error
	circuit := pendulum.Evaluate(starts, func(s pendulum.State) float64 {
		u, err := p.action(s)
		if err != nil && failed == nil {
			failed = err
		}
		return u
	})

	if failed != nil {
		return failed
	}
	exact := pendulum.Evaluate(starts, func(s pendulum.State) float64 {
		o := s.Observe()
		return float.Act(o[:])[0]
	})

	reference := pendulum.Solve().Score(starts)
	fmt.Fprintf(w, "\n%d episodes of the pendulum in closed loop: %d actions in %d clock cycles, every one equal to the Go model's\n",
		demoEpisodes, p.steps, p.sim.Cycles())
	fmt.Fprintf(w, "mean return: circuit %.1f, float policy %.1f, value-iteration reference %.1f\n", circuit.Mean, exact.Mean, reference.Mean)
	worst := math.Inf(1)
	for i := range starts {
		worst = min(worst, circuit.Returns[i])
	}
	fmt.Fprintf(w, "worst episode of the circuit %.1f, of the reference %.1f\n", worst, reference.Worst)
	return nil
}

// waves shows a few cycles with a new observation each, and returns a dump of
// them.
func (p *plant) waves(w io.Writer) ([]byte, error) {
	var file bytes.Buffer

	// A new run: the dump begins right after its reset.
	p.sim.Restart()
	p.sim.Reset()
	dump := vcd.New(&file)
	show := wave.New(append(append([]sim.Signal{p.valid}, p.obs...), p.done, p.act)...)
	for _, t := range []sim.Tracer{dump, show} {
		if err := p.sim.Trace(t); err != nil {
			return nil, err
		}
	}

	// Eight observations between idle cycles, of a pendulum that the full torque moves.
	state := pendulum.State{Theta: 3, Omega: 0}
	for i := range 12 {
		valid := uint64(1)
		if i < 1 || i > 8 {
			valid = 0
		}
		if err := p.sim.Set(p.valid, valid); err != nil {
			return nil, err
		}
		for d, x := range state.Observe() {
			if err := p.sim.SetInt(p.obs[d], int64(p.model.Quantise(d, x))); err != nil {
				return nil, err
			}
		}
		p.sim.Step(1)
		state, _ = state.Step(2)
	}

	fmt.Fprintf(w, "\na new observation every cycle:\n%s", show)
	err := dump.Close() // before that the dump is not complete
	return file.Bytes(), err
}
