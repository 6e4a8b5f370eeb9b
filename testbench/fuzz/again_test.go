package fuzz

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestShrinkFile shrinks ETCH_CASE with ETCH_JUDGE once more.
func TestShrinkFile(t *testing.T) {
	path := os.Getenv("ETCH_CASE")
	if path == "" {
		t.Skip("no case")
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	j := find(os.Getenv("ETCH_JUDGE"))
	v, err := j.Look(context.Background(), c)
	t.Log(v, err)
	s, err := Shrink(context.Background(), &workshop{dir: t.TempDir()}, j, c, v, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Save("/tmp/dsoak/again", j.Name, v.Text)
	t.Log(p, err, s.size())
}
