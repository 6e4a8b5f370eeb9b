package ir

import "fmt"

// Kind says how a value is displayed, and marks clocks and resets. It never changes a
// result.
type Kind uint8

// The kinds.
const (
	UInt       Kind = iota // unsigned number or plain bits
	SInt                   // two's complement
	Bool                   // a single bit
	Clock                  // a clock
	Reset                  // a synchronous reset, active high
	AsyncReset             // an asynchronous reset, active high
	EnumKind               // one of Enum.Names
	Fixed                  // two's complement with Frac fraction bits
	Float                  // floating point: a sign, Exp exponent and Frac fraction bits
)

var kindNames = [...]string{"uint", "sint", "bool", "clock", "reset", "asyncreset", "enum", "fixed", "float"}

// String is the kind's name in the text form.
func (k Kind) String() string { return kindNames[k] }

// Signed reports whether numbers of this kind are two's complement.
func (k Kind) Signed() bool { return k == SInt || k == Fixed }

// Enum is an enumeration: name i has the code Codes[i].
type Enum struct {
	Name  string
	Names []string
	Codes []uint64
}

// NameOf returns the name of a code, "" if it has none.
func (e *Enum) NameOf(code uint64) string {
	for i, c := range e.Codes {
		if c == code {
			return e.Names[i]
		}
	}
	return ""
}

// Type is a display type.
type Type struct {
	Kind Kind
	Enum *Enum // EnumKind
	Frac int   // Fixed: fraction bits, may be negative; Float: fraction bits
	Exp  int   // Float: exponent bits
	Top  TopCodes
}

// String is "uint", "enum phase", "fixed 4", ….
func (t Type) String() string {
	switch t.Kind {
	case EnumKind:
		return "enum " + t.Enum.Name
	case Fixed:
		return fmt.Sprintf("fixed %d", t.Frac)
	case Float:
		return fmt.Sprintf("float %d %d %v", t.Exp, t.Frac, t.Top)
	}
	return t.Kind.String()
}

// TypeID is an index into a module's table of types. The first ones are fixed:
// TypeID(k) is the type of kind k for every kind below EnumKind.
type TypeID uint16

var basicTypes = [...]Type{{Kind: UInt}, {Kind: SInt}, {Kind: Bool}, {Kind: Clock}, {Kind: Reset}, {Kind: AsyncReset}}

// AddType returns the ID of t in m, and adds it if it is new. Two enumerations are the same
// if their pointers are.
func (m *Module) AddType(t Type) TypeID {
	if id, ok := m.FindType(t); ok {
		return id
	}
	m.types = append(m.types, t)
	return TypeID(len(m.types) - 1)
}

// FindType returns the ID of t in m, if it has one. Every module numbers its types by
// itself.
func (m *Module) FindType(t Type) (TypeID, bool) {
	// Basic types are preset in every module.
	if int(t.Kind) < len(basicTypes) {
		return TypeID(t.Kind), true
	}
	for i := len(basicTypes); i < len(m.types); i++ {
		if m.types[i] == t {
			return TypeID(i), true
		}
	}
	return 0, false
}

// TypeOf returns the type with a number of this module. It panics if there are fewer types.
func (m *Module) TypeOf(id TypeID) Type { return m.types[id] }

// Types returns all types of m, the basic ones first.
func (m *Module) Types() []Type { return m.types }
