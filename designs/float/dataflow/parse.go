package dataflow

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Program is a computation.
type Program struct {
	Text   string
	Inputs []string // in the order of their first use
	Ulp    float64  // greatest error of the units of elementary functions; up to 0.5 they round correctly
	nodes  []node   // operands before their users
	names  map[string]int
	result int
}

// node is an operation, an input or a constant.
type node struct {
	op    string // "input", "const", or an operation
	args  []int
	name  string  // of an input, or that a statement gives
	value float64 // of a constant
	at    int     // column of an operator or a function
}

// limits of a text
const (
	maxText  = 1 << 14
	maxNodes = 500
)

// parser reads a text from left to right.
type parser struct {
	*Program
	tokens []token
	at     int
	inputs map[string]int
	deep   int // parentheses, signs and calls around
}

// token is a word, a number or a sign.
type token struct {
	text string
	at   int // column from 1
}

// Parse reads a computation. Errors name the column, of the text as a whole.
func Parse(text string) (*Program, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the expression has %d characters, at most %d are taken", len(text), maxText)
	}

	// Recursive descent over tokens. Each statement adds its nodes behind its operands' nodes,
	// which keeps the list in the order of evaluation.
	tokens, err := split(text)
	if err != nil {
		return nil, err
	}

	p := &parser{Program: &Program{Text: text, names: map[string]int{}, result: -1}, tokens: tokens, inputs: map[string]int{}}
	for p.peek() != "" {
		if p.take(";") {
			continue
		}
		if err := p.statement(); err != nil {
			return nil, err
		}
		if p.peek() != "" && !p.take(";") {
			return nil, p.wrong("an operator or ;")
		}
	}

	// An empty text, or constants alone, make no circuit.
	switch {
	case p.result < 0:
		return nil, fmt.Errorf("the expression is empty")
	case len(p.Inputs) == 0:
		return nil, fmt.Errorf("the expression has no inputs")
	}
	return p.Program, nil
}

// split cuts a text into tokens; line breaks are semicolons.
func split(text string) (tokens []token, err error) {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		// A token begins with one character, which tells its kind, and takes those that go on with
		// it.
		from, r := i, runes[i]
		letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
		switch {
		case r == '\n':
			tokens = append(tokens, token{";", i + 1})
			i++
			continue
		case unicode.IsSpace(r):
			i++
			continue

		// A sign behind an e is the exponent's. Letters are taken too, so that 2x is one bad
		// number, not a number and a name.
		case unicode.IsDigit(r) || r == '.':
			for i < len(runes) && (letter(runes[i]) || runes[i] == '.' || strings.ContainsRune("+-", runes[i]) && strings.ContainsRune("eE", runes[i-1])) {
				i++
			}
		case letter(r):
			for i < len(runes) && letter(runes[i]) {
				i++
			}
		case strings.ContainsRune("+-*/()=,;", r):
			i++
		default:
			return nil, fmt.Errorf("column %d: %q has no meaning here", i+1, r)
		}

		tokens = append(tokens, token{string(runes[from:i]), from + 1})
	}
	return tokens, nil
}

// peek is the next token, "" at the end.
func (p *parser) peek() string {
	if p.at == len(p.tokens) {
		return ""
	}
	return p.tokens[p.at].text
}

// take goes past the next token if it is this one.
func (p *parser) take(text string) bool {
	if p.peek() != text || text == "" {
		return false
	}
	p.at++
	return true
}

// wrong is the error that something else was wanted.
func (p *parser) wrong(want string) error {
	if p.at == len(p.tokens) {
		return fmt.Errorf("at the end: want %s", want)
	}
	return fmt.Errorf("column %d: %q, want %s", p.tokens[p.at].at, p.peek(), want)
}

// statement is NAME = SUM or, as the last one, SUM.
func (p *parser) statement() error {
	if p.result >= 0 && p.nodes[p.result].name == "" {
		return p.wrong("nothing behind an expression without a name: it is the result")
	}

	// Two tokens tell an assignment. A name is given once: the nodes of an earlier value keep it.
	start, name := p.at, p.peek()
	if p.at+1 < len(p.tokens) && p.tokens[p.at+1].text == "=" {
		if !isName(name) {
			return p.wrong("a name before =")
		}

		_, isInput := p.inputs[name]
		if _, given := p.names[name]; given || isInput || operands(name) > 0 {
			p.at = start
			return p.wrong("a name that is not used before")
		}

		p.at += 2
		x, err := p.sum()
		if err != nil {
			return err
		}

		// A node has one name, and a constant none: another name is a copy of it.
		if n := p.nodes[x]; n.name != "" || n.op == "const" || x != len(p.nodes)-1 { // another name of a value
			x = p.add(node{op: "copy", args: []int{x}})
		}
		p.nodes[x].name, p.names[name], p.result = name, x, x
		return nil
	}

	// An expression alone is the result. Its node has no name, by which the next statement knows that
	// nothing may follow: a named value is copied.
	x, err := p.sum()
	if err != nil {
		return err
	}
	if p.nodes[x].name != "" || p.nodes[x].op == "const" {
		x = p.add(node{op: "copy", args: []int{x}})
	}

	p.result = x
	return nil
}

