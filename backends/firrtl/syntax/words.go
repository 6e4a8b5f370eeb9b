package syntax

// word is a keyword; its number is also its Name.
type word Name

const (
	kwNone word = iota
	kwFIRRTL
	kwVersion
	kwCircuit
	kwPublic
	kwModule
	kwExtmodule
	kwIntmodule
	kwClass
	kwExtclass
	kwLayer
	kwDeclgroup
	kwFormal
	kwSimulation
	kwOption
	kwDomain
	kwDomainType
	kwDomains
	kwDomainDefine
	kwDomainCast
	kwRequires
	kwType
	kwEnablelayer
	kwKnownlayer
	kwBind
	kwInline
	kwInput
	kwOutput
	kwDefname
	kwIntrinsic
	kwParameter
	kwRef
	kwUInt
	kwSInt
	kwClock
	kwReset
	kwAsyncReset
	kwAnalog
	kwProbe
	kwRWProbe
	kwConst
	kwFlip
	kwInteger
	kwString
	kwBool
	kwDouble
	kwPath
	kwAnyRef
	kwInstType
	kwList
	kwFixed
	kwInterval
	kwWire
	kwNode
	kwReg
	kwRegreset
	kwInst
	kwInstchoice
	kwObject
	kwOf
	kwMem
	kwCmem
	kwSmem
	kwRead
	kwWrite
	kwInfer
	kwRdwr
	kwMport
	kwWith
	kwResetWord
	kwConnect
	kwInvalidate
	kwIs
	kwInvalid
	kwWhen
	kwElse
	kwMatch
	kwAttach
	kwStop
	kwPrintf
	kwFprintf
	kwFflush
	kwAssert
	kwAssume
	kwCover
	kwForce
	kwForceInitial
	kwRelease
	kwReleaseInitial
	kwLayerblock
	kwGroup
	kwContract
	kwDefine
	kwPropassign
	kwPropassert
	kwSkip
	kwOld
	kwNew
	kwUndefined
	kwMux
	kwValidif
	kwProbeExpr
	kwRWProbeExpr
	kwPathExpr
	kwData
	kwDepth
	kwLatency
	kwUnder
	kwReader
	kwWriter
	kwReadwriter
	kwOps // the operations follow, in their order without NoOp
	kwEnd = kwOps + word(numOps) - 1

	kwFirst = kwNone + 1
)

var keywords = func() (t [kwEnd]string) {
	for i, s := range [...]string{
		"", "FIRRTL", "version", "circuit", "public", "module", "extmodule", "intmodule", "class", "extclass",
		"layer", "declgroup", "formal", "simulation", "option", "domain", "Domain", "domains", "domain_define", "unsafe_domain_cast", "requires", "type", "enablelayer", "knownlayer", "bind", "inline",
		"input", "output", "defname", "intrinsic", "parameter", "ref",
		"UInt", "SInt", "Clock", "Reset", "AsyncReset", "Analog", "Probe", "RWProbe", "const", "flip",
		"Integer", "String", "Bool", "Double", "Path", "AnyRef", "Inst", "List", "Fixed", "Interval",
		"wire", "node", "reg", "regreset", "inst", "instchoice", "object", "of", "mem", "cmem", "smem",
		"read", "write", "infer", "rdwr", "mport", "with", "reset", "connect", "invalidate", "is", "invalid",
		"when", "else", "match", "attach", "stop", "printf", "fprintf", "fflush", "assert", "assume", "cover",
		"force", "force_initial", "release", "release_initial", "layerblock", "group", "contract", "define",
		"propassign", "propassert", "skip", "old", "new", "undefined", "mux", "validif", "probe", "rwprobe", "path",
		"data", "depth", "latency", "under", "reader", "writer", "readwriter",
	} {
		t[i] = s
	}
	for o := NoOp + 1; o < numOps; o++ {
		t[kwOps+word(o)-1] = opForms[o].name
	}
	return t
}()

// opOf is the operation of a keyword, NoOp for other names.
func opOf(n Name) Op {
	if n >= Name(kwOps) && n < Name(kwEnd) {
		return Op(n-Name(kwOps)) + 1
	}
	return NoOp
}
