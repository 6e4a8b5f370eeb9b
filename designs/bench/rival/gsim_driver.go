package rival

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"etch/ir"
)

// gsimDriver is the beginning of the program that runs a model of GSIM's. The rest depends on
// the ports and memories, see [Core.driver].
const gsimDriver = `// Written by etch.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>

static double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static uint64_t turned(uint64_t x) { return x << 1 | x >> 63; }

// folded is acc with every word of an output in it.
template <int width, class T> static inline uint64_t folded(uint64_t acc, T value) {
  unsigned _BitInt(width) v = (unsigned _BitInt(width))value;
  for (int lo = 0; lo < width; lo += 64) acc = turned(acc) ^ (uint64_t)(v >> lo);
  return acc;
}

// fill fills a memory whose words have a number of lanes with words of whole bytes.
template <int width, int lanes, class T> static void fill(T* lane, const unsigned char* from, const unsigned char* end) {
  const int bytes = (width * lanes + 7) / 8;
  for (; from < end; from += bytes) {
    unsigned _BitInt(width * lanes + 8) word = 0;
    for (int i = bytes; i-- > 0;) word = word << 8 | from[i];
    for (int i = 0; i < lanes; i++) *lane++ = (T)(unsigned _BitInt(width))(word >> i * width);
  }
}

// hashed is a hash with the first words of a memory in it, as HashWord of etch.
template <int width, int lanes, class T> static uint64_t hashed(uint64_t hash, const T* lane, uint64_t words) {
  for (; words > 0; words--, lane += lanes) {
    unsigned _BitInt(width * lanes) word = 0;
    for (int i = 0; i < lanes; i++) word |= (unsigned _BitInt(width * lanes))(unsigned _BitInt(width))lane[i] << i * width;
    for (int lo = 0; lo < width * lanes; lo += 64) {
      hash = (hash ^ (uint64_t)(word >> lo)) * 0x100000001b3;
      hash ^= hash >> 32;
    }
  }
  return hash;
}
`

// The main function. A step of GSIM's begins with resetAll, which resets the registers of an input
// before the step, where etch resets them behind it: so it is called once more before the input
// falls. Logic that reads the input needs no correction. An output shows the value before the
// step's edge. The object is static, and so all 0: GSIM's own code clears a part of it.
const gsimMain = `
static Class object;

int main(int argc, char** argv) {
  uint64_t n = argc > 1 ? strtoull(argv[1], nullptr, 10) : 0, sum = 0, i = 0;
  Class* top = &object;
  constants(top);
  load(top);
  resets(top, true);
  top->step();
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (; i < n && i < hold; i++) {
    top->step();
    sum = turned(sum) ^ outputs(top);
  }
  top->resetAll();
  resets(top, false);
  for (; i < n; i++) {
    top->step();
    sum = turned(sum) ^ outputs(top);
  }
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = now(CLOCK_MONOTONIC) - wall;
  printf("\n%016" PRIx64 " %.9f %.9f %016" PRIx64 "\n", sum, cpu, wall, memories(top));
  return 0;
}
`

// driver writes the program for a model whose header has the given name and text.
func (c *Core) driver(name, header string) ([]byte, error) {
	var b bytes.Buffer
	if !strings.Contains(header, "void resetAll();") {
		return nil, fmt.Errorf("gsim's %s has no function resetAll", name)
	}
	b.WriteString(gsimDriver)
	fmt.Fprintf(&b, "#include %q\ntypedef S%s Class;\nstatic const uint64_t hold = %d;\n", name, strings.TrimSuffix(name, ".h"), c.Hold)

	// The functions that main calls.
	if err := c.outputs(&b, header); err != nil {
		return nil, err
	}
	c.inputs(&b, header)
	if err := c.memories(&b, header); err != nil {
		return nil, err
	}
	b.WriteString(gsimMain)
	return b.Bytes(), nil
}

