package tools

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpackMax is the largest size of an unpacked archive in bytes.
const unpackMax = 1 << 30

// checkSum compares a file's SHA-256 with its pin.
func checkSum(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s has SHA-256 %s, pinned is %s: refused", filepath.Base(file), got, want)
	}
	return nil
}

// unpack writes the wanted members of a zip file below prefix into dir, without
// the prefix. Files in a folder named bin are made executable, which a jar
// cannot say. A member that would leave dir, or is no plain file, is an error.
func unpack(file, dir, prefix string, members []string) error {
	z, err := zip.OpenReader(file)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	defer z.Close()

	// The limit is for all files of the archive together.
	left := int64(unpackMax)
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || !wanted(name, members) {
			continue
		}
		n, err := unpackFile(f, dir, name, left)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", filepath.Base(file), f.Name, err)
		}
		left -= n
	}
	return nil
}

// wanted reports whether a file is a member, or in a folder that is one.
func wanted(name string, members []string) bool {
	if name == "" || strings.HasSuffix(name, "/") {
		return false
	}
	for _, m := range members {
		if name == m || strings.HasSuffix(m, "/") && strings.HasPrefix(name, m) {
			return true
		}
	}
	return false
}

// unpackFile writes one member, of at most max bytes, and returns its size.
func unpackFile(f *zip.File, dir, name string, max int64) (int64, error) {
	rel := filepath.FromSlash(name)
	if !filepath.IsLocal(rel) || !f.Mode().IsRegular() {
		return 0, errors.New("not a plain file inside the archive's folder")
	}
	path := filepath.Join(dir, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	mode := os.FileMode(0o644)
	if filepath.Base(filepath.Dir(path)) == "bin" {
		mode = 0o755
	}
	r, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	w, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return 0, err
	}

	// One byte more than allowed tells a file that is too large from one that just fits.
	n, err := io.Copy(w, io.LimitReader(r, max+1))
	if err == nil && n > max {
		err = fmt.Errorf("the archive unpacks to more than %d bytes", int64(unpackMax))
	}
	return n, errors.Join(err, w.Close())
}
