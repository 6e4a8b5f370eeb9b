package axi

import (
	"fmt"
	"strings"

	"etch/hw"
	"etch/hw/stream"
)

// Access is the use that a host makes of a register.
type Access uint8

// The accesses.
const (
	Setting Access = iota // read and written; the circuit reads it
	Status                // read; the circuit drives it
	Command               // written: the circuit sees each write with its data; not read
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
// [Map]. One without a name is a hole: accesses to it are answered with an error.
type Register struct {
	Name     string // in lower case with underscores
	Access   Access
	Bits     int      // 1 to 32, of a setting or status; written bits above are ignored
	Signed   bool     // a setting or status has a sign, and is read with its sign extended; else bits above are read as 0
	Fraction int      // bits behind the binary point of a signed one
	Reset    int64    // of a setting
	Flags    []string // names of single bits, from bit 0 up
	Doc      string   // one line
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
//
// A driver that knows registers by numbered constants writes the map with them as keys,
// axi.Map{Limit: {…}, Clear: {…}}, so that both agree by construction.
type Map []Register

// Registered is a component with registers, from which etch export writes a header for C
// and a table.
type Registered interface{ Registers() Map }

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

	// A row a register, then a row for each of its flags.
	for i, x := range r {
		if x.Name == "" {
			continue
		}
		reset := ""

		// Only a setting has a value after reset that a driver can rely on.
		if x.Access == Setting {
			reset = fmt.Sprintf("%#x", x.word())
		}
		fmt.Fprintf(&b, "| 0x%02x | %s | %s | %v | %s | %s |\n", 4*i, x.Name, x.format(), x.Access, reset, x.Doc)
		for bit, name := range x.Flags {
			fmt.Fprintf(&b, "| | %s.%s | bit %d | | | |\n", x.Name, name, bit)
		}
	}
	return b.String()
}

// Header is the registers as constants for C, with a prefix in front of each name: byte
// addresses, masks of single bits, and settings after reset.
func (r Map) Header(prefix string) string {
	var b strings.Builder
	prefix = strings.ToUpper(prefix)
	fmt.Fprintf(&b, "/* Written by etch. Do not edit. Byte addresses of 32-bit registers. */\n#ifndef %[1]s_REGISTERS_H\n#define %[1]s_REGISTERS_H\n", prefix)

	for i, x := range r {
		if x.Name == "" {
			continue
		}

		// A doc text must not close the comment that it stands in.
		name := prefix + "_" + strings.ToUpper(x.Name)
		doc := strings.ReplaceAll(x.Doc, "*/", "* /")
		fmt.Fprintf(&b, "\n/* %v, %s: %s */\n#define %s 0x%02xu\n", x.Access, plural(x.format()), doc, name, 4*i)

		for bit, flag := range x.Flags {
			fmt.Fprintf(&b, "#define %s_%s 0x%xu\n", name, strings.ToUpper(flag), uint32(1)<<bit)
		}
		if x.Access == Setting {
			fmt.Fprintf(&b, "#define %s_RESET 0x%xu\n", name, x.word())
		}
	}
	b.WriteString("\n#endif\n")
	return b.String()
}

// format is the width, with sign and fraction: 16, s18, s16.16.
func (x Register) format() string {
	switch {
	case x.Signed && x.Fraction > 0:
		return fmt.Sprintf("s%d.%d", x.width()-x.Fraction, x.Fraction)
	case x.Signed:
		return fmt.Sprintf("s%d", x.width())
	}
	return fmt.Sprint(x.width())
}

// plural is a width with its unit.
func plural(width string) string {
	if width == "1" {
		return "1 bit"
	}
	return width + " bits"
}

// word is the reset of a setting as it is read.
func (x Register) word() uint32 { return uint32(x.Reset) }

func (x Register) width() int {
	if x.Access == Setting || x.Access == Status {
		return x.Bits
	}
	return DataBits
}

// Bank holds the registers of a map in a circuit, behind the requests and replies of a [Bridge].
// Each register must be used exactly once, by the method of its access; a register that is unused,
// used twice or used with another access is a mistake of the design.
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

// find is the place of a register, which is used now; a mistaken one has no name.
func (b *Bank) find(name string, access Access) (at int, x Register) {
	for i, x := range b.regs {
		if x.Name != name || name == "" {
			continue
		}

		// A mistake is reported once; the nameless register that is returned keeps the caller from
		// reporting more.
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
		return i, Register{Bits: 1}
	}
	b.m.Errorf("param", "no register %q in the map", name)
	return 0, Register{Bits: 1}
}

// written is high in the cycle in which a register is written.
func (b *Bank) written(at int) hw.Bit {
	return b.request.Fire().And(b.request.Data.Write, b.request.Data.Word.Is(at))
}

// Setting is the value of a register that the host writes, a cycle after it does. The
// circuit may set it too, and goes before the host.
func (b *Bank) Setting(name string) hw.UInt {
	at, x := b.sign(name, Setting, false)
	if x.Name == "" {
		return hw.Zeros(1)
	}

	reg := hw.Reg(b.m, name, hw.Unsigned(x.Bits), hw.U(uint64(x.Reset)))
	value := b.request.Data.Data
	if x.Bits < DataBits {
		value = value.Trunc(x.Bits)
	}

	// The host's write comes first, so that a Set of the circuit, which follows it, wins.
	reg.SetIf(b.written(at), value)
	b.show(at, reg)
	return reg
}

// SignedSetting is [Bank.Setting] of a signed register.
func (b *Bank) SignedSetting(name string) hw.SInt {
	at, x := b.sign(name, Setting, true)
	if x.Name == "" {
		return hw.Zeros(1).AsSigned()
	}

	shape := hw.Signed(x.Bits)
	if x.Fraction > 0 {
		shape = hw.FixedPoint(x.Bits, x.Fraction)
	}
	reg := hw.Reg(b.m, name, shape, hw.S(x.Reset))
	value := b.request.Data.Data.AsSigned()
	if x.Bits < DataBits {
		value = value.Trunc(x.Bits)
	}

	// The host's write comes first, so that a Set of the circuit wins.
	reg.SetIf(b.written(at), value)
	b.showSigned(at, reg)
	return reg
}

// Status gives the host a value to read.
func (b *Bank) Status(name string, value hw.UInt) {
	if at, x := b.sign(name, Status, false); b.fits(x, value.Width()) {
		b.show(at, value)
	}
}

// SignedStatus is [Bank.Status] of a signed register.
func (b *Bank) SignedStatus(name string, value hw.SInt) {
	if at, x := b.sign(name, Status, true); b.fits(x, value.Width()) {
		b.showSigned(at, value)
	}
}

// sign is find of a register with a sign, or of one without.
func (b *Bank) sign(name string, access Access, signed bool) (at int, x Register) {
	at, x = b.find(name, access)
	if x.Name != "" && x.Signed != signed {
		b.m.Errorf("param", "register %s is used with sign = %v, and is declared with %v", name, signed, x.Signed)
	}
	return at, x
}

// fits reports a value of another width than its register's.
func (b *Bank) fits(x Register, width int) bool {
	if x.Name != "" && width != x.Bits {
		b.m.Errorf("width", "register %s has %d bits, its value %d", x.Name, x.Bits, width)
	}
	return width == x.Bits
}

// Command is high in the cycle in which the host writes a register; data is the written word.
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

	// Clear comes last and wins over an event of the same cycle.
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

func (b *Bank) showSigned(at int, value hw.SInt) {
	if value.Width() < DataBits {
		value = value.Extend(DataBits)
	}
	b.show(at, value.AsUnsigned())
}

// Done builds the replies: of words that cannot be read, an error.
func (b *Bank) Done() {
	for _, x := range b.regs {
		if x.Name != "" && !b.used[x.Name] {
			b.m.Errorf("param", "register %s of the map is not used", x.Name)
		}
	}

	// A read outside the map, or of a register that only takes writes, is answered with an error.
	known := map[int]hw.Bit{}
	for at := range b.shown {
		known[at] = hw.High
	}

	// One reply is held until the bridge takes it, and no request is accepted meanwhile.
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
