package pretrained

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"etch/designs/dwc/model"
	"etch/designs/dwc/train"
	"etch/designs/pendulum"
)

func mustPendulum(t *testing.T) *model.Model {
	t.Helper()
	m, err := Pendulum()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// config is the configuration that the model says it was made with.
func config(t *testing.T, m *model.Model) train.Config {
	t.Helper()
	var c train.Config
	if err := json.Unmarshal([]byte(m.Provenance["config"]), &c); err != nil {
		t.Fatalf("provenance: config: %v", err)
	}
	return c
}

func TestProvenance(t *testing.T) {
	m := mustPendulum(t)
	c := config(t, m)
	want := train.Default()
	want.Seed = c.Seed
	if got, def := fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want); got != def {
		t.Errorf("made with\n%s, the default is\n%s: train it again", got, def)
	}
	if got := m.Provenance["seed"]; got != fmt.Sprint(c.Seed) {
		t.Errorf("seed %q, the configuration says %d", got, c.Seed)
	}
	if got := m.Provenance["command"]; !strings.HasPrefix(got, fmt.Sprintf("etch train dwc -seed %d -steps %d ", c.Seed, c.Steps)) {
		t.Errorf("command %q", got)
	}
}

// The goal is a gap of at most 17 over 1000 starts. The mean over 200 starts
// has a standard error of under 2 points against that.
func TestGap(t *testing.T) {
	starts := train.TestStarts(1000)
	if testing.Short() {
		starts = starts[:200]
	}
	r, err := train.Evaluate(mustPendulum(t), pendulum.Solve(), starts)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("gap %.2f: reference %.2f, circuit %.2f, float %.2f over %d starts", r.Gap(), r.Reference, r.Circuit, r.Float, r.Starts)
	if r.Gap() > 17 {
		t.Errorf("the gap is %.2f: reference %.2f, controller %.2f", r.Gap(), r.Reference, r.Circuit)
	}
}

// Two callers must not share slices.
func TestFreshCopies(t *testing.T) {
	a, b := mustPendulum(t), mustPendulum(t)
	a.Layers[0].Tables[0] ^= 1
	if a.Layers[0].Tables[0] == b.Layers[0].Tables[0] {
		t.Error("two models share a table")
	}
}

// Training again gives the embedded bytes.
func TestTrainingAgainGivesTheSameFile(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
	trainer, err := train.New(config(t, mustPendulum(t)))
	if err != nil {
		t.Fatal(err)
	}
	if err := trainer.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	m, err := trainer.Model()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), pendulumJSON) {
		t.Error("another file comes out; if the trainer was changed on purpose, write pendulum.json anew")
	}
}
