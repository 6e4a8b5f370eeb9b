package checkpoint

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pickler spells pickles, hostile ones too.
type pickler struct{ bytes.Buffer }

func (p *pickler) op(s string) *pickler { p.WriteString(s); return p }

func (p *pickler) global(module, name string) *pickler {
	return p.op("c" + module + "\n" + name + "\n")
}

func (p *pickler) text(s string) *pickler {
	p.op("X")
	binary.Write(p, binary.LittleEndian, uint32(len(s)))
	return p.op(s)
}

func (p *pickler) int(v int) *pickler {
	if v == int(int32(v)) {
		p.op("J")
		binary.Write(p, binary.LittleEndian, int32(v))
		return p
	}
	p.op("\x8a\x08")
	binary.Write(p, binary.LittleEndian, int64(v))
	return p
}

func (p *pickler) ints(v ...int) *pickler {
	p.op("(")
	for _, x := range v {
		p.int(x)
	}
	return p.op("t")
}

// tensor spells a float32 tensor in storage "0".
func (p *pickler) tensor(numel, offset int, size, stride []int) *pickler {
	return p.tensorOf("FloatStorage", numel, offset, size, stride)
}

func (p *pickler) tensorOf(class string, numel, offset int, size, stride []int) *pickler {
	p.global("torch._utils", "_rebuild_tensor_v2").op("((").text("storage").global("torch", class)
	p.text("0").text("cpu").int(numel).op("tQ").int(offset).ints(size...).ints(stride...)
	return p.op("\x89").global("collections", "OrderedDict").op(")RtR")
}

// dict spells {"x": value}.
func dictOf(value func(p *pickler)) string {
	p := &pickler{}
	p.op("\x80\x02}").text("x")
	value(p)
	return p.op("s.").String()
}

// archiveOf returns a zip as PyTorch writes it, with 16 float32 in storage "0".
func archiveOf(pickle string, extra ...string) []byte {
	var storage bytes.Buffer
	for i := range 16 {
		binary.Write(&storage, binary.LittleEndian, float32(i)+0.5)
	}
	records := append([]string{"a/data.pkl", pickle, "a/data/0", storage.String()}, extra...)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(records); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: records[i], Method: zip.Store})
		if err != nil {
			panic(err)
		}
		f.Write([]byte(records[i+1]))
	}
	w.Close()
	return b.Bytes()
}

func readBytes(b []byte) (*Checkpoint, error) { return read(bytes.NewReader(b), int64(len(b))) }

func TestViews(t *testing.T) {
	for _, c := range []struct {
		class         string
		numel, offset int
		size, stride  []int
		want          []float64
	}{
		{"FloatStorage", 16, 2, []int{3}, []int{1}, []float64{2.5, 3.5, 4.5}},
		{"FloatStorage", 16, 1, []int{2, 3}, []int{1, 4}, []float64{1.5, 5.5, 9.5, 2.5, 6.5, 10.5}},
		{"FloatStorage", 16, 15, []int{2, 2}, []int{0, 0}, []float64{15.5, 15.5, 15.5, 15.5}},
		{"FloatStorage", 16, 3, nil, nil, []float64{3.5}},
		{"FloatStorage", 16, 16, []int{0, 4}, []int{4, 1}, []float64{}},
		{"FloatStorage", 4, 3, []int{1, 1}, []int{99, 99}, []float64{3.5}},
		{"IntStorage", 16, 0, []int{1}, []int{1}, []float64{0x3f000000}}, // 0.5 read as bits
		{"ByteStorage", 64, 3, []int{1}, []int{1}, []float64{0x3f}},
		{"CharStorage", 64, 6, []int{2}, []int{1}, []float64{-64, 0x3f}}, // 1.5 = 3fc00000
		{"ShortStorage", 32, 1, []int{1}, []int{1}, []float64{0x3f00}},
		{"LongStorage", 8, 0, []int{1}, []int{1}, []float64{0x3fc000003f000000}},
		{"BFloat16Storage", 32, 1, []int{1}, []int{1}, []float64{0.5}},
	} {
		ck, err := readBytes(archiveOf(dictOf(func(p *pickler) { p.tensorOf(c.class, c.numel, c.offset, c.size, c.stride) })))
		require.NoError(t, err)
		got, err := ck.Tensor("x").Float64s()
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%v", c)
	}
}

