package explore

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"etch/ir/input"
)

// Device is an FPGA with its resources: LUT tables of LUTInputs inputs, FF flip-flops, DSP
// multipliers of DSPSize bits, BRAM blocks of BRAMKbit kbit, URAM blocks of URAMKbit kbit. A count
// of 0 means that it has none.
type Device struct {
	Name      string `json:"name"`
	Family    string `json:"family"` // yosys's: xc7, xcup, ecp5, ice40
	LUTInputs int    `json:"lut_inputs"`
	LUT       int    `json:"lut"`
	FF        int    `json:"ff"`
	DSP       int    `json:"dsp"`
	DSPSize   string `json:"dsp_size"` // of a multiplier, "25x18"
	BRAM      int    `json:"bram"`
	BRAMKbit  int    `json:"bram_kbit"` // of one block
	URAM      int    `json:"uram,omitempty"`
	URAMKbit  int    `json:"uram_kbit,omitempty"`
	// PNR is nextpnr-ecp5 or nextpnr-ice40 with the flags that name the device; empty
	// where there is no place and route for it.
	PNR    []string `json:"pnr,omitempty"`
	Source string   `json:"source,omitempty"` // of the numbers
}

//go:embed devices.json
var builtIn []byte

// Devices are the known devices.
type Devices []Device

// BuiltIn lists the devices that come with etch.
func BuiltIn() (Devices, error) { return Devices(nil).With("devices.json", builtIn) }

// maxDeviceFile bounds a file of devices, in bytes.
const maxDeviceFile = 1 << 20

// WithFile adds the devices of a JSON file, an array of objects as in devices.json. One
// with a known name replaces it.
func (ds Devices) WithFile(path string) (Devices, error) {
	text, err := input.ReadFile(path, maxDeviceFile)
	if err != nil {
		return nil, err
	}
	return ds.With(path, text)
}

// With adds devices from JSON text; file is for errors.
func (ds Devices) With(file string, text []byte) (Devices, error) {
	// An unknown field is likely a misspelt one, so it is an error; the decoder's offset gives the line.
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var more Devices
	if err := d.Decode(&more); err != nil {
		line := 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: text behind the array of devices", file)
	}

	all := slices.Clone(ds)
	for i, dev := range more {
		// A device that is known already is replaced: a user may correct the table.
		if err := dev.check(); err != nil {
			return nil, fmt.Errorf("%s: device %d, %q: %w", file, i+1, dev.Name, err)
		}
		if slices.ContainsFunc(more[:i], func(o Device) bool { return o.Name == dev.Name }) {
			return nil, fmt.Errorf("%s: device %q is there twice", file, dev.Name)
		}
		all = slices.DeleteFunc(all, func(o Device) bool { return o.Name == dev.Name })
		all = append(all, dev)
	}

	return all, nil
}

var (
	deviceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	familyName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	dspSize    = regexp.MustCompile(`^(none|[1-9]\d?x[1-9]\d?)$`)
	pnrFlag    = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// check reports the first field that makes no sense.
func (d *Device) check() error {
	if !deviceName.MatchString(d.Name) || !familyName.MatchString(d.Family) {
		return fmt.Errorf("name %q and family %q: want letters, digits and dashes", d.Name, d.Family)
	}

	// Where there are block RAMs their size is at least 1: hence min(BRAM, 1) as its bound.
	const most = 1 << 30
	for _, n := range []struct {
		name      string
		value     int
		least     int
		meaningOf string
	}{
		{"lut_inputs", d.LUTInputs, 1, "inputs of a table"}, {"lut", d.LUT, 1, "tables"}, {"ff", d.FF, 1, "flip-flops"},
		{"dsp", d.DSP, 0, "multipliers"}, {"bram", d.BRAM, 0, "block RAMs"}, {"bram_kbit", d.BRAMKbit, min(d.BRAM, 1), "size of a block RAM"},
		{"uram", d.URAM, 0, "large RAMs"}, {"uram_kbit", d.URAMKbit, min(d.URAM, 1), "size of a large RAM"},
	} {
		if n.value < n.least || n.value > most {
			return fmt.Errorf("%s = %d (%s): want %d to %d", n.name, n.value, n.meaningOf, n.least, most)
		}
	}
	if !dspSize.MatchString(d.DSPSize) || (d.DSPSize == "none") != (d.DSP == 0) {
		return fmt.Errorf("dsp_size %q with %d multipliers: want a size as 18x18, or none", d.DSPSize, d.DSP)
	}

	// The flags go to a program as they are.
	if len(d.PNR) > 0 && d.PNR[0] != "nextpnr-ecp5" && d.PNR[0] != "nextpnr-ice40" {
		return fmt.Errorf("pnr by %q: want nextpnr-ecp5 or nextpnr-ice40", d.PNR[0])
	}

	for _, a := range d.PNR {
		if !pnrFlag.MatchString(a) {
			return fmt.Errorf("pnr %q: want flags of letters, digits and dashes", a)
		}
	}
	return nil
}

// Find looks a device up, whether in capitals or not.
func (ds Devices) Find(name string) (Device, bool) {
	i := slices.IndexFunc(ds, func(d Device) bool { return strings.EqualFold(d.Name, name) })
	if i < 0 {
		return Device{}, false
	}
	return ds[i], true
}

// Names are in the order of the devices.
func (ds Devices) Names() (list []string) {
	for _, d := range ds {
		list = append(list, d.Name)
	}
	return list
}

// Missing says which resources of lut, ff, dsp, bram and uram the device lacks for
// counts of cells, and by how much; "" where it has all.
func (d Device) Missing(counts map[string]float64) string {
	var lacks []string
	for _, r := range []struct {
		key, name string
		has       int
	}{{"lut", "LUT", d.LUT}, {"ff", "FF", d.FF}, {"dsp", "DSP", d.DSP}, {"bram", "block RAM", d.BRAM}, {"uram", "large RAM", d.URAM}} {
		// Cells that were not counted are 0 and lack nothing.
		if needs := counts[r.key]; needs > float64(r.has) {
			lacks = append(lacks, fmt.Sprintf("%s %s, the device has %d (%s too many)", Number(needs), r.name, r.has, Number(needs-float64(r.has))))
		}
	}
	if lacks == nil {
		return ""
	}
	return d.Name + ": needs " + strings.Join(lacks, ", and ")
}
