package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// maxFileSize bounds the files that Open accepts; the tensors stay in the file.
const maxFileSize = 1 << 32

// Checkpoint is an open file of named tensors.
type Checkpoint struct {
	// Path is the name given to Open.
	Path string
	// Container is "pytorch" or "safetensors".
	Container string
	// Tensors are in ascending order of their names, which are the keys from
	// the outermost dictionary inwards joined by dots, such as
	// fc_mean.net.1.luts. Numbers and lists of numbers count as tensors.
	Tensors []*Tensor
	// Classes are the classes of instances that lie beside or around the
	// tensors, by path: "model.0" → "torch_dwn.lut_layer.LUTLayer".
	Classes map[string]string
	// Metadata are the notes of a .safetensors file, its __metadata__.
	Metadata map[string]string

	byName map[string]*Tensor
	file   io.Closer
}

// Open reads the names and shapes of a .pt, .pth or .safetensors file. The
// container is told by content, not by the file's name. The caller closes it.
// Errors name the file and take one line.
func Open(path string) (*Checkpoint, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}

	// The file stays open: tensors are read from it when they are asked for.
	ck, err := openFile(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %s", path, oneLine(err))
	}
	ck.Path, ck.file = path, f
	return ck, nil
}

func openFile(f *os.File) (*Checkpoint, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("not a regular file")
	}
	return read(f, info.Size())
}

// read reads a checkpoint of size bytes, whose tensors keep reading from r.
func read(r io.ReaderAt, size int64) (*Checkpoint, error) {
	if size > maxFileSize {
		return nil, fmt.Errorf("larger than %d GiB", maxFileSize>>30)
	}
	var head [16]byte
	n, _ := r.ReadAt(head[:], 0) // shorter files fall through to the last case
	var tensors []*Tensor
	var classes, notes map[string]string
	var err error

	// A zip file begins with PK. PyTorch's old format begins with a pickle of protocol 2 that holds a
	// magic number of ten bytes; a .safetensors file with the length of its JSON header.
	container := "pytorch"
	switch {
	case n >= 4 && string(head[:4]) == "PK\x03\x04":
		tensors, classes, err = readZip(r, size)
	case n == 16 && string(head[:4]) == "\x80\x02\x8a\x0a":
		return nil, fmt.Errorf("written by PyTorch's old serialization; save it again with torch.save(torch.load(FILE), FILE)")
	case n >= 9 && head[8] == '{' && binary.LittleEndian.Uint64(head[:]) < uint64(size):
		container = "safetensors"
		tensors, notes, err = readSafetensors(r, size)
	default:
		return nil, fmt.Errorf("neither a PyTorch zip file (.pt, .pth) nor a .safetensors file, or cut short")
	}
	if err != nil {
		return nil, err
	}

	ck, err := newCheckpoint(container, tensors)
	if err == nil {
		ck.Classes, ck.Metadata = classes, notes
	}
	return ck, err
}

func newCheckpoint(container string, tensors []*Tensor) (*Checkpoint, error) {
	ck := &Checkpoint{Container: container, Tensors: tensors, byName: make(map[string]*Tensor, len(tensors))}

	for _, t := range tensors {
		if ck.byName[t.Name] != nil {
			return nil, fmt.Errorf("two tensors are named %s", clip(t.Name))
		}
		ck.byName[t.Name] = t
	}
	sort.Slice(tensors, func(i, j int) bool { return tensors[i].Name < tensors[j].Name })
	return ck, nil
}

// Tensor returns the tensor of that name, nil if there is none.
func (c *Checkpoint) Tensor(name string) *Tensor { return c.byName[name] }

// Close closes the file. The tensors can no longer be read.
func (c *Checkpoint) Close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

// oneLine returns an error's text on one line of bounded length.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > 400 {
		text = strings.ToValidUTF8(text[:400], "") + "…"
	}
	return text
}

// clip shortens text from a file for an error message.
func clip(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