func TestByteOrder(t *testing.T) {
	pickle := dictOf(func(p *pickler) { p.tensor(16, 1, []int{1}, []int{1}) })
	for order, want := range map[string]float64{"little": 1.5, "big": float64(math.Float32frombits(0x0000c03f))} {
		ck, err := readBytes(archiveOf(pickle, "a/byteorder", order, "a/version", "3\n"))
		require.NoError(t, err)
		got, err := ck.Tensor("x").Float64s()
		require.NoError(t, err)
		require.Equal(t, want, got[0], order)
	}
	_, err := readBytes(archiveOf(pickle, "a/byteorder", "middle"))
	require.ErrorContains(t, err, `byteorder: "middle" is neither`)
}

// TestIntegers spells integers in all the ways that pickles have.
func TestIntegers(t *testing.T) {
	for spelled, want := range map[string]float64{
		"K\xff": 255, "M\x00\xff": 0xff00, "J\xff\xff\xff\xff": -1, "\x8a\x00": 0, "\x8a\x01\xfe": -2,
		"\x8a\x02\xfe\x00": 254, "\x8a\x05\x00\x00\x00\x00\x80": -0x80 << 32, "\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80": -0x1p63,
		"G\xbf\xf8\x00\x00\x00\x00\x00\x00": -1.5,
	} {
		ck, err := readBytes(archiveOf(dictOf(func(p *pickler) { p.op(spelled) })))
		require.NoError(t, err)
		got, err := ck.Tensor("x").Float64s()
		require.NoError(t, err)
		require.Equal(t, []float64{want}, got, "%q", spelled)
	}
}

// TestNewerProtocols reads what protocol 4 has in place of protocol 2's
// opcodes: frames, short text, implicit memo numbers, names from the stack.
func TestNewerProtocols(t *testing.T) {
	p := &pickler{}
	p.op("\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01x\x94\x8c\x0bcollections\x94\x8c\x0bOrderedDict\x94\x93\x94")
	p.op("](\x8c\x01a\x94K\x07\x86\x8c\x01b\x94h\x05h\x05\x86\x86e\x85Rs.")
	ck, err := readBytes(archiveOf(p.String()))
	require.NoError(t, err)
	got, err := ck.Tensor("x.a").Float64s()
	require.NoError(t, err)
	require.Equal(t, []float64{7}, got)
	require.Len(t, ck.Tensors, 1) // x.b is a pair of texts
}

func TestTheLastValueOfAKeyCounts(t *testing.T) {
	ck, err := readBytes(archiveOf(dictOf(func(p *pickler) { p.int(1).op("s").text("x").int(2) })))
	require.NoError(t, err)
	require.Len(t, ck.Tensors, 1)
	got, err := ck.Tensor("x").Float64s()
	require.NoError(t, err)
	require.Equal(t, []float64{2}, got)
}

func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 0x1p-24, 0x83ff: -1023 * 0x1p-24,
		0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		require.Equal(t, want, float16(bits), "%#x", bits)
	}
	require.True(t, math.IsNaN(float16(0x7e01)))
}

