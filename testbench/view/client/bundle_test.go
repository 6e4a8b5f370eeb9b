package main

import (
	"bytes"
	"os"
	"testing"
)

// mostScript bounds the page's own script, in bytes.
const mostScript = 60_000

// The script that is checked in is the one of the sources.
func TestBundle(t *testing.T) {
	want, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, have) {
		t.Errorf("%s is not of these sources: run go run . in this folder", script)
	}
	if len(have) > mostScript {
		t.Errorf("%s has %d bytes, at most %d", script, len(have), mostScript)
	}
}
