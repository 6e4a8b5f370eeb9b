package checkpoint

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits on the zip container and its pickle.
const (
	maxDirectory = 16 << 20 // bytes read to list the records
	maxRecords   = 1 << 16
	maxPickle    = 4 << 20
)

// archive is a PyTorch zip file: records NAME/data.pkl, NAME/data/KEY and
// NAME/byteorder under one top folder.
type archive struct {
	file    io.ReaderAt
	size    int64
	root    string
	records map[string]*zip.File
	order   binary.ByteOrder
}

// readZip reads the tensors of a PyTorch zip file, and the classes of instances
// by path.
func readZip(r io.ReaderAt, size int64) ([]*Tensor, map[string]string, error) {
	a, err := openArchive(r, size)
	if err != nil {
		return nil, nil, err
	}
	pickle, err := a.bytes("data.pkl", maxPickle)
	if err != nil {
		return nil, nil, err
	}

	// The pickle has shapes and references to storages, records of their own.
	root, err := unpickle(pickle, a)
	if err != nil {
		return nil, nil, fmt.Errorf("data.pkl: %w", err)
	}
	tensors, classes, err := flatten(root)
	if err != nil {
		return nil, nil, fmt.Errorf("data.pkl: %w", err)
	}
	return tensors, classes, nil
}

func openArchive(r io.ReaderAt, size int64) (*archive, error) {
	// The directory is as long as the file says, so reading it has a budget.
	limited := &budget{r: r, left: maxDirectory}
	z, err := zip.NewReader(limited, size)
	limited.left = maxDirectory // for the records' own headers, read later

	// Names are looked up and never used as paths, so ErrInsecurePath does no harm.
	switch {
	case errors.Is(err, errBudget):
		return nil, fmt.Errorf("zip: the list of records is too large")
	case err != nil && z == nil, err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, fmt.Errorf("zip: not a whole archive: %w", err)
	case len(z.File) > maxRecords:
		return nil, fmt.Errorf("zip: %d records; at most %d", len(z.File), maxRecords)
	}

	// One pickle; everything else is found by its name.
	a := &archive{file: r, size: size, records: make(map[string]*zip.File, len(z.File)), order: binary.LittleEndian}
	found := false
	for _, f := range z.File {
		if a.records[f.Name] != nil {
			return nil, fmt.Errorf("zip: two records are named %s", clip(f.Name))
		}
		a.records[f.Name] = f
		if root, is := strings.CutSuffix(f.Name, "data.pkl"); is && strings.Count(f.Name, "/") <= 1 {
			if found {
				return nil, fmt.Errorf("zip: more than one data.pkl")
			}
			a.root, found = root, true
		}
	}
	if !found {
		return nil, fmt.Errorf("zip: no data.pkl, so not a file that torch.save wrote")
	}
	return a, a.readByteOrder()
}

// readByteOrder reads the record that newer versions write; little-endian
// without one.
func (a *archive) readByteOrder() error {
	if a.records[a.root+"byteorder"] == nil {
		return nil
	}
	text, err := a.bytes("byteorder", 16)
	if err != nil {
		return err
	}

	switch string(text) {
	case "little":
	case "big":
		a.order = binary.BigEndian
	default:
		return fmt.Errorf("byteorder: %s is neither little nor big", clip(string(text)))
	}
	return nil
}

// open returns a record's bytes where they lie in the file.
func (a *archive) open(name string) (*io.SectionReader, error) {
	f := a.records[a.root+name]
	if f == nil {
		return nil, fmt.Errorf("zip: no record %s", clip(name))
	}
	if f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64 {
		return nil, fmt.Errorf("zip: record %s is compressed, which torch.save never does", clip(name))
	}

	at, err := f.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("zip: record %s: %w", clip(name), err)
	}

	// The directory of a broken file may point anywhere.
	if f.UncompressedSize64 > uint64(a.size) || at < 0 || at > a.size-int64(f.UncompressedSize64) {
		return nil, fmt.Errorf("zip: record %s reaches beyond the file", clip(name))
	}
	return io.NewSectionReader(a.file, at, int64(f.UncompressedSize64)), nil
}

func (a *archive) bytes(name string, limit int64) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	if r.Size() > limit {
		return nil, fmt.Errorf("%s: %d bytes; at most %d", name, r.Size(), limit)
	}

	b := make([]byte, r.Size())
	_, err = io.ReadFull(r, b)
	return b, err
}

// storage opens the storage of a persistent id: numel elements of a type.
func (a *archive) storage(key string, dtype DType, numel int64) (*storage, error) {
	r, err := a.open("data/" + key)
	if err != nil {
		return nil, err
	}
	if numel < 0 || numel > r.Size()/int64(dtype.Size()) {
		return nil, fmt.Errorf("storage %s: %d elements of %s, but its record has %d bytes", clip(key), numel, dtype, r.Size())
	}
	return &storage{dtype: dtype, numel: numel, src: r, order: a.order}, nil
}

// errBudget is the error of a budget that is used up.
var errBudget = errors.New("read budget used up")

// budget is a ReaderAt that reads only so many bytes in all.
type budget struct {
	r    io.ReaderAt
	left int
}

func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errBudget
	}
	return b.r.ReadAt(p, off)
}