// TestHostilePickles gives pickles that run programs, unfold, nest or lie. Each
// must be refused quickly, in one line, with nothing run.
func TestHostilePickles(t *testing.T) {
	wide := []int{1 << 30, 1 << 30, 1 << 30}
	numpyState := func(shape []int, data string) string {
		return dictOf(func(p *pickler) {
			p.global("numpy.core.multiarray", "_reconstruct").op("(").global("numpy", "ndarray").ints(0).text("b").op("tR(")
			p.int(1).ints(shape...).global("numpy", "dtype").op("(").text("f8").op("\x89\x88tR\x89")
			p.global("_codecs", "encode").op("(").text(data).text("latin1").op("tRtb")
		})
	}
	for name, c := range map[string]struct{ pickle, want string }{
		"os.system":      {dictOf(func(p *pickler) { p.global("os", "system").op("(").text("touch /tmp/pwned").op("tR") }), `refers to "os.system", which tensors do not need; refused, nothing was run`},
		"eval":           {dictOf(func(p *pickler) { p.text("builtins").text("eval").op("\x93") }), `refers to "builtins.eval"`},
		"torchscript":    {dictOf(func(p *pickler) { p.global("__torch__.net", "Policy") }), "TorchScript"},
		"inst":           {"\x80\x02(ios\nsystem\n.", "opcode 0x69 is not one"},
		"newobj":         {dictOf(func(p *pickler) { p.global("collections", "OrderedDict").op(")\x81") }), "makes an instance of the name collections.OrderedDict"},
		"call dtype":     {dictOf(func(p *pickler) { p.global("torch", "FloatStorage").op(")R") }), "calls the name torch.FloatStorage"},
		"protocol 0":     {"(dp0\n.", "opcode 0x64"},
		"protocol 9":     {"\x80\x09}.", "protocol 9 is not supported"},
		"empty":          {"", "ends too early"},
		"cut":            {"\x80\x02}X\xff", "ends too early"},
		"not a dict":     {"\x80\x02K\x01.", "holds an integer, not a dictionary"},
		"trailing":       {"\x80\x02}.}", "1 bytes follow the end"},
		"two values":     {"\x80\x02}}.", "ends with 2 values"},
		"no mark":        {"\x80\x02}u.", "no mark is open"},
		"underflow":      {"\x80\x02R.", "takes 2 values from a stack of 0"},
		"below mark":     {"\x80\x02}(s.", "takes 2 values from a stack of 0"},
		"memo":           {"\x80\x02}hA.", "refers to memo 65, which is not set"},
		"deep nesting":   {"\x80\x02}" + strings.Repeat("]", 200000) + strings.Repeat("a", 199999) + ".", "ends with 2 values"},
		"deep lists":     {dictOf(func(p *pickler) { p.op(strings.Repeat("]", 200000) + strings.Repeat("a", 199999)) }), "nest more than 32 deep"},
		"self":           {"\x80\x02]q\x00h\x00a.", "nest more than 32 deep"},
		"many marks":     {"\x80\x02" + strings.Repeat("(", 4<<20-100), "ends too early"},
		"huge pickle":    {strings.Repeat("(", 4<<20+1), "data.pkl: 4194305 bytes; at most 4194304"},
		"deep stack":     {"\x80\x02" + strings.Repeat("N", 4<<20-100), "more than 1048576 values on the stack"},
		"long":           {dictOf(func(p *pickler) { p.op("\x8a\xff" + strings.Repeat("\x01", 255)) }), "an integer of 255 bytes; at most 8"},
		"long4":          {dictOf(func(p *pickler) { p.op("\x8b\xff\xff\xff\x7f") }), "opcode 0x8b"},
		"text bomb":      {dictOf(func(p *pickler) { p.op("X\xff\xff\xff\xff") }), "4294967295 bytes announced, but 2 are left"},
		"text bomb 8":    {dictOf(func(p *pickler) { p.op("\x8d" + strings.Repeat("\xff", 8)) }), "18446744073709551615 bytes announced"},
		"bad text":       {dictOf(func(p *pickler) { p.text("\xff\xfe") }), "not valid UTF-8"},
		"list key":       {"\x80\x02}]Ns.", "a dictionary key is a list"},
		"long key":       {"\x80\x02}" + (&pickler{}).text(strings.Repeat("k", 1<<20)).String() + "Ns.", "a key of 1048576 bytes"},
		"billion laughs": {billionLaughs(), "more than 1048576 values"},
		"odd items":      {"\x80\x02}(Nu.", "sets 1 items of a dictionary"},
		"append tuple":   {"\x80\x02)Na.", "appends to a tuple"},
		"build list":     {"\x80\x02]}b.", "sets the state of a list"},
		"persistent":     {"\x80\x02NQ.", "a persistent id that is not a storage"},
		"no storage": {dictOf(func(p *pickler) {
			p.op("(").text("storage").global("torch", "FloatStorage").text("7").text("cpu").int(1).op("tQ")
		}), `no record "data/7"`},
		"storage size":  {dictOf(func(p *pickler) { p.tensor(17, 0, []int{1}, []int{1}) }), `17 elements of F32, but its record has 64 bytes`},
		"storage size-": {dictOf(func(p *pickler) { p.tensor(-1, 0, []int{1}, []int{1}) }), `-1 elements of F32`},
		"beyond":        {dictOf(func(p *pickler) { p.tensor(16, 1, []int{16}, []int{1}) }), "shape [16] with strides [1] at offset 1 reaches beyond its storage of 16"},
		"offset":        {dictOf(func(p *pickler) { p.tensor(16, -1, []int{1}, []int{1}) }), "offset -1 in a storage of 16"},
		"huge":          {dictOf(func(p *pickler) { p.tensor(16, 0, wide, []int{0, 0, 0}) }), "more than 2^31 elements"},
		"huge stride":   {dictOf(func(p *pickler) { p.tensor(16, 0, []int{2}, []int{1 << 40}) }), "out of range"},
		"negative":      {dictOf(func(p *pickler) { p.tensor(16, 0, []int{-2}, []int{1}) }), "size: element 0, -2, is out of range"},
		"dimensions":    {dictOf(func(p *pickler) { p.tensor(16, 0, make([]int, 9), make([]int, 9)) }), "9 dimensions; at most 8"},
		"strides":       {dictOf(func(p *pickler) { p.tensor(16, 0, []int{1, 1}, []int{1}) }), "2 sizes but 1 strides"},
		"numpy short":   {numpyState([]int{3}, "12345678"), "shape [3] of F64 needs 24 bytes, found 8"},
		"numpy huge":    {numpyState(wide, "12345678"), "more than 2^31 elements"},
		"numpy latin1":  {numpyState([]int{1}, "1234567€"), "a character beyond latin1"},
		"encode bomb":   {encodeBomb(), "copies too much"},
	} {
		start := time.Now()
		_, err := readBytes(archiveOf(c.pickle))
		require.ErrorContains(t, err, c.want, name)
		require.Less(t, len(oneLine(err)), 410, name)
		// Each takes below 0.3 s on an idle machine.
		require.Less(t, time.Since(start), 5*time.Second, name)
	}
	require.NoFileExists(t, "/tmp/pwned")
}