func isName(text string) bool {
	return text != "" && (unicode.IsLetter([]rune(text)[0]) || text[0] == '_')
}

// add appends a node and returns its number.
func (p *parser) add(n node) int {
	p.nodes = append(p.nodes, n)
	return len(p.nodes) - 1
}

// sum is TERM {+|- TERM}.
func (p *parser) sum() (int, error) {
	return p.chain(p.term, map[string]string{"+": "add", "-": "sub"})
}

// term is FACTOR {*|/ FACTOR}.
func (p *parser) term() (int, error) {
	return p.chain(p.factor, map[string]string{"*": "mul", "/": "div"})
}

// chain is parts between operators, from left to right.
func (p *parser) chain(part func() (int, error), operators map[string]string) (int, error) {
	x, err := part()
	for err == nil && operators[p.peek()] != "" {
		op, at := operators[p.peek()], p.tokens[p.at].at
		p.at++
		var y int
		if y, err = part(); err == nil {
			x = p.add(node{op: op, args: []int{x, y}, at: at})
		}
	}
	return x, err
}

// factor is a number, a name, a call, a sign before one, or a sum in parentheses.
func (p *parser) factor() (x int, err error) {
	// The depth bounds the stack of this parser, the number of nodes the circuit.
	p.deep++
	defer func() { p.deep-- }()
	if p.deep > 100 || len(p.nodes) > maxNodes {
		return 0, fmt.Errorf("the expression is too large: at most %d operations, 100 in each other", maxNodes)
	}

	word := p.peek()
	switch {
	// Signs and parentheses come back here, or to a sum.
	case p.take("-"):
		if x, err = p.factor(); err == nil {
			x = p.add(node{op: "neg", args: []int{x}})
		}
		return x, err
	case p.take("+"):
		return p.factor()
	case p.take("("):
		if x, err = p.sum(); err == nil && !p.take(")") {
			err = p.wrong(")")
		}
		return x, err

	// Numbers are decimals of float64; a format rounds them once.
	case word != "" && (unicode.IsDigit([]rune(word)[0]) || word[0] == '.'):
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return 0, p.wrong("a decimal number")
		}
		p.at++
		return p.add(node{op: "const", value: v}), nil
	case operands(word) > 0:
		return p.call()
	case !isName(word):
		return 0, p.wrong("a number, a name or (")
	}

	// A word in front of a parenthesis is a function that there is not.
	p.at++
	if p.peek() == "(" {
		return 0, unknown(word, p.tokens[p.at-1].at)
	}

	// A name is a value's that a statement gave, or an input, which its first use makes.
	if x, ok := p.names[word]; ok {
		return x, nil
	}
	if x, ok := p.inputs[word]; ok {
		return x, nil
	}
	p.Inputs = append(p.Inputs, word)
	p.inputs[word] = p.add(node{op: "input", name: word})
	return p.inputs[word], nil
}

// call is a function of sums.
func (p *parser) call() (int, error) {
	word, at := p.peek(), p.tokens[p.at].at
	p.at++
	if !p.take("(") {
		return 0, p.wrong("( after " + word)
	}

	// Operands up to the closing parenthesis; their number is the function's.
	var args []int
	for {
		x, err := p.sum()
		if err != nil {
			return 0, err
		}
		args = append(args, x)
		if !p.take(",") {
			break
		}
	}

	if len(args) != operands(word) || p.peek() != ")" {
		return 0, p.wrong(fmt.Sprintf(") after %d operands of %s", operands(word), word))
	}
	p.at++
	return p.add(node{op: word, args: args, at: at}), nil
}

// named are the nodes that have a name and compute something.
func (p *Program) named() (at []int) {
	for i, n := range p.nodes {
		if n.name != "" && n.op != "input" {
			at = append(at, i)
		}
	}
	return at
}

// Operations counts the operations that take a circuit.
func (p *Program) Operations() (n int) {
	for _, x := range p.nodes {
		if x.op != "input" && x.op != "const" && x.op != "copy" && x.op != "neg" && x.op != "abs" {
			n++
		}
	}
	return n
}
