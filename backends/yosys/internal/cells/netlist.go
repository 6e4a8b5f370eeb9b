package cells

import (
	"fmt"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
)

// bit is one bit of a signal in JSON: a net from 2 on, or a constant.
type bit int32

// The constants. Nets have higher numbers.
const (
	bitZ bit = iota - 2
	bitX
	bit0
	bit1
	firstNet
)

// maxNet bounds the numbers of nets.
const maxNet = 1 << 30

// Cells that stand in the netlist for parts of Verilog that yosys has no cell for.
const (
	pullUpCell   = "etch$pullup"   // a pullup
	pullDownCell = "etch$pulldown" // a pulldown
	DriveCell    = "etch$drive"    // drives the net Y with A, and lets go where A is z
)

// The rest of the types mirror the output of write_json, in its order.

type jsonModule struct {
	name  string
	attrs []attribute.Pair
	param []attribute.Pair
	ports []jsonPort
	cells []cell
	mems  []jsonMemory
	names []netName

	split  map[string][]string // ports that became ports of one bit, the lowest first
	pulls  map[bit]ir.Pull
	single map[bit]bool // bits of nets with several drivers that are nets of one bit
}

type jsonPort struct {
	name   string
	dir    string
	bits   []bit
	signed bool
}

type cell struct {
	name   string
	hidden bool
	kind   string
	params []attribute.Pair
	attrs  []attribute.Pair
	dirs   []attribute.Pair // of unknown modules
	conns  []conn
	ram    *ram // of a cell that reads a memory
	read   int  // its port
}

type conn struct {
	port string
	bits []bit
}

type netName struct {
	name   string
	hidden bool
	bits   []bit
	attrs  []attribute.Pair
	signed bool
}

// jsonMemory is a memory whose ports are cells of their own.
type jsonMemory struct {
	name         string
	width, start int
	size         int
	attrs        []attribute.Pair
	hidden       bool
}

// port returns the bits of a connection; nil when there is none.
func (c *cell) port(name string) []bit {
	for i := range c.conns {
		if c.conns[i].port == name {
			return c.conns[i].bits
		}
	}
	return nil
}

func (c *cell) param(name string) attribute.Value { return attribute.Find(c.params, name) }

// flag is a parameter of one bit.
func (c *cell) flag(name string) bool { return c.param(name).Bit(0) == '1' }

// number is a parameter that is a small number; -1 when it is none.
func (c *cell) number(name string) int { return c.param(name).Int() }

// parse reads the whole of a JSON text.
func parse(text string) ([]*jsonModule, error) {
	s := &scanner{text: text}
	var mods []*jsonModule
	found := false
	s.object(func(key string) {
		if key != "modules" {
			s.skip()
			return
		}
		found = true
		s.object(func(name string) {
			m := &jsonModule{name: name}
			m.read(s)
			mods = append(mods, m)
		})
	})

	// Nothing may follow, and a netlist has modules.
	if s.err == nil && s.next() != 0 {
		s.fail("something after the end")
	}
	if s.err == nil && !found {
		s.fail("no modules: this is not what yosys's write_json writes")
	}
	return mods, s.err
}

func (m *jsonModule) read(s *scanner) {
	s.object(func(key string) {
		switch key {
		case "attributes":
			m.attrs = attrsOf(s)
		case "parameter_default_values":
			m.param = attrsOf(s)
		case "ports":
			s.object(func(name string) { m.ports = append(m.ports, portOf(s, name)) })
		case "cells":
			s.object(func(name string) { m.cells = append(m.cells, cellOf(s, name)) })
		case "memories":
			s.object(func(name string) { m.mems = append(m.mems, memoryOf(s, name)) })
		case "netnames":
			s.object(func(name string) { m.names = append(m.names, nameOf(s, name)) })
		default:
			s.skip()
		}
	})
}

func portOf(s *scanner, name string) jsonPort {
	p := jsonPort{name: name}
	s.object(func(key string) {
		switch key {
		case "direction":
			p.dir = s.str()
		case "bits":
			p.bits = bitsOf(s)
		case "signed":
			p.signed = s.integer() != 0
		default:
			s.skip()
		}
	})
	return p
}