// outputs writes the function that folds the outputs, in the order of etch's design.
func (c *Core) outputs(b *bytes.Buffer, header string) error {
	getters := accessors(getter, header)

	// Clocks are no outputs that a sum could take.
	b.WriteString("\nstatic uint64_t outputs(Class* top) {\n  uint64_t acc = 0;\n")
	for _, p := range c.Top.Ports {
		if p.Dir != ir.Out || p.Type == ir.TypeID(ir.Clock) {
			continue
		}
		get, ok := getters[p.Name]
		if !ok {
			return fmt.Errorf("gsim has no output %s", p.Name)
		}
		fmt.Fprintf(b, "  acc = folded<%d>(acc, top->get_%s());\n", p.Width, get)
	}
	b.WriteString("  return acc;\n}\n")
	return nil
}

// inputs writes the functions that set constant inputs and resets. GSIM has no setter for an input
// that it found unused.
func (c *Core) inputs(b *bytes.Buffer, header string) {
	setters := accessors(setter, header)
	set := func(name, value string) {
		if s, ok := setters[name]; ok {
			fmt.Fprintf(b, "  top->set_%s(%s);\n", s, value)
		}
	}

	b.WriteString("\nstatic void constants(Class* top) {\n")
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		set(name, fmt.Sprintf("%dull", c.Inputs[name]))
	}
	b.WriteString("}\n\nstatic void resets(Class* top, bool on) {\n")
	for _, name := range c.High {
		set(name, "on")
	}
	for _, name := range c.Low {
		set(name, "!on")
	}
	b.WriteString("}\n")
}

// memories writes the functions that fill the memories and hash them. The elements of a memory lie
// one behind the other, in as many dimensions as GSIM likes: the first is the address, the others
// are the lanes of a word.
func (c *Core) memories(b *bytes.Buffer, header string) error {
	var loads, hashes strings.Builder
	b.WriteByte('\n')
	for i, m := range c.Memories {
		name := strings.ReplaceAll(m.Path, ".", "$")
		dims, width, ok := member(header, name)
		if !ok {
			return fmt.Errorf("gsim has no memory %s", name)
		}

		// The shape has to be the one that etch read, or contents would go to other words. GSIM rounds
		// the number of words up to a power of two.
		lanes := 1
		for _, d := range dims[1:] {
			lanes *= d
		}
		if dims[0] < m.Mem.Depth || lanes*width != m.Mem.Width {
			return fmt.Errorf("gsim's memory %s has %d words of %d bits in place of %d of %d", name, dims[0], lanes*width, m.Mem.Depth, m.Mem.Width)
		}

		// The assembler reads the file of contents.
		fmt.Fprintf(b, "extern \"C\" const unsigned char contents%[1]d[], contents%[1]d_end[];\n", i)
		fmt.Fprintf(b, "asm(\".pushsection .rodata\\ncontents%[1]d:\\n.incbin \\\"%[2]s\\\"\\ncontents%[1]d_end:\\n.byte 0\\n.popsection\");\n", i, contentsFile(i))
		first := "&top->" + name + strings.Repeat("[0]", len(dims))
		fmt.Fprintf(&loads, "  fill<%d, %d>(%s, contents%[4]d, contents%[4]d_end);\n", width, lanes, first, i)
		fmt.Fprintf(&hashes, "  hash = hashed<%d, %d>(hash, %s, %dull);\n", width, lanes, first, min(m.Mem.Depth, MostCompared))
	}

	// Behind the contents, the two functions.
	fmt.Fprintf(b, "\nstatic void load(Class* top) {\n%s}\n", loads.String())
	start := HashStart
	if len(c.Memories) == 0 {
		start = 0
	}
	fmt.Fprintf(b, "\nstatic uint64_t memories(Class* top) {\n  uint64_t hash = %#xull;\n%s  return hash;\n}\n", start, hashes.String())
	return nil
}

// accessors maps the names of ports, as etch flattens them, to GSIM's names of them: fields of a
// bundle follow $$.
func accessors(re *regexp.Regexp, header string) map[string]string {
	names := map[string]string{}
	for _, m := range re.FindAllStringSubmatch(header, -1) {
		names[strings.ReplaceAll(m[1], "$$", "_")] = m[1]
	}
	return names
}
