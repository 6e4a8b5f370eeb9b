package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"etch/designs/dwc/model"
	"etch/designs/pendulum"
)

// small is a run of a second or less.
func small() Config {
	c := Default()
	c.Seed, c.Steps, c.Warmup = 3, 500, 100
	c.Widths, c.Bits, c.N = []int{16, 9}, 15, 4
	c.Hidden, c.NoiseHidden = 16, 8
	c.ValidateEvery, c.ValidateStarts = 90, 5
	return c
}

func mustNew(t testing.TB, c Config) *Trainer {
	t.Helper()
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

func mustRun(t testing.TB, trainer *Trainer) {
	t.Helper()
	if err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// modelBytes is the exported model's file.
func modelBytes(t testing.TB, trainer *Trainer) string {
	t.Helper()
	m, err := trainer.Model()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// stateBytes is the trainer's whole state.
func stateBytes(t testing.TB, trainer *Trainer) string {
	t.Helper()
	var b bytes.Buffer
	if err := trainer.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEqualSeedsGiveEqualRuns(t *testing.T) {
	a := mustNew(t, small())
	mustRun(t, a)
	want, model := stateBytes(t, a), modelBytes(t, a)

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := mustNew(t, small())
	mustRun(t, b)
	if stateBytes(t, b) != want || modelBytes(t, b) != model {
		t.Error("one processor gives another result")
	}
	serial := mustNew(t, small())
	for !serial.Done() {
		if err := serial.advance(nil); err != nil {
			t.Fatal(err)
		}
	}
	if stateBytes(t, serial) != want {
		t.Error("without a crew the result is another")
	}
	c := small()
	c.Seed++
	other := mustNew(t, c)
	mustRun(t, other)
	om, am := mustModel(t, other), mustModel(t, a)
	if om.Layers[0].Tables[0] == am.Layers[0].Tables[0] && om.Layers[0].Tables[1] == am.Layers[0].Tables[1] {
		t.Error("another seed gives the same tables")
	}
}

func mustModel(t testing.TB, trainer *Trainer) *model.Model {
	t.Helper()
	m, err := trainer.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stopAt runs until the given step and no further.
func stopAt(t *testing.T, trainer *Trainer, step int) {
	t.Helper()
	for trainer.step < step {
		if err := trainer.advance(nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResumeGoesOnAsIfNothingHadHappened(t *testing.T) {
	for _, mapping := range []Mapping{Learnable, Fixed} {
		c := small()
		c.Mapping = mapping
		whole := mustNew(t, c)
		mustRun(t, whole)
		for _, at := range []int{0, 1, 100, 101, 333, 499, 500} {
			first := mustNew(t, c)
			stopAt(t, first, at)
			saved := stateBytes(t, first)
			second, err := Resume(strings.NewReader(saved))
			if err != nil {
				t.Fatalf("%s at step %d: %v", mapping, at, err)
			}
			if stateBytes(t, second) != saved {
				t.Errorf("%s at step %d: saving again gives other bytes", mapping, at)
			}
			mustRun(t, second)
			if stateBytes(t, second) != stateBytes(t, whole) || modelBytes(t, second) != modelBytes(t, whole) {
				t.Errorf("%s resumed at step %d: another result", mapping, at)
			}
		}
	}
}

func TestRunStopsBetweenSteps(t *testing.T) {
	trainer := mustNew(t, small())
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err := trainer.Run(ctx, func(p Progress) {
		calls++
		if p.Step != 100*calls || p.Steps != 500 || p.Elapsed <= 0 || p.Temperature <= 0 {
			t.Errorf("call %d: %+v", calls, p)
		}
		if calls == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || trainer.step != 200 {
		t.Fatalf("stopped at step %d with %v", trainer.step, err)
	}
	mustRun(t, trainer)
	whole := mustNew(t, small())
	mustRun(t, whole)
	if stateBytes(t, trainer) != stateBytes(t, whole) {
		t.Error("a run in two parts gives another result")
	}
	if p := trainer.Progress(); p.Return >= 0 || p.BestStep == 0 || p.Best >= 0 {
		t.Errorf("after the run: %+v", p)
	}
}

// The exported model counts as the trained network does.
func TestExportedModelIsTheTrainedNetwork(t *testing.T) {
	c := small()
	c.ValidateEvery = 0 // export the last policy
	trainer := mustNew(t, c)
	mustRun(t, trainer)
	m := mustModel(t, trainer)
	folded, err := m.Fold()
	if err != nil {
		t.Fatal(err)
	}
	eval := model.NewEval(folded)
	b := trainer.actBlock
	b.n = lanes
	states := pendulum.Starts(lanes, 11)
	for s, state := range states {
		for range s % 40 {
			state, _ = state.Step(2)
		}
		states[s] = state
		var codes [swingDims]int16
		obs := state.Observe()
		trainer.encoder.observe(codes[:], obs[:])
		trainer.encoder.load(b, s, codes[:])
	}
	trainer.sac.policy.forward(b)
	distinct := map[int]bool{}
	for s, state := range states {
		codes := make([]int, swingDims)
		for d, x := range state.Observe() {
			codes[d] = m.Quantise(d, x)
		}
		count := eval.Counts(codes)[0]
		if count != int(b.counts[0][s]) {
			t.Fatalf("%+v: the model counts %d, the trained network %d", state, count, b.counts[0][s])
		}
		distinct[count] = true
		y := trainer.sac.policy.y[0][count]
		if v := m.Head.Actions[0].Value(model.SAC, count, m.GroupSize()); math.Abs(v-2*math.Tanh(y)) > 1e-5 {
			t.Fatalf("count %d: the model acts %v, the trained network %v", count, v, 2*math.Tanh(y))
		}
	}
	if len(distinct) < 3 {
		t.Errorf("only %d counts occurred: the test sees too little", len(distinct))
	}
}

// A snapshot's validation score is what the exported controller returns from
// the same starts, but for the DAC's rounding.
func TestModelIsTheBestSnapshot(t *testing.T) {
	c := small()
	c.ValidateStarts = 70 // more than one block
	trainer := mustNew(t, c)
	mustRun(t, trainer)
	m := mustModel(t, trainer)
	folded, err := m.Fold()
	if err != nil {
		t.Fatal(err)
	}
	var starts []pendulum.State
	for _, e := range trainer.starts {
		starts = append(starts, e.(*swing).State)
	}
	got := pendulum.Evaluate(starts, circuitPolicy(folded)).Mean
	if math.Abs(got-trainer.best.score) > 0.02*math.Abs(got) {
		t.Errorf("the model returns %v, its snapshot %v", got, trainer.best.score)
	}
	if m.Provenance["policy_from"] != "step "+strconv.Itoa(trainer.best.step) {
		t.Errorf("provenance %v, best step %d", m.Provenance, trainer.best.step)
	}
	if want := "etch train dwc -seed 3 -steps 500 -widths 16,9 -n 4 -bits 15"; m.Provenance["command"] != want {
		t.Errorf("command %q, want %q", m.Provenance["command"], want)
	}
}

func TestValidationStartsAreNotTheTestStarts(t *testing.T) {
	test := map[pendulum.State]bool{}
	for _, s := range TestStarts(1000) {
		test[s] = true
	}
	for seed := range uint64(10) {
		c := small()
		c.Seed = seed
		for _, e := range validationStarts(tasks[Pendulum], &c) {
			if s := e.(*swing).State; test[s] {
				t.Errorf("seed %d validates on test start %+v", seed, s)
			}
		}
	}
}

func TestDivergenceIsAnError(t *testing.T) {
	trainer := mustNew(t, small())
	stopAt(t, trainer, 150)
	for i := range trainer.sac.noise.params {
		trainer.sac.noise.params[i] = float32(math.NaN())
	}
	err := trainer.Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "diverged by step 150") {
		t.Errorf("error %v", err)
	}
	if err := trainer.Save(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "noise[0]") {
		t.Errorf("saving NaN: error %v", err)
	}
}

// circuitReturn evaluates a controller bit by bit: threshold comparisons, table
// entries, counts and DAC codes as the model's fields define them.
func circuitReturn(t *testing.T, m *model.Model, starts []pendulum.State) float64 {
	t.Helper()
	folded, err := m.Fold()
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, s := range starts {
		sum := 0.0
		for range pendulum.Steps {
			var bits []uint64
			for d, x := range s.Observe() {
				for _, b := range folded.Bits[d] {
					bits = append(bits, 0)
					if b.Value(m.Quantise(d, x)) {
						bits[len(bits)-1] = 1
					}
				}
			}
			for _, l := range m.Layers {
				var out []uint64
				for j, pins := range l.Pins {
					address := uint64(0)
					for k, i := range pins {
						address |= bits[i] << k
					}
					out = append(out, l.Tables[j]>>address&1)
				}
				bits = out
			}
			count := 0
			for _, b := range bits {
				count += int(b)
			}
			var reward float64
			s, reward = s.Step(m.Decode(0, m.ROM(0)[count]))
			sum += reward
		}
		total += sum
	}
	return total / float64(len(starts))
}

func TestEvaluate(t *testing.T) {
	trainer := mustNew(t, small())
	m := mustModel(t, trainer)
	ref, starts := pendulum.Solve(), TestStarts(10)
	r, err := Evaluate(m, ref, starts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Starts != 10 || r.Reference != pendulum.Evaluate(starts, ref.Action).Mean {
		t.Errorf("result %+v", r)
	}
	if want := circuitReturn(t, m, starts); r.Circuit != want {
		t.Errorf("circuit %v, want %v", r.Circuit, want)
	}
	if math.Abs(r.Float-r.Circuit) > 0.2*math.Abs(r.Circuit) || r.Float == r.Circuit {
		t.Errorf("float %v, circuit %v", r.Float, r.Circuit)
	}
	if r.Gap() != r.Reference-r.Circuit || r.Gap() < 100 {
		t.Errorf("an untrained controller has a gap of %v", r.Gap())
	}
	m.Obs = m.Obs[:2]
	if _, err := Evaluate(m, ref, starts); err == nil || !strings.Contains(err.Error(), "2 observations") {
		t.Errorf("a model for another task: error %v", err)
	}
}

func BenchmarkStep(b *testing.B) {
	for _, bits := range []int{31, 63} {
		b.Run("bits="+strconv.Itoa(bits), func(b *testing.B) {
			c := Default()
			c.Bits, c.Steps, c.ValidateEvery = bits, maxSteps, 0
			trainer := mustNew(b, c)
			crew := newCrew()
			defer crew.stop()
			for trainer.step < c.Warmup {
				if err := trainer.advance(crew); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if err := trainer.advance(crew); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
