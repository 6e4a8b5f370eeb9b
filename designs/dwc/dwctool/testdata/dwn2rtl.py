#!/usr/bin/env python3
"""Builds Verilog by dwn2rtl 0.3.0 (PyPI; with PyTorch) for the models NAME.json that
`etch experiment dwc-area -o DIR` wrote, into DIR/NAME. The experiment, run again, counts
both. Comparators are equal: thresholds are the model's integers over 2^(W-1), W-bit words.

  pip install dwn2rtl; etch experiment dwc-area -o DIR -write; python3 dwn2rtl.py DIR
"""
import glob
import json
import math
import os
import sys

sys.path.pop(0)  # this file has the module's name

import dwn2rtl
import torch

for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
    m = json.load(open(path))
    w = m["sensor_bits"]
    rows = m["thresholds"]["rows"]
    assert m["thresholds"]["kind"] == "physical" and m["head"]["kind"] == "argmax", path
    t = [[math.floor(v / d["scale"]) / 2 ** (w - 1) for v in (rows[i] if len(rows) > 1 else rows[0])] for i, d in enumerate(m["obs"])]
    state = {}
    for i, layer in enumerate(m["layers"]):
        n = layer["n"]
        bits = [[2.0 * (int(h, 16) >> a & 1) - 1 for a in range(2**n)] for h in layer["tables"]]
        state[f"{i}.luts"] = torch.tensor(bits)
        state[f"{i}.mapping"] = torch.tensor(layer["pins"], dtype=torch.int32)
    config = {"n": n, "num_classes": len(m["head"]["classes"]), "layers": [len(l["tables"]) for l in m["layers"]], "thermometer_bits": len(t[0])}
    out = os.path.splitext(path)[0]
    report = dwn2rtl.build({"config": config, "state_dict": state, "thermometer": {"thresholds": torch.tensor(t)}}, out, input_bits=w - 1)
    assert report.precision.word_bits == w, (path, report.precision)
    print(out, report.precision, report.comparators)
