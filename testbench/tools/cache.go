package tools

import (
	"fmt"
	"os"
	"path/filepath"
)

// CacheDir returns the folder of everything that etch fetches: $ETCH_CACHE, or the folder etch
// in the user's cache folder. It need not exist yet. Errors: there is no home folder;
// $ETCH_CACHE is not absolute.
func CacheDir() (string, error) {
	if dir := os.Getenv("ETCH_CACHE"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("ETCH_CACHE: %q is not an absolute path", dir)
		}
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w (set ETCH_CACHE)", err)
	}
	return filepath.Join(dir, "etch"), nil
}

// dir returns the artifact's folder in the cache. A new pin is a new folder, so that checkouts
// of different age do not disturb each other.
func (a *artifact) dir() (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "tools", a.name+"-"+a.sha256[:8]), nil
}

// program returns the path of a tool's program in the cache, if it is there.
func (a *artifact) program(tool string) (path, root string, ok bool) {
	if !a.fits() {
		return "", "", false
	}
	root, err := a.dir()
	if err != nil {
		return "", "", false
	}

	// A folder or a dangling link is no program.
	path = filepath.Join(root, filepath.FromSlash(a.programs[tool]))
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return "", "", false
	}
	return path, root, true
}
