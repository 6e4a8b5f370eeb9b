package policy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"etch/designs/dwc/checkpoint"
)

// safetensors is the policy as a .safetensors file: float32 if that has every number
// exactly, else float64.
func (p *Policy) safetensors() ([]byte, error) {
	dtype, size := "F64", 8
	if p.isSingle() {
		dtype, size = "F32", 4
	}

	// Tensors one after the other, with their places.
	type entry struct { // of the header, by tensor
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header := map[string]any{}
	var data bytes.Buffer
	put := func(name string, shape []int, rows ...[]float64) {
		begin := data.Len()
		for _, row := range rows {
			for _, w := range row {
				if size == 4 {
					binary.Write(&data, binary.LittleEndian, math.Float32bits(float32(w)))
				} else {
					binary.Write(&data, binary.LittleEndian, math.Float64bits(w))
				}
			}
		}
		header[name] = entry{dtype, shape, [2]int{begin, data.Len()}}
	}
	for i, l := range p.Layers {
		put(fmt.Sprintf("%d.weight", 2*i), []int{p.Sizes[i+1], p.Sizes[i]}, l.Weight...)
		put(fmt.Sprintf("%d.bias", 2*i), []int{p.Sizes[i+1]}, l.Bias)
	}

	// Kind, scales and formats are metadata.
	meta := map[string]string{"kind": p.Kind}
	for name, x := range map[string]any{"scale": p.Scale, "formats": p.Formats} {
		text, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		if string(text) != "null" {
			meta[name] = string(text)
		}
	}

	header["__metadata__"] = meta
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}

	// The data begins at a multiple of 8 bytes, as the format's own writers have it.
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data.Bytes()...), nil
}

// isSingle reports whether float32 has every number of the policy.
func (p *Policy) isSingle() bool {
	for _, l := range p.Layers {
		for _, row := range append(l.Weight[:len(l.Weight):len(l.Weight)], l.Bias) {
			for _, w := range row {
				if float64(float32(w)) != w {
					return false
				}
			}
		}
	}
	return true
}

// open reads a .safetensors, .pt or .pth file: the linear layers in order of their names'
// first numbers. Its metadata is read apart, since checkpoints leave it out.
func open(path string) (*Policy, error) {
	// Layers are numbered by twos, for rectifiers are counted too.
	ck, err := checkpoint.Open(path)
	if err != nil {
		return nil, err
	}
	defer ck.Close()
	p := &Policy{}
	used := 0
	for i := 0; ; i++ {
		weight, bias := ck.Tensor(fmt.Sprintf("%d.weight", 2*i)), ck.Tensor(fmt.Sprintf("%d.bias", 2*i))
		if weight == nil && bias == nil {
			break
		}
		if weight == nil || bias == nil {
			return nil, fmt.Errorf("%d.weight and %d.bias: only one of them is there", 2*i, 2*i)
		}
		if err := p.add(i, weight, bias); err != nil {
			return nil, err
		}
		used += 2
	}

	// Any other tensor says that it is another network.
	if used == 0 {
		return nil, fmt.Errorf("no tensor 0.weight; want 0.weight, 0.bias, 2.weight, …")
	}
	if used != len(ck.Tensors) {
		return nil, fmt.Errorf("%d tensors, of which %d are 0.weight, 0.bias, 2.weight, … in order", len(ck.Tensors), used)
	}
	if err := p.metadata(ck.Metadata); err != nil {
		return nil, err
	}
	return p, p.validate()
}

// add is a layer of tensors.
func (p *Policy) add(i int, weight, bias *checkpoint.Tensor) error {
	// Types and shapes.
	if !weight.DType.Float() || !bias.DType.Float() {
		return fmt.Errorf("%s: %s, not floating-point", weight.Name, weight.DType)
	}
	if len(weight.Shape) != 2 || len(bias.Shape) != 1 {
		return fmt.Errorf("%s of shape %v with %s of shape %v; want [out, in] and [out]", weight.Name, weight.Shape, bias.Name, bias.Shape)
	}

	// The first layer gives the inputs; each later one has those that the one before gives.
	out, in := weight.Shape[0], weight.Shape[1]
	if len(p.Sizes) == 0 {
		p.Sizes = []int{in}
	}
	if last := p.Sizes[len(p.Sizes)-1]; last != in || bias.Shape[0] != out || out == 0 || in == 0 {
		return fmt.Errorf("%s of shape %v behind %d outputs, with %d biases", weight.Name, weight.Shape, last, bias.Shape[0])
	}

	// Rows by output.
	w, err := weight.Float64s()
	if err != nil {
		return err
	}
	l := Layer{}
	for o := range out {
		l.Weight = append(l.Weight, w[o*in:(o+1)*in:(o+1)*in])
	}
	if l.Bias, err = bias.Float64s(); err != nil {
		return err
	}
	p.Sizes, p.Layers = append(p.Sizes, out), append(p.Layers, l)
	return nil
}

// metadata takes the kind, the scales and the formats, if the file has them.
func (p *Policy) metadata(notes map[string]string) error {
	p.Kind = notes["kind"]
	for name, x := range map[string]any{"scale": &p.Scale, "formats": &p.Formats} {
		text, is := notes[name]
		if !is {
			continue
		}
		if err := json.Unmarshal([]byte(text), x); err != nil {
			return fmt.Errorf("__metadata__: %s: %v", name, err)
		}
	}
	return nil
}
