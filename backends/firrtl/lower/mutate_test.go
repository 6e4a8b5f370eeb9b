package lower_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/passes/derived"
)

var mutants = flag.Int("mutants", 3000, "damaged texts to read")

// TestMutants reads texts that were right until words and lines of them changed
// places, went or came twice: each gives an error with its line, or a valid
// netlist.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.fir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	var texts, words []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
		words = append(words, strings.Fields(string(text))...)
	}
	rng := rand.New(rand.NewPCG(3, 5))
	read, refused := 0, 0
	for range *mutants {
		text := damage(rng, texts[rng.IntN(len(texts))], words)
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("panic: %v\n%s\n%s", p, debug.Stack(), text)
				}
			}()
			c, err := syntax.Parse("f.fir", text)
			if err == nil {
				var d *ir.Design
				if d, _, err = lower.Lower(c, lower.Options{}); err == nil {
					read++
					if derived.Resolve(d) != nil {
						return
					}
					if err := ir.Verify(d); err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					return
				}
			}
			refused++
			if !strings.HasPrefix(err.Error(), "f.fir:") {
				t.Fatalf("%v\n%s", err, text)
			}
		}()
	}
	if read == 0 || refused == 0 {
		t.Errorf("%d mutants are read, %d refused", read, refused)
	}
}

// damage changes one to four places of a text.
func damage(rng *rand.Rand, text string, words []string) string {
	lines := strings.Split(text, "\n")
	for range 1 + rng.IntN(4) {
		i := rng.IntN(len(lines))
		switch rng.IntN(6) {
		case 0:
			lines = append(lines[:i:i], lines[i+1:]...)
		case 1:
			j := rng.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		case 2:
			lines = append(lines[:i+1:i+1], lines[i:]...)
		case 3:
			lines[i] = strings.Repeat(" ", rng.IntN(8)) + strings.TrimLeft(lines[i], " ")
		default:
			parts := strings.Split(lines[i], " ")
			parts[rng.IntN(len(parts))] = words[rng.IntN(len(words))]
			lines[i] = strings.Join(parts, " ")
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "\n")
}