func cellOf(s *scanner, name string) cell {
	c := cell{name: name}

	// The order of keys is not fixed, and versions of yosys add some: unknown ones are skipped.
	s.object(func(key string) {
		switch key {
		case "hide_name":
			c.hidden = s.integer() != 0
		case "type":
			c.kind = s.str()
		case "parameters":
			c.params = attrsOf(s)
		case "attributes":
			c.attrs = attrsOf(s)
		case "port_directions":
			c.dirs = attrsOf(s)
		case "connections":
			s.object(func(port string) { c.conns = append(c.conns, conn{port, bitsOf(s)}) })
		default:
			s.skip()
		}
	})
	return c
}

func memoryOf(s *scanner, name string) jsonMemory {
	m := jsonMemory{name: name}
	s.object(func(key string) {
		switch key {
		case "hide_name":
			m.hidden = s.integer() != 0
		case "width":
			m.width = s.integer()
		case "start_offset":
			m.start = s.integer()
		case "size":
			m.size = s.integer()
		case "attributes":
			m.attrs = attrsOf(s)
		default:
			s.skip()
		}
	})
	return m
}

func nameOf(s *scanner, name string) netName {
	n := netName{name: name}
	s.object(func(key string) {
		switch key {
		case "hide_name":
			n.hidden = s.integer() != 0
		case "bits":
			n.bits = bitsOf(s)
		case "attributes":
			n.attrs = attrsOf(s)
		case "signed":
			n.signed = s.integer() != 0
		default:
			s.skip()
		}
	})
	return n
}

// attrsOf reads an object whose values are strings or, with -compat-int, numbers.
func attrsOf(s *scanner) []attribute.Pair {
	var attrs []attribute.Pair
	s.object(func(name string) {
		a := attribute.Pair{Name: name}
		if s.next() == '"' {
			a.Value = attribute.Value(s.str())
			if t := strings.TrimSuffix(string(a.Value), " "); t != string(a.Value) && strings.Trim(t, "01xz ") == "" {
				a.Value = attribute.Value(t) + "\x00" // text that looks like bits is marked by a blank
			}
		} else {
			a.Value = attribute.Value(fmt.Sprintf("%032b", uint32(s.integer())))
		}
		attrs = append(attrs, a)
	})
	return attrs
}

func bitsOf(s *scanner) []bit {
	var bits []bit
	s.array(func() {
		// Nets are numbers, constants are texts.
		if s.next() != '"' {
			n := s.integer()
			if s.err == nil && (n < int(firstNet) || n > maxNet) {
				s.fail("no net has the number %d", n)
			}
			bits = append(bits, bit(n))
			return
		}
		switch t := s.str(); t {
		case "0":
			bits = append(bits, bit0)
		case "1":
			bits = append(bits, bit1)
		case "x":
			bits = append(bits, bitX)
		case "z":
			bits = append(bits, bitZ)
		default:
			s.fail("no bit %q", t)
		}
	})
	return bits
}

// eachBits calls f with every list of bits of m.
func (m *jsonModule) eachBits(f func([]bit)) {
	for i := range m.ports {
		f(m.ports[i].bits)
	}
	for i := range m.cells {
		for k := range m.cells[i].conns {
			f(m.cells[i].conns[k].bits)
		}
	}
	for i := range m.names {
		f(m.names[i].bits)
	}
}

// renumber makes the numbers of nets dense, if they are not, and returns the
// number after the last.
func (m *jsonModule) renumber() int {
	top, count := firstNet-1, 0
	m.eachBits(func(bits []bit) {
		count += len(bits)
		for _, b := range bits {
			top = max(top, b)
		}
	})

	// Dense enough for tables by net.
	if int(top) <= 4*count+64 {
		return int(top) + 1
	}

	// Sparse numbers, as in files of others, would make large tables.
	to := map[bit]bit{}
	m.eachBits(func(bits []bit) {
		for i, b := range bits {
			if b < firstNet {
				continue
			}
			n, ok := to[b]
			if !ok {
				n = firstNet + bit(len(to))
				to[b] = n
			}
			bits[i] = n
		}
	})
	return int(firstNet) + len(to)
}

// Place is the place of a cell in the output of write_json, "" when it is unknown.
func Place(text, name, kind string) string {
	mods, _ := parse(text)
	for _, m := range mods {
		for i := range m.cells {
			// An array of instances has names with an index.
			c := &m.cells[i]
			if (c.name == name || strings.HasPrefix(name, c.name+"[")) && strings.TrimPrefix(c.kind, `\`) == kind {
				return attribute.Where(c.attrs)
			}
		}
	}
	return ""
}
