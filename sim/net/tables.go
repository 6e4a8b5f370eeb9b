package net

// Lookup is one look-up: bit Σ in·2^i of Table, where input i is bit In[i]%64 of operand
// In[i]/64 of the node. Only the first K inputs matter; bits of Table from 2^K on are 0.
type Lookup struct {
	Table uint64
	In    [6]int32
	K     uint8
}

// Bank is look-ups computed together: bit b of result word w is Words[w][b].
type Bank struct {
	Words [][]Lookup
}

// Lookups is the number of look-ups.
func (b *Bank) Lookups() int {
	k := 0
	for _, w := range b.Words {
		k += len(w)
	}
	return k
}

// Eval is the value of a result word; arg gives the operands.
func (b *Bank) Eval(word int, arg func(i int) uint64) uint64 {
	var v uint64
	for i, l := range b.Words[word] {
		at := 0
		for k, in := range l.In[:l.K] {
			at |= int(arg(int(in/64))>>(in%64)&1) << k
		}
		v |= l.Table >> at & 1 << i
	}
	return v
}

// Tables returns a node for all words of a bank. Only TableWord may read it.
func (n *Net) Tables(b *Bank, operands []ID) ID {
	at := len(n.Pool)
	n.Pool = append(n.Pool, operands...)
	n.Banks = append(n.Banks, b)
	return n.add(&Node{Op: Tables, W: 1, A: ID(at), B: ID(len(operands)), C: None, Imm: uint64(len(n.Banks) - 1)})
}

// TableWord returns a word of a Tables node.
func (n *Net) TableWord(t ID, word int) ID {
	w := len(n.Banks[n.N[t].Imm].Words[word])
	return n.add(&Node{Op: TableWord, W: uint8(w), A: t, B: None, C: None, Imm: uint64(word)})
}

// Operands is the arguments of a node that keeps them in the pool.
func (n *Net) Operands(id ID) []ID {
	nd := &n.N[id]
	return n.Pool[nd.A : nd.A+nd.B]
}
