package tools

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnpackStaysInside(t *testing.T) {
	for _, m := range []member{
		{name: "pkg/../../evil"},
		{name: "pkg//abs/evil"},
		{name: "pkg/link", text: "/etc/passwd", mode: os.ModeSymlink},
	} {
		file, _ := archive(t, m)
		dir := filepath.Join(t.TempDir(), "deep", "tree")
		err := unpack(file, dir, "pkg/", []string{"../", "/", "link"})
		assert.ErrorContains(t, err, "not a plain file inside", m.name)
		assert.NoFileExists(t, filepath.Join(dir, "..", "evil"))
		_, err = os.Lstat(filepath.Join(dir, "link"))
		assert.True(t, os.IsNotExist(err))
	}
}

func TestUnpackIsBounded(t *testing.T) {
	file, _ := archive(t, member{name: "big", text: "0123456789"})
	z, err := zip.OpenReader(file)
	require.NoError(t, err)
	defer z.Close()
	_, err = unpackFile(z.File[0], t.TempDir(), "big", 9)
	assert.ErrorContains(t, err, "unpacks to more than")
	n, err := unpackFile(z.File[0], t.TempDir(), "big", 10)
	assert.NoError(t, err)
	assert.EqualValues(t, 10, n)
}

func TestUnpackTruncated(t *testing.T) {
	file, _ := archive(t, member{name: "pkg/a", text: "text"})
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for n := range len(data) {
		require.NoError(t, os.WriteFile(file, data[:n], 0o644))
		assert.Error(t, unpack(file, t.TempDir(), "pkg/", []string{"a"}), "%d bytes", n)
	}
}
