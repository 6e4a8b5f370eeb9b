"""Third parties compute what hw/float computes: MPFR (gmpy2), ml_dtypes and gfloat.

    judge.py mpfr EXP FRAC OP MODE       operands as lines of hexadecimal codes
    judge.py ml_dtypes NAME OP           as well; of the cast to NAME the operands are float32
    judge.py gfloat NAME MODE SATURATE   lines of float64 codes, rounded to NAME

Every line is answered by one: the code of the result, or nan, and of MPFR the flags with the
codes of RISC-V. A module that is missing is said in one line, with exit code 3."""
import struct
import sys


def lines():
    for line in sys.stdin:
        yield [int(word, 16) for word in line.split()]


def need(name):
    try:
        return __import__(name)
    except ImportError as why:
        print(f"no {name}: {why}", file=sys.stderr)
        sys.exit(3)


def mpfr(exp, frac, op, mode):
    gmpy2 = need("gmpy2")
    exp, frac = int(exp), int(frac)
    bias = 2 ** (exp - 1) - 1
    ctx = gmpy2.context(
        precision=frac + 1, emax=bias + 1, emin=2 - bias - frac, subnormalize=True,
        round={"rne": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rdn": gmpy2.RoundDown, "rup": gmpy2.RoundUp}[mode])
    exact = gmpy2.context(precision=200)
    function = getattr(ctx, op)

    def number(code):
        neg, e, m = code >> (exp + frac), code >> frac & 2 ** exp - 1, code & 2 ** frac - 1
        if e == 2 ** exp - 1:
            return gmpy2.mpfr("nan" if m else "-inf" if neg else "inf")
        sig, e = (m, 1) if e == 0 else (m + 2 ** frac, e)
        if sig == 0:
            return gmpy2.mpfr("-0" if neg else "0")
        v = exact.mul_2exp(gmpy2.mpfr(sig, 200), e - bias - frac) if e >= bias + frac else exact.div_2exp(gmpy2.mpfr(sig, 200), bias + frac - e)
        return exact.minus(v) if neg else v

    def code(v):
        if v.is_nan():
            return "nan"
        neg = int(v.is_signed())
        if v.is_infinite():
            return f"{neg << exp + frac | (2 ** exp - 1) << frac:x}"
        sig, e = v.as_mantissa_exp()
        sig, e = abs(int(sig)), int(e)
        if sig == 0:
            return f"{neg << exp + frac:x}"
        top = max(e + sig.bit_length() - 1, 1 - bias)  # the place of the hidden bit
        sig = sig << e - (top - frac) if e >= top - frac else sig >> (top - frac) - e
        return f"{neg << exp + frac | ((top + bias - 1) << frac) + sig:x}"

    gmpy2.set_context(ctx)
    for operands in lines():
        numbers = [number(x) for x in operands]
        ctx.clear_flags()
        v = function(*numbers)
        flags = ctx.inexact | ctx.overflow << 2 | ctx.divzero << 3 | ctx.invalid << 4
        print(code(v), f"{flags:x}")


def dtypes(name, op):
    numpy, ml_dtypes = need("numpy"), need("ml_dtypes")
    numpy.seterr(all="ignore")
    dtype = numpy.dtype(getattr(ml_dtypes, name, None) or getattr(numpy, name))
    bits = {1: numpy.uint8, 2: numpy.uint16}[dtype.itemsize]
    columns = list(zip(*lines()))
    if not columns:
        return
    if op == "cast":
        y = numpy.array(columns[0], numpy.uint32).view(numpy.float32).astype(dtype)
    else:
        y = getattr(numpy, op)(*(numpy.array(c, bits).view(dtype) for c in columns)).astype(dtype)
    for code, is_nan in zip(y.view(bits), numpy.isnan(y.astype(numpy.float32))):
        print("nan" if is_nan else f"{code:x}")


def rounded(name, mode, saturate):
    gfloat = need("gfloat")
    from gfloat import formats
    info = getattr(formats, "format_info_" + name)
    mode = {"rne": "TiesToEven", "rtz": "TowardZero", "rdn": "TowardNegative", "rup": "TowardPositive", "rna": "TiesToAway"}[mode]
    for (code,) in lines():
        v, = struct.unpack("<d", struct.pack("<Q", code))
        y = gfloat.round_float(info, v, gfloat.RoundMode[mode], saturate == "true")
        print("nan" if y != y else f"{gfloat.encode_float(info, y):x}")


{"mpfr": mpfr, "ml_dtypes": dtypes, "gfloat": rounded}[sys.argv[1]](*sys.argv[2:])
