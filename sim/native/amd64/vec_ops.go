package amd64

// VOp is a vector instruction. Its name is the manual's, with a letter more where
// one mnemonic stands for several shapes: I by an immediate, K into a mask, G with
// a general register, S a store.
type VOp uint16

// String is the mnemonic, in lower case.
func (o VOp) String() string { return vdefs[o].name }

// The vector instructions, with the methods that take them.
const (
	// Moves of whole vectors: V2, V2M, VStore.
	VMOVDQU VOp = iota
	VMOVDQA
	VMOVDQU8
	VMOVDQU16
	VMOVDQU32
	VMOVDQU64
	VMOVDQA32
	VMOVDQA64

	// Moves past the cache: V2M for the load, VStore for the store.
	VMOVNTDQA
	VMOVNTDQ

	// The low 64 bits, the rest zero: VMOVQ with V2, V2M; VMOVQS with VStore.
	VMOVQ
	VMOVQS

	// 32 and 64 bits and general registers: VFromG, VToG; VMOVD also V2M, VStore.
	VMOVD
	VMOVQG

	// Logic: V3, V3M. Under EVEX the first four are the forms of Q.
	VPAND
	VPANDN
	VPOR
	VPXOR
	VPANDD
	VPANDQ
	VPANDND
	VPANDNQ
	VPORD
	VPORQ
	VPXORD
	VPXORQ

	// Any function of three bits, dst among them, imm its truth table: V3I, V3MI.
	VPTERNLOGD
	VPTERNLOGQ

	// Sums and differences, S and US saturating: V3, V3M.
	VPADDB
	VPADDW
	VPADDD
	VPADDQ
	VPSUBB
	VPSUBW
	VPSUBD
	VPSUBQ
	VPADDSB
	VPADDSW
	VPADDUSB
	VPADDUSW
	VPSUBSB
	VPSUBSW
	VPSUBUSB
	VPSUBUSW
	VPAVGB
	VPAVGW

	// Products: V3, V3M.
	VPMULLW
	VPMULHW
	VPMULHUW
	VPMULHRSW
	VPMULLD
	VPMULLQ
	VPMULUDQ
	VPMULDQ
	VPMADDWD
	VPMADDUBSW
	VPMADD52LUQ
	VPMADD52HUQ
	VPDPBUSD
	VPDPWSSD

	// A carry-less product of 64 bits: V3I, V3MI.
	VPCLMULQDQ

	// Horizontal sums, and the sum of absolute differences: V3, V3M.
	VPHADDW
	VPHADDD
	VPSADBW

	// Least and greatest: V3, V3M.
	VPMINUB
	VPMINUW
	VPMINUD
	VPMINUQ
	VPMAXUB
	VPMAXUW
	VPMAXUD
	VPMAXUQ
	VPMINSB
	VPMINSW
	VPMINSD
	VPMINSQ
	VPMAXSB
	VPMAXSW
	VPMAXSD
	VPMAXSQ

	// Negated by the sign of src2: V3, V3M.
	VPSIGNB
	VPSIGNW
	VPSIGND

	// Absolute values, counts: V2, V2M.
	VPABSB
	VPABSW
	VPABSD
	VPABSQ
	VPOPCNTB
	VPOPCNTW
	VPOPCNTD
	VPOPCNTQ
	VPLZCNTD
	VPLZCNTQ

	// Comparisons into a vector of 0 and -1: V3, V3M.
	VPCMPEQB
	VPCMPEQW
	VPCMPEQD
	VPCMPEQQ
	VPCMPGTB
	VPCMPGTW
	VPCMPGTD
	VPCMPGTQ

	// Comparisons into a mask: VCmp, VCmpM. VPTESTM is src1 & src2 != 0, VPTESTNM ==
	// 0.
	VPCMPEQBK
	VPCMPEQWK
	VPCMPEQDK
	VPCMPEQQK
	VPCMPGTBK
	VPCMPGTWK
	VPCMPGTDK
	VPCMPGTQK
	VPTESTMB
	VPTESTMW
	VPTESTMD
	VPTESTMQ
	VPTESTNMB
	VPTESTNMW
	VPTESTNMD
	VPTESTNMQ
	VPSHUFBITQMB

	// Comparisons by a Pred into a mask: VCmpI, VCmpMI.
	VPCMPB
	VPCMPUB
	VPCMPW
	VPCMPUW
	VPCMPD
	VPCMPUD
	VPCMPQ
	VPCMPUQ

	// Shifts of all elements by one count in an xmm or 16 bytes of memory: V3, V3M.
	VPSRLW
	VPSRLD
	VPSRLQ
	VPSRAW
	VPSRAD
	VPSRAQ
	VPSLLW
	VPSLLD
	VPSLLQ

	// Shifts and rotations by an immediate: V2I, V2MI. DQI shift each 128 bits by
	// bytes.
	VPSRLWI
	VPSRAWI
	VPSLLWI
	VPSRLDI
	VPSRADI
	VPSLLDI
	VPSRAQI
	VPSRLQI
	VPSLLQI
	VPSRLDQI
	VPSLLDQI
	VPRORDI
	VPRORQI
	VPROLDI
	VPROLQI

	// Shifts and rotations of every element by its own count: V3, V3M.
	VPSLLVD
	VPSLLVQ
	VPSRLVD
	VPSRLVQ
	VPSRAVD
	VPSRAVQ
	VPSLLVW
	VPSRLVW
	VPSRAVW
	VPROLVD
	VPROLVQ
	VPRORVD
	VPRORVQ
	VPMULTISHIFTQB

	// Permutations by a vector: V3, V3M. I2 have their index in dst, T2 their first
	// table.
	VPSHUFB
	VPERMD
	VPERMQ
	VPERMB
	VPERMW
	VPERMI2B
	VPERMI2W
	VPERMI2D
	VPERMI2Q
	VPERMT2B
	VPERMT2W
	VPERMT2D
	VPERMT2Q

	// Permutations by an immediate: V2I, V2MI.
	VPSHUFD
	VPSHUFHW
	VPSHUFLW
	VPERMQI

	// Permutations of two vectors by an immediate: V3I, V3MI.
	VPERM2I128
	VPALIGNR
	VALIGND
	VALIGNQ
	VSHUFI32X4
	VSHUFI64X2
	VSHUFPS
	VSHUFPD

	// Interleaving and packing: V3, V3M.
	VPUNPCKLBW
	VPUNPCKLWD
	VPUNPCKLDQ
	VPUNPCKLQDQ
	VPUNPCKHBW
	VPUNPCKHWD
	VPUNPCKHDQ
	VPUNPCKHQDQ
	VPACKSSWB
	VPACKSSDW
	VPACKUSWB
	VPACKUSDW

	// Choice by a vector of masks: VBlendV, VBlendVM; by an immediate: V3I, V3MI; by
	// Evex.Mask, src2 under ones: V3X, V3MX.
	VPBLENDVB
	VBLENDVPS
	VBLENDVPD
	VPBLENDW
	VPBLENDD
	VPBLENDMB
	VPBLENDMW
	VPBLENDMD
	VPBLENDMQ

	// Sign bits to a general register: VToG.
	VPMOVMSKB
	VMOVMSKPS
	VMOVMSKPD

	// ZF if dst & src is zero, CF if ^dst & src is; dst stays: V2, V2M.
	VPTEST

	// One element to all: V2, V2M; from a general register: VFromG; 16 or 32 bytes of
	// memory: V2M.
	VPBROADCASTB
	VPBROADCASTW
	VPBROADCASTD
	VPBROADCASTQ
	VPBROADCASTBG
	VPBROADCASTWG
	VPBROADCASTDG
	VPBROADCASTQG
	VBROADCASTI128
	VBROADCASTI32X4
	VBROADCASTI64X2
	VBROADCASTI32X8
	VBROADCASTI64X4

	// Part imm of a vector: V2I, VStoreI; a vector with part imm replaced: V3I, V3MI.
	VEXTRACTI128
	VEXTRACTI32X4
	VEXTRACTI64X2
	VEXTRACTI32X8
	VEXTRACTI64X4
	VINSERTI128
	VINSERTI32X4
	VINSERTI64X2
	VINSERTI32X8
	VINSERTI64X4

	// One element and a general register: VInsert, VInsertM; VExtract, VStoreI.
	VPINSRB
	VPINSRW
	VPINSRD
	VPINSRQ
	VPEXTRB
	VPEXTRW
	VPEXTRD
	VPEXTRQ

	// Wider elements, by sign or zero: V2, V2M.
	VPMOVSXBW
	VPMOVSXBD
	VPMOVSXBQ
	VPMOVSXWD
	VPMOVSXWQ
	VPMOVSXDQ
	VPMOVZXBW
	VPMOVZXBD
	VPMOVZXBQ
	VPMOVZXWD
	VPMOVZXWQ
	VPMOVZXDQ

	// Narrower elements, cut off or saturated (S, US): V2, VStore.
	VPMOVWB
	VPMOVDB
	VPMOVQB
	VPMOVDW
	VPMOVQW
	VPMOVQD
	VPMOVSWB
	VPMOVSDB
	VPMOVSQB
	VPMOVSDW
	VPMOVSQW
	VPMOVSQD
	VPMOVUSWB
	VPMOVUSDB
	VPMOVUSQB
	VPMOVUSDW
	VPMOVUSQW
	VPMOVUSQD

	// Elements under Evex.Mask packed to the left: V2X, VStoreX; spread out: V2X,
	// V2MX.
	VPCOMPRESSD
	VPCOMPRESSQ
	VPEXPANDD
	VPEXPANDQ

	// Masks to vectors and back: VFromK, VToK.
	VPMOVM2B
	VPMOVM2W
	VPMOVM2D
	VPMOVM2Q
	VPMOVB2M
	VPMOVW2M
	VPMOVD2M
	VPMOVQ2M

	// Elements from and to many addresses, index then element: VGather, VGatherK;
	// VScatter.
	VPGATHERDD
	VPGATHERDQ
	VPGATHERQD
	VPGATHERQQ
	VPSCATTERDD
	VPSCATTERDQ
	VPSCATTERQD
	VPSCATTERQQ

	// Elements under the sign bits of src1, the rest zero: V3M; store: VMaskStore.
	VPMASKMOVD
	VPMASKMOVQ

	// Products with matrices and numbers of GF(2): affine V3I, V3MI; product V3, V3M.
	VGF2P8AFFINEQB
	VGF2P8AFFINEINVQB
	VGF2P8MULB
)
