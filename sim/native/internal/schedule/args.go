package schedule

import "etch/sim/net"

// args is the arguments of node x. Those outside the net's pool are copied to buf.
func args(n *net.Net, x net.ID, buf *[3]net.ID) []net.ID {
	nd := &n.N[x]
	switch {
	case nd.Op.IsLeaf():
		return nil
	case nd.Op.Pooled():
		return n.Pool[nd.A : nd.A+nd.B]
	}

	*buf = [3]net.ID{nd.A, nd.B, nd.C}
	switch {
	case nd.B < 0:
		return buf[:1]
	case nd.C < 0:
		return buf[:2]
	}
	return buf[:]
}
