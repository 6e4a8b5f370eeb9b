package train

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"etch/designs/pendulum"
)

// slow skips tests that take a minute or more of building or training.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
}

// The goal of the default configuration: a gap of at most 17 to the reference
// over 1000 starts, for each of the seeds 1–5.
func TestGoal(t *testing.T) {
	slow(t)
	ref, starts := pendulum.Solve(), TestStarts(1000)
	for seed := uint64(1); seed <= 5; seed++ {
		c := Default()
		c.Seed = seed
		trainer := mustNew(t, c)
		mustRun(t, trainer)
		r, err := Evaluate(mustModel(t, trainer), ref, starts)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: gap %.2f (reference %.2f, circuit %.2f, float %.2f) in %v",
			seed, r.Gap(), r.Reference, r.Circuit, r.Float, trainer.Progress().Elapsed)
		if r.Gap() > 17 {
			t.Errorf("seed %d: the gap is %.2f", seed, r.Gap())
		}
	}
}

// TestDigest prints a digest of a short run's whole state, for
// TestFusedMultiplyAddChangesNothing to compare between builds.
func TestDigest(t *testing.T) {
	if os.Getenv("ETCH_DIGEST") == "" {
		t.Skip("a helper of TestFusedMultiplyAddChangesNothing")
	}
	fmt.Println(digest(t))
}

func digest(t *testing.T) string {
	c := small()
	c.Steps = 1500
	trainer := mustNew(t, c)
	mustRun(t, trainer)
	return fmt.Sprintf("digest %x", sha256.Sum256([]byte(stateBytes(t, trainer))))
}

// GOAMD64=v3 lets the compiler fuse x*y+z, as it does on arm64 by default. A
// run must not notice.
func TestFusedMultiplyAddChangesNothing(t *testing.T) {
	slow(t)
	want := digest(t)
	for _, level := range []string{"v1", "v3"} {
		cmd := exec.Command("go", "test", "-count=1", "-run=^TestDigest$", "-v", ".")
		cmd.Env = append(os.Environ(), "GOARCH=amd64", "GOAMD64="+level, "ETCH_DIGEST=1")
		out, err := cmd.CombinedOutput()
		if bytes.Contains(out, []byte("requires")) || bytes.Contains(out, []byte("exec format error")) {
			t.Skipf("this processor does not run GOAMD64=%s: %s", level, out)
		}
		if err != nil {
			t.Fatalf("GOAMD64=%s: %v\n%s", level, err, out)
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("GOAMD64=%s: another state than here (%s):\n%s", level, want, out)
		}
	}
}

// The machine code for arm64 fuses nothing in what training runs through.
func TestArm64CodeHasNoFusedMultiplyAdd(t *testing.T) {
	slow(t)
	bin := filepath.Join(t.TempDir(), "train.test")
	build := exec.Command("go", "test", "-c", "-o", bin, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building for arm64: %v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `^etch/designs/(pendulum\.|mountaincar\.|dwc/train\.|dwc/model\.(Exp|Tanh|expm1Reduced)$)`, bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	fused := regexp.MustCompile(`\bFN?M(ADD|SUB)[SD]\b`)
	if !bytes.Contains(out, []byte("FMULD")) {
		t.Fatal("the disassembly has no multiplication at all")
	}
	for line := range strings.Lines(string(out)) {
		if fused.MatchString(line) && !strings.Contains(line, "_test.go") {
			t.Error(strings.TrimSpace(line))
		}
	}
}

// TestOtherGoals: every algorithm learns both tasks, seed 1 of the defaults.
func TestOtherGoals(t *testing.T) {
	slow(t)
	for _, task := range Tasks() {
		for _, algorithm := range []Algorithm{SAC, DDPG, PPO} {
			c := DefaultFor(task, algorithm)
			trainer := mustNew(t, c)
			mustRun(t, trainer)
			r, err := Judge(task, mustModel(t, trainer), 1000)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %s: gap %.1f", task, algorithm, r.Gap())
			if r.Gap() > 17 {
				t.Errorf("%s, %s: gap %.1f", task, algorithm, r.Gap())
			}
		}
	}
}
