package fuzz

import (
	"context"
	"os"
	"testing"
)

func TestKeep(t *testing.T) {
	path := os.Getenv("ETCH_CASE")
	if path == "" {
		t.Skip("no case")
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll("/tmp/dkeep")
	os.MkdirAll("/tmp/dkeep", 0o777)
	j := find(os.Getenv("ETCH_JUDGE"))
	vs, err := j.judge(context.Background(), &workshop{dir: "/tmp/dkeep", keep: true}, []*Case{c})
	t.Log(vs, err)
}
