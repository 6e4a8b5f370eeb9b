package yosys

import (
	"cmp"
	"fmt"
	"strings"

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

// The rest of the types mirror the output of write_json, in its order.

type jsonModule struct {
	name  string
	attrs []attr
	param []attr
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
	params []attr
	attrs  []attr
	dirs   []attr // of unknown modules
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
	attrs  []attr
	signed bool
}

// jsonMemory is a memory whose ports are cells of their own.
type jsonMemory struct {
	name         string
	width, start int
	size         int
	attrs        []attr
	hidden       bool
}

// attr is a parameter or an attribute of a cell, net or module.
type attr struct {
	name  string
	value value
}

// value is the value of a parameter or attribute: bits as 0, 1, x and z, the top
// first, or text.
type value string

// find returns an attribute; "" when there is none.
func find(attrs []attr, name string) value {
	for i := range attrs {
		if attrs[i].name == name {
			return attrs[i].value
		}
	}
	return ""
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

func (c *cell) param(name string) value { return find(c.params, name) }

// flag is a parameter of one bit.
func (c *cell) flag(name string) bool { return c.param(name).bit(0) == '1' }

// number is a parameter that is a small number; -1 when it is none.
func (c *cell) number(name string) int { return c.param(name).int() }

// isBits reports whether a value is bits.
func (v value) isBits() bool {
	return v != "" && strings.Trim(string(v), "01xz") == ""
}

// bit returns bit i as a character, '0' above the top.
func (v value) bit(i int) byte {
	if i >= len(v) {
		return '0'
	}
	return v[len(v)-1-i]
}

// int is the value as a signed number of 32 bits or an unsigned one of others;
// -1 when it is none that fits.
func (v value) int() int {
	if !v.isBits() {
		return -1
	}
	n := 0
	for i := range len(v) {
		if v.bit(i) != '1' {
			continue
		}
		if i > 31 {
			return -1
		}
		n |= 1 << i
	}
	if len(v) == 32 && n>>31 != 0 {
		n -= 1 << 32
	}
	return n
}

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
func attrsOf(s *scanner) []attr {
	var attrs []attr
	s.object(func(name string) {
		a := attr{name: name}
		if s.next() == '"' {
			a.value = value(s.str())
			if t := strings.TrimSuffix(string(a.value), " "); t != string(a.value) && strings.Trim(t, "01xz ") == "" {
				a.value = value(t) + "\x00" // text that looks like bits is marked by a blank
			}
		} else {
			a.value = value(fmt.Sprintf("%032b", uint32(s.integer())))
		}
		attrs = append(attrs, a)
	})
	return attrs
}

// text is a value as text.
func (v value) text() string { return strings.TrimSuffix(string(v), "\x00") }

func bitsOf(s *scanner) []bit {
	var bits []bit
	s.array(func() {
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

// line returns the file and first line of a src attribute, such as
// "cpu.v:12.3-14.9|lib.v:7.1-7.20".
func line(attrs []attr) (file string, n int) {
	src := find(attrs, "src").text()
	src, _, _ = strings.Cut(src, "|")
	i := strings.LastIndexByte(src, ':')
	if i < 0 {
		return "", 0
	}
	for _, c := range []byte(src[i+1:]) {
		if c < '0' || c > '9' || n > 1<<30 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return src[:i], n
}

// where is the place of a cell or net for an error, "" when it is unknown.
func where(attrs []attr) string {
	file, n := line(attrs)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", cmp.Or(file, "?"), n)
}
