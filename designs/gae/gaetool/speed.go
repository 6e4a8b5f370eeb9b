package gaetool

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"etch/designs/cli"
	"etch/designs/gae"
	"etch/designs/gae/model"
)

// Speed compares the accelerator with this machine's processor.
var Speed = cli.Command{
	Name: "gae-speed", Usage: "[-rows 64] [-steps 1024] [-repeat 200] [-json]",
	Doc: "elements a second of Go on one core, serial and time-major, beside the accelerator at an assumed 300 MHz",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment gae-speed", out)
		rows, steps := f.Int("rows", 64, "trajectories"), f.Int("steps", 1024, "of each")
		repeat := f.Int("repeat", 200, "measurements, of which the median counts")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *rows < 1 || *rows > 256 || *steps < 1 || *steps > 1<<16 || *repeat < 1 || *repeat > 1<<20 {
			return cli.Usagef("-rows %d, -steps %d, -repeat %d: want 1 to 256, 1 to 65536, 1 and more", *rows, *steps, *repeat)
		}

		r := speed(*rows, *steps, *repeat)
		if *asJSON {
			return cli.JSON(out.Out, r)
		}
		r.print(out.Out)
		return nil
	},
}

// SpeedReport holds the measured figures and the computed ones.
type SpeedReport struct {
	Rows      int     `json:"rows"`
	Steps     int     `json:"steps"`
	Serial    float64 `json:"go_serial_elements_per_s"`     // trajectory by trajectory
	TimeMajor float64 `json:"go_time_major_elements_per_s"` // step by step, all trajectories
	Cycles    int     `json:"cycles"`                       // of the accelerator, from start to done
}

// clock is the frequency that is assumed, in Hz: yosys gives none.
const clock = 300e6

// speed measures both loops, in turn.
func speed(rows, steps, repeat int) SpeedReport {
	r := rand.New(rand.NewPCG(1, 1))
	n := rows * steps
	draw := func(n int) []float32 {
		xs := make([]float32, n)
		for i := range xs {
			xs[i] = float32(r.NormFloat64())
		}
		return xs
	}
	reward, value, keep := draw(n), draw(n+rows), make([]float32, n)

	// One step in 200 ends an episode.
	for i := range keep {
		if keep[i] = 1; r.IntN(200) == 0 {
			keep[i] = 0
		}
	}

	// The two programs in turn, so that both see the same noise.
	out := make([]float32, n)
	var serial, major []float64
	for range repeat {
		began := time.Now()
		for row := range rows {
			serialGAE(reward[row*steps:][:steps], value[row*(steps+1):][:steps+1], keep[row*steps:][:steps], out[row*steps:][:steps])
		}
		serial = append(serial, time.Since(began).Seconds())
		began = time.Now()
		timeMajorGAE(rows, reward, value, keep, out)
		major = append(major, time.Since(began).Seconds())
	}

	median := func(xs []float64) float64 { slices.Sort(xs); return xs[len(xs)/2] }
	s := model.Paper()
	return SpeedReport{
		Rows: rows, Steps: steps,
		Serial: float64(n) / median(serial), TimeMajor: float64(n) / median(major),
		Cycles: steps + gae.Row{System: s}.RowLatency(),
	}
}

// The factors of both loops: γ = 0.99, γλ = 0.9405.
const (
	gamma = float32(0.99)
	carry = float32(0.99 * 0.95)
)

// serialGAE is the recurrence of one trajectory, backwards in time.
func serialGAE(reward, value, keep, out []float32) {
	a := float32(0)
	// Each step waits for the one behind it.
	for t := len(reward) - 1; t >= 0; t-- {
		a = reward[t] + keep[t]*(gamma*value[t+1]+carry*a) - value[t]
		out[t] = a
	}
}

// timeMajorGAE is the recurrence of all trajectories, a step of each after the
// other: no product waits for the one before.
func timeMajorGAE(rows int, reward, value, keep, out []float32) {
	a := make([]float32, rows)
	for t := len(reward)/rows - 1; t >= 0; t-- {
		r, k, o := reward[t*rows:][:rows], keep[t*rows:][:rows], out[t*rows:][:rows]
		v, next := value[t*rows:][:rows], value[(t+1)*rows:][:rows]
		for i := range a {
			x := r[i] + k[i]*(gamma*next[i]+carry*a[i]) - v[i]
			a[i], o[i] = x, x
		}
	}
}

func (r SpeedReport) print(w io.Writer) {
	n := float64(r.Rows * r.Steps)
	rate := n / (float64(r.Cycles) / clock)
	fmt.Fprintf(w, "%d trajectories of %d steps: %.0f elements\n", r.Rows, r.Steps, n)
	fmt.Fprintf(w, "Go, one core, trajectory by trajectory:  %6.3f G elements/s\n", r.Serial/1e9)
	fmt.Fprintf(w, "Go, one core, time-major:                %6.3f G elements/s\n", r.TimeMajor/1e9)
	fmt.Fprintf(w, "%d elements in hardware: %d cycles from start to done; at an assumed 300 MHz %.2f µs, %.2f G elements/s\n",
		r.Rows, r.Cycles, float64(r.Cycles)/clock*1e6, rate/1e9)
	fmt.Fprintf(w, "one element: 1 a cycle, 0.30 G elements/s at 300 MHz\n")
	fmt.Fprintf(w, "ratio of the whole to the faster loop: %.0f; of one element: %.2f\n", rate/max(r.Serial, r.TimeMajor), clock/max(r.Serial, r.TimeMajor))
	fmt.Fprintf(w, "loading %.0f elements at one a cycle takes %.0f cycles more, %.0f µs, and so do the statistics\n", n, n, n/clock*1e6)
}
