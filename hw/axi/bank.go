package axi

import (
	"fmt"
	"strings"

	"etch/hw"
	"etch/hw/stream"
)

// Access is what a host does with a register.
type Access uint8

// The accesses.
const (
	Setting Access = iota // read and written; the circuit reads it
	Status                // read; the circuit drives it
	Command               // written: the write itself is what counts, with its data; not read
	Counter               // read: counts events, modulo 2^32, until the circuit clears it
)

// String is the access in a table of registers.
func (a Access) String() string {
	names := [...]string{"read, write", "read", "write", "read, counts"}
	if int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("access %d", uint8(a))
}

// Register is a word of a host port. Its byte address is four times its place in the
// [Map].
type Register struct {
	Name   string // in lower case with underscores
	Access Access
	Bits   int    // 1 to 32, of a setting or status; written bits above are ignored, read ones 0
	Reset  uint64 // of a setting
	Doc    string // one line
}

// Map is the registers of a host port in the order of their addresses. It is declared
// once, as data, and gives the decoder ([Map.Bank]), the documentation ([Map.Table])
// and a header for C ([Map.Header]).
//
//	var registers = axi.Map{
//		{Name: "limit", Access: axi.Setting, Bits: 16, Reset: 100, Doc: "events until done"},
//		{Name: "clear", Access: axi.Command, Doc: "forgets all events"},
//		{Name: "events", Access: axi.Counter, Doc: "events since clear"},
//	}
//
//	b := registers.Bank(m, bus.Request, bus.Reply)
//	limit := b.Setting("limit")
//	clear, _ := b.Command("clear")
//	b.Counter("events", clear, p.Event)
//	b.Done()
type Map []Register

// AddressBits is the width of the byte addresses that a map takes, at least 3.
func (r Map) AddressBits() int {
	n := 3
	for 1<<n < 4*len(r) {
		n++
	}
	return n
}

// Address is the byte address of a register; it panics for a name that the map lacks.
func (r Map) Address(name string) uint64 {
	for i := range r {
		if r[i].Name == name {
			return uint64(4 * i)
		}
	}
	panic("axi: no register " + name)
}

// Table is the registers as lines of a table in Markdown.
func (r Map) Table() string {
	var b strings.Builder
	b.WriteString("| address | register | bits | access | reset | meaning |\n|---|---|---|---|---|---|\n")
	for i, x := range r {
		width, reset := x.width(), ""
		if x.Access == Setting {
			reset = fmt.Sprintf("%#x", x.Reset)
		}
		fmt.Fprintf(&b, "| 0x%02x | %s | %d | %v | %s | %s |\n", 4*i, x.Name, width, x.Access, reset, x.Doc)
	}
	return b.String()
}

// Header is the registers as constants for C, with a prefix in front of each name.
func (r Map) Header(prefix string) string {
	var b strings.Builder
	prefix = strings.ToUpper(prefix)
	fmt.Fprintf(&b, "/* Written by etch. Do not edit. Byte addresses of 32-bit registers. */\n#ifndef %[1]s_H\n#define %[1]s_H\n", prefix)
	for i, x := range r {
		fmt.Fprintf(&b, "#define %s_%s 0x%02xu /* %v: %s */\n", prefix, strings.ToUpper(x.Name), 4*i, x.Access, x.Doc)
	}
	b.WriteString("#endif\n")
	return b.String()
}

func (x Register) width() int {
	if x.Access == Setting || x.Access == Status {
		return x.Bits
	}
	return DataBits
}

// Bank is the registers of a map in a circuit, behind the requests and replies of a
// [Bridge]. Every register is used once, by the method of its access; what is missing,
// used twice or of another access is a mistake of the design.
type Bank struct {
	m       *hw.Module
	regs    Map
	request stream.Stream[Request]
	reply   stream.Stream[Reply]
	used    map[string]bool
	shown   map[int]hw.UInt
}