// billionLaughs nests 30 lists that each hold the one before ten times.
func billionLaughs() string {
	p := &pickler{}
	p.op("\x80\x02]q\x00")
	for i := range 29 {
		p.op("0](" + strings.Repeat(fmt.Sprintf("h%c", i), 10) + fmt.Sprintf("eq%c", i+1))
	}
	return p.op(".").String()
}

// encodeBomb converts one large text over and over.
func encodeBomb() string {
	p := &pickler{}
	p.op("\x80\x02").global("_codecs", "encode").op("q\x00(").text(strings.Repeat("x", 1<<20)).text("latin1").op("tq\x01RM")
	p.op("\x00\x00")
	for range 100 {
		p.op("h\x00h\x01R")
	}
	return p.op(".").String()
}

func TestHostileArchives(t *testing.T) {
	good := archiveOf(dictOf(func(p *pickler) { p.tensor(16, 0, []int{1}, []int{1}) }))
	_, err := readBytes(good)
	require.NoError(t, err)
	for n := range len(good) {
		_, err := readBytes(good[:n])
		require.Error(t, err, "the first %d bytes", n)
	}
	var bomb bytes.Buffer
	w := zip.NewWriter(&bomb)
	f, err := w.Create("a/data.pkl") // deflated
	require.NoError(t, err)
	f.Write(bytes.Repeat([]byte{'N'}, 64<<20))
	w.Close()
	_, err = readBytes(bomb.Bytes())
	require.ErrorContains(t, err, `record "data.pkl" is compressed`)
	stored := bytes.Clone(good) // called deflated, though of equal size
	at := bytes.LastIndex(stored, []byte("PK\x01\x02"))
	stored[at+10] = 8
	stored[bytes.Index(stored, []byte("PK\x01\x02"))+10] = 8
	_, err = readBytes(stored)
	require.ErrorContains(t, err, "is compressed")
	_, err = readBytes(archiveOf("}.", "b/data.pkl", "}."))
	require.ErrorContains(t, err, "more than one data.pkl")
	_, err = readBytes(archiveOf("}.", "a/data.pkl", "}."))
	require.ErrorContains(t, err, `two records are named "a/data.pkl"`)
	_, err = readBytes(bytes.ReplaceAll(good, []byte("data.pkl"), []byte("data.pk1")))
	require.ErrorContains(t, err, "no data.pkl")
	many := []string{}
	for i := range 1<<16 + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	_, err = readBytes(archiveOf("}.", many...))
	require.ErrorContains(t, err, "65539 records; at most 65536")
	many = many[:0]
	for i := range 600 {
		many = append(many, fmt.Sprint(i)+strings.Repeat("n", 60000), "")
	}
	_, err = readBytes(archiveOf("}.", many...))
	require.ErrorContains(t, err, "the list of records is too large")
}

func TestOpenRejectsOtherFiles(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(filepath.Join(dir, "absent.pt"))
	require.ErrorContains(t, err, "absent.pt")
	_, err = Open(dir)
	require.ErrorContains(t, err, dir)
	for _, text := range []string{"", "P", "hello, world, this is text", "\x00\x00\x00\x00\x00\x00\x00\x00{"} {
		path := filepath.Join(dir, "x.pt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := Open(path)
		require.ErrorContains(t, err, path+": ")
	}
	path := filepath.Join(dir, "sparse.pt")
	require.NoError(t, os.WriteFile(path, []byte("PK\x03\x04"), 0o644))
	require.NoError(t, os.Truncate(path, 5<<30))
	_, err = Open(path)
	require.ErrorContains(t, err, "larger than 4 GiB")
	require.NoError(t, os.Truncate(path, 3<<30))
	_, err = Open(path)
	require.ErrorContains(t, err, "not a whole archive")
}
