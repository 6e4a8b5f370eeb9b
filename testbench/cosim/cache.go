package cosim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"time"

	"etch/testbench/tools"
)

// Bounds of the cache of built models.
const (
	mostCached = 512 << 20 // bytes
	staleBuild = time.Hour // age at which a build was left behind by a killed process
)

// cacheDir returns the folder of built models, and makes it if it is missing.
func cacheDir() (string, error) {
	dir, err := tools.CacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "cosim")
	return dir, os.MkdirAll(dir, 0o777)
}

// key returns the name of a model: a hash of everything that its build depends on.
func (k *kit) key(what string, flags []string, s *sources) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", what, flags)

	// Tools count by place, size and time of change: hashing a compiler would take longer than the
	// build saves.
	for _, t := range k.tools {
		st, err := os.Stat(t.Path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d %d\n", t.Path, st.Size(), st.ModTime().UnixNano())
	}

	// A library has no sources besides the tool's.
	if s == nil {
		s = &sources{}
	}

	// Every file enters with its length, so that two lists with the same bytes differ.
	for _, f := range s.files {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}

	// The files of black boxes count by base name and text: a model does not depend on their folder.
	for _, path := range s.extern {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", filepath.Base(path), len(text))
		h.Write(text)
	}

	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

func newFolder(in string) (string, error) { return os.MkdirTemp(in, "build-") }

// cached returns the model of a key in the cache, after building it there if it is missing.
// build gets a folder of its own; the rename at the end makes the model appear whole.
func cached(dir, key string, build func(dir string) error) (model string, err error) {
	model = filepath.Join(dir, key)
	if _, err := os.Stat(model); err == nil {
		now := time.Now()
		return model, os.Chtimes(model, now, now)
	}

	// Build beside the place; two processes may build the same model, the later rename wins.
	tmp, err := newFolder(dir)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := build(tmp); err != nil {
		return "", err
	}
	if err := os.Rename(filepath.Join(tmp, modelFile), model); err != nil {
		return "", err
	}

	prune(dir, mostCached)
	return model, nil
}

// prune removes the least recently used models until a cache is small enough, and builds that a
// killed process left. A file that another process removes meanwhile is no error.
func prune(dir string, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var models []fs.FileInfo
	var total int64

	// A file is a model, a folder a build.
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
		case info.IsDir():
			if time.Since(info.ModTime()) > staleBuild {
				os.RemoveAll(filepath.Join(dir, info.Name()))
			}
		default:
			models = append(models, info)
			total += info.Size()
		}
	}

	// A model's time is that of its last use, see cached.
	sort.Slice(models, func(i, j int) bool { return models[i].ModTime().Before(models[j].ModTime()) })
	for _, m := range models {
		if total <= most {
			return
		}
		if os.Remove(filepath.Join(dir, m.Name())) == nil {
			total -= m.Size()
		}
	}
}