// Bank begins the registers; [Bank.Done] ends them.
func (r Map) Bank(m *hw.Module, request stream.Stream[Request], reply stream.Stream[Reply]) *Bank {
	return &Bank{m, r, request, reply, map[string]bool{}, map[int]hw.UInt{}}
}

// find is the place of a register, which is used now.
func (b *Bank) find(name string, access Access) (at int, x Register) {
	for i, x := range b.regs {
		if x.Name != name {
			continue
		}
		switch {
		case b.used[name]:
			b.m.Errorf("param", "register %s is used twice", name)
		case x.Access != access:
			b.m.Errorf("param", "register %s is used as one for %v, and is for %v", name, access, x.Access)
		case x.width() < 1 || x.width() > DataBits:
			b.m.Errorf("param", "register %s has %d bits, want 1 to %d", name, x.Bits, DataBits)
		default:
			b.used[name] = true
			return i, x
		}
		return i, Register{Name: name, Bits: 1}
	}
	b.m.Errorf("param", "no register %s in the map", name)
	return 0, Register{Name: name, Bits: 1}
}

// written is high in the cycle in which a register is written.
func (b *Bank) written(at int) hw.Bit {
	return b.request.Fire().And(b.request.Data.Write, b.request.Data.Word.Is(at))
}

// Setting is the value of a register that the host writes, a cycle after it does.
func (b *Bank) Setting(name string) hw.UInt {
	at, x := b.find(name, Setting)
	reg := hw.Reg(b.m, name, hw.Unsigned(x.Bits), hw.U(x.Reset))
	value := b.request.Data.Data
	if x.Bits < DataBits {
		value = value.Trunc(x.Bits)
	}
	reg.SetIf(b.written(at), value)
	b.show(at, reg)
	return reg
}

// Status gives the host a value to read.
func (b *Bank) Status(name string, value hw.UInt) {
	at, x := b.find(name, Status)
	if value.Width() != x.Bits {
		b.m.Errorf("width", "register %s has %d bits, its value %d", name, x.Bits, value.Width())
		return
	}
	b.show(at, value)
}

// Command is high in the cycle in which the host writes a register, with what it
// writes.
func (b *Bank) Command(name string) (now hw.Bit, data hw.UInt) {
	at, _ := b.find(name, Command)
	return b.written(at), b.request.Data.Data
}

// Counter counts the bits that are high, until clear. Events are counted a cycle late,
// so that those of the cycle of reset do not count.
func (b *Bank) Counter(name string, clear hw.Bit, events ...hw.Bit) {
	at, _ := b.find(name, Counter)
	count := hw.Reg(b.m, name, hw.Unsigned(DataBits), hw.U(0))
	now := hw.Delay(b.m, name+"_now", hw.FromBits(events...).PopCount(), 1, hw.U(0))
	count.Set(count.Add(now.Extend(DataBits)))
	count.SetIf(clear, count.Lit(0))
	b.show(at, count)
}

func (b *Bank) show(at int, value hw.UInt) {
	if value.Width() < DataBits {
		value = value.Extend(DataBits)
	}
	b.shown[at] = value
}

// Done builds the replies: of words that cannot be read, an error.
func (b *Bank) Done() {
	for _, x := range b.regs {
		if !b.used[x.Name] {
			b.m.Errorf("param", "register %s of the map is not used", x.Name)
		}
	}
	known := map[int]hw.Bit{}
	for at := range b.shown {
		known[at] = hw.High
	}
	word := b.request.Data.Word
	waits := hw.Reg(b.m, "reply_waits", hw.Bit{}, hw.Low)
	held := hw.Reg(b.m, "reply", ReplyOf())
	b.request.Ready.Set(waits.Not())
	b.reply.Send(waits, held)
	m := b.m
	m.When(b.request.Fire().AndNot(b.request.Data.Write), func() {
		waits.Set(hw.High)
		hw.Set(held, Reply{Data: hw.Choose(word, hw.Zeros(DataBits), b.shown), Error: hw.Choose(word, hw.Low, known).Not()})
	}).ElseWhen(b.reply.Ready, func() { waits.Set(hw.Low) })
}
