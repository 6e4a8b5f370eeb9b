package train

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tiny is a configuration whose checkpoint is a few kilobytes.
func tiny() Config {
	c := small()
	c.Steps, c.Warmup, c.ValidateEvery = 130, 100, 20
	c.Widths, c.Bits, c.N, c.Hidden, c.NoiseHidden = []int{3, 2}, 3, 2, 2, 2
	return c
}

func TestResumeRefusesWhatIsNotWhole(t *testing.T) {
	trainer := mustNew(t, tiny())
	mustRun(t, trainer)
	whole := stateBytes(t, trainer)
	refused := func(what, file string) {
		t.Helper()
		_, err := Resume(strings.NewReader(file))
		if err == nil {
			t.Fatalf("%s is accepted", what)
		}
		if msg := err.Error(); !strings.HasPrefix(msg, "train: checkpoint: ") || strings.Contains(msg, "\n") {
			t.Fatalf("%s: error %q", what, msg)
		}
	}
	for n := 0; n < len(whole); n += 1 + n/9 {
		refused("a file cut short", whole[:n])
	}
	refused("a file with more behind", whole+"x")
	for at := 0; at < len(whole); at += 1 + at/9 {
		changed := []byte(whole)
		changed[at] ^= 0x10
		refused("a changed byte", string(changed))
	}
	refused("another version", strings.Replace(whole, "checkpoint 1", "checkpoint 2", 1))
}

// field finds the offset of a value that is known to be in the file.
func field(t *testing.T, file string, value []byte) int {
	t.Helper()
	at := strings.Index(file, string(value))
	if at < 0 {
		t.Fatal("the value is not in the file")
	}
	return at
}

func TestResumeNamesTheField(t *testing.T) {
	trainer := mustNew(t, tiny())
	mustRun(t, trainer)
	whole := stateBytes(t, trainer)
	patch := func(at int, b []byte) string { return whole[:at] + string(b) + whole[at+len(b):] }
	f32 := func(v float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }
	f64 := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }

	theta := field(t, whole, f64(trainer.env.(*swing).State.Theta))
	critic := field(t, whole, f32(trainer.sac.critics[1].params[0]))
	cases := []struct{ want, file string }{
		{"config: json", strings.Replace(whole, `"steps"`, `"stens"`, 1)},
		{"config: train: n: 9 is not in 2..6", strings.Replace(whole, `"n":2`, `"n":9`, 1)},
		{"config size: 1152921504606846976", patch(len(checkpointMagic), binary.LittleEndian.AppendUint64(nil, 1<<60))},
		{"step: 131 is not in 0..130", patch(theta-8, binary.LittleEndian.AppendUint64(nil, 131))},
		{"env.theta: NaN", patch(theta, f64(math.NaN()))},
		{"env.elapsed: -1", patch(theta+16, binary.LittleEndian.AppendUint64(nil, 1<<64-1))},
		{"critics[1][0]: +Inf", patch(critic, f32(float32(math.Inf(1))))},
		{"checksum", patch(critic, f32(0.5))},
	}
	for _, c := range cases {
		if _, err := Resume(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// A fixed mapping's pins are in the file, and must be inputs.
func TestResumeChecksPins(t *testing.T) {
	c := tiny()
	c.Mapping = Fixed
	trainer := mustNew(t, c)
	trainer.sac.policy.layers[1].pins[2] = 3 // layer 0 has the outputs 0..2
	if err := trainer.Save(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "layers[1].pins[2]: 3 is out of range") {
		t.Errorf("error %v", err)
	}
}

// A short file that claims a huge run is refused at once.
func TestResumeOfAHugeClaimIsCheap(t *testing.T) {
	c := tiny()
	c.Steps = maxSteps
	trainer := mustNew(t, c)
	whole := stateBytes(t, trainer)
	theta := field(t, whole, binary.LittleEndian.AppendUint64(nil, math.Float64bits(trainer.env.(*swing).State.Theta)))
	claim := whole[:theta-8] + string(binary.LittleEndian.AppendUint64(nil, maxSteps)) + whole[theta:]
	start := time.Now()
	if _, err := Resume(strings.NewReader(claim)); err == nil || !strings.Contains(err.Error(), "replay") {
		t.Errorf("error %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.ckpt")
	trainer := mustNew(t, tiny())
	mustRun(t, trainer)
	if err := trainer.SaveFile(path); err != nil {
		t.Fatal(err)
	}
	back, err := ResumeFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if stateBytes(t, back) != stateBytes(t, trainer) {
		t.Error("the file holds another state")
	}
	// A failing save leaves the old file and nothing else.
	trainer.sac.logTemp[0] = float32(math.NaN())
	if err := trainer.SaveFile(path); err == nil {
		t.Error("NaN was saved")
	}
	old, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(old, []byte(stateBytes(t, back))) {
		t.Errorf("the old file is gone or changed (%v)", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
	if _, err := ResumeFile(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file is resumed")
	}
	if err := os.WriteFile(path, []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ResumeFile(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("error %v does not name the file", err)
	}
}
