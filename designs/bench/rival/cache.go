package rival

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"etch/testbench/tools"
)

// Bounds of the cache.
const (
	mostCached = 1 << 30       // bytes
	staleBuild = 2 * time.Hour // a build that a killed process left
)

const timeFile = "build_ms"

// placeOf is the folder in the cache for what parts make: its name changes with every one of them.
func placeOf(kind string, parts ...string) (string, error) {
	cache, err := tools.CacheDir()
	if err != nil {
		return "", err
	}

	// Each part has its length in front, or two lists of parts could give the same text.
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	return filepath.Join(cache, "bench", kind+hex.EncodeToString(h.Sum(nil))[:32]), nil
}

// processor names the processor that -march=native compiles for, as far as the system tells.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		// x86 calls the line flags, ARM Features.
		if strings.HasPrefix(line, "flags") || strings.HasPrefix(line, "Features") {
			return line
		}
	}
	return ""
}

// find fills in the known facts of a model in the cache.
func (m *Model) find(place string) bool {
	text, err := os.ReadFile(filepath.Join(place, timeFile))
	if err != nil {
		return false
	}
	ms, err := strconv.Atoi(strings.TrimSpace(string(text)))
	m.path, m.BuildTime = filepath.Join(place, modelFile), time.Duration(ms)*time.Millisecond
	if _, err2 := os.Stat(m.path); err != nil || err2 != nil {
		return false
	}

	touch(place)
	return true
}

// touch sets the time of a folder, by which prune goes, to that of its last use. A cache that cannot
// be written serves too.
func touch(place string) {
	now := time.Now()
	_ = os.Chtimes(place, now, now)
}

func saveTime(dir string, t time.Duration) error {
	return os.WriteFile(filepath.Join(dir, timeFile), []byte(strconv.Itoa(int(t.Milliseconds()))), 0o666)
}

// keep has build make files in a folder of its own and moves the named ones to place. Of two builds
// at a time the later one stays.
func keep(place string, files []string, build func(dir string) error) error {
	cache := filepath.Dir(place)
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return err
	}

	// A folder in the cache itself: the rename at the end stays within one file system.
	work, err := os.MkdirTemp(cache, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := build(work); err != nil {
		return err
	}

	done := filepath.Join(work, "done")
	if err := os.Mkdir(done, 0o777); err != nil {
		return err
	}

	// Complete models appear at their place at once, by a rename.
	for _, name := range files {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(done, name)); err != nil {
			return err
		}
	}
	os.RemoveAll(place) // the old folder is not complete
	if err := os.Rename(done, place); err != nil {
		return err
	}
	prune(cache, mostCached)
	return nil
}

// prune removes models, the longest unused first, until the cache is small
// enough, and builds that were left behind. A model that another process removes
// meanwhile is no error.
func prune(cache string, most int64) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	type model struct {
		path string
		used time.Time
		size int64
	}

	// Builds of processes that have died are told by their age.
	var models []model
	var total int64
	for _, e := range entries {
		path := filepath.Join(cache, e.Name())
		info, err := e.Info()
		switch {
		case err != nil:
		case strings.HasPrefix(e.Name(), "build-"):
			if time.Since(info.ModTime()) > staleBuild {
				os.RemoveAll(path)
			}
		default:
			m := model{path: path, used: info.ModTime()}
			files, _ := os.ReadDir(path)
			for _, f := range files {
				if st, err := f.Info(); err == nil {
					m.size += st.Size()
				}
			}
			models, total = append(models, m), total+m.size
		}
	}

	sort.Slice(models, func(i, j int) bool { return models[i].used.Before(models[j].used) })
	for _, m := range models {
		if total <= most {
			return
		}
		if os.RemoveAll(m.path) == nil {
			total -= m.size
		}
	}
}
