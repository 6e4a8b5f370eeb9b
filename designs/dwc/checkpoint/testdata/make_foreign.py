#!/usr/bin/env python3
"""Writes checkpoints of two other libraries, torch_dwn 1.1.1 and difflogic 0.1.0,
and foreign.json: what the libraries' own modules compute of each.

The modules, their state dictionaries, thermometers and sums are the libraries'
own code. Two parts of them need CUDA and were not compiled: torch_dwn computes a
LUT layer on CUDA only, so lookup() below takes the place of EFDFunction's forward
pass (its kernel: address bit l is input mapping[j][l] > 0); difflogic imports its
CUDA module at start, so an empty module has its name, and the library's own
"python" implementation for the CPU runs.

Made with PyTorch 1.13 and numpy 1.24.2 (Debian 12's python3-torch); the sources
are the unpacked archives of PyPI:
  PYTHONPATH=torch_dwn-1.1.1/src:difflogic-0.1.0 /usr/bin/python3 make_foreign.py OUTDIR
"""
import argparse
import collections
import json
import pathlib
import sys
import types

import numpy as np
import torch

sys.modules["difflogic_cuda"] = types.ModuleType("difflogic_cuda")
import difflogic
import torch_dwn as dwn
from torch_dwn import lut_layer

OUT = sys.argv[1] + "/"
torch.manual_seed(20261123)
expected = {}


def lookup(x, mapping, luts, alpha, beta):
    bits = (x[:, mapping.long()] > 0).long()
    address = (bits << torch.arange(mapping.shape[1])).sum(-1)
    return luts[torch.arange(len(luts)), address]


class OnCPU:
    apply = staticmethod(lookup)


lut_layer.EFDFunction = OnCPU


def expect(name, model, x, encode=None, tau=1.0):
    """Counts and classes of the library, for observations exact in float32."""
    bits = x if encode is None else encode.binarize(x).flatten(start_dim=1)
    y = model(bits) * tau
    expected[name] = {
        "obs": x.flatten(1).double().tolist(),
        "counts": [[int(v) for v in row] for row in y.round().tolist()],
        "classes": y.argmax(dim=-1).tolist(),
    }
    assert len(set(expected[name]["classes"])) > 1, name


def grid(n, *shape):
    """Observations on a grid of 1/16, so that a sensor code is exact."""
    return torch.randint(-64, 65, (n, *shape)).float() / 16


def data(*shape):
    """What a thermometer is fitted on."""
    return torch.randn(400, *shape) * torch.linspace(0.5, 2, shape[-1])


# A state dictionary with all that people put beside it.
x = grid(60, 4)
therm = dwn.DistributiveThermometer(6).fit(data(4))
model = torch.nn.Sequential(
    dwn.LUTLayer(4 * 6, 30, n=4, mapping="learnable"), dwn.LUTLayer(30, 20, n=3), dwn.GroupSum(k=5, tau=2.0)).eval()
torch.save({
    "state_dict": model.state_dict(), "thermometer": {"thresholds": therm.thresholds}, "torch": torch.__version__,
    "accuracy": np.float64(0.5), "best": np.bool_(True), "dataset": np.str_("jsc"), "names": np.array(["a", "b"]),
    "args": argparse.Namespace(lr=0.01, layers=[30, 20]), "path": pathlib.PurePosixPath("runs/1"), "device": torch.device("cpu"),
    "dtype": torch.float32, "history": collections.defaultdict(list, {"loss": [1.0, 0.5]}), "tags": {"x", "y"}, "when": None,
}, OUT + "dwn_state.pt")
expect("dwn_state", model, x, therm, 2.0)

# Whole modules; 22 outputs in 4 groups, so two zeros are added.
x = grid(60, 1, 2, 3)
therm = dwn.GaussianThermometer(3).fit(data(1, 2, 3))
model = torch.nn.Sequential(
    torch.nn.Flatten(), dwn.LUTLayer(18, 24, n=6), dwn.LUTLayer(24, 60, n=1), dwn.LUTLayer(60, 22, n=3, mapping="learnable"),
    dwn.GroupSum(k=4, tau=1 / 0.3)).eval()
torch.save({"model": model, "thermometer": therm}, OUT + "dwn_model.pt")
expect("dwn_model", model, x, therm, 1 / 0.3)

# A permutation before the sum; one row of thresholds for all dimensions; a scaler.
x = grid(60, 3)
mean, scale = torch.tensor([0.5, -1.0, 0.25]), torch.tensor([2.0, 0.5, 4.0])
therm = dwn.Thermometer(4, feature_wise=False).fit(torch.linspace(-1.9, 1.9, 30).reshape(10, 3))
model = torch.nn.Sequential(dwn.LUTLayer(12, 18, n=5), dwn.GroupSum(k=3, randperm=18)).eval()
torch.save({"model": model, "thermometer": {"thresholds": therm.thresholds.expand(3, 4).contiguous()},
            "scaler": {"mean": mean.numpy(), "scale": scale.numpy()}}, OUT + "dwn_scaled.pt")
expect("dwn_scaled", model, (x - mean) / scale, therm)
expected["dwn_scaled"]["obs"] = x.double().tolist()

# A bare state dictionary on bits; a row of thresholds in a file of its own.
x = torch.randint(0, 2, (60, 40)).float()
model = torch.nn.Sequential(dwn.LUTLayer(40, 30, n=3, mapping="arange"), dwn.LUTLayer(30, 20, n=6), dwn.GroupSum(k=10)).eval()
torch.save(model.state_dict(), OUT + "dwn_bits.pt")
expect("dwn_bits", model, x)
x = grid(60, 20)
therm = dwn.Thermometer(2, feature_wise=False).fit(torch.linspace(-3, 3, 16))
torch.save(therm, OUT + "dwn_thresholds.pt")
expect("dwn_shared", model, x, therm)

# DiffLogic: a whole module, and a state dictionary with the connections.
x = torch.randint(0, 2, (60, 18)).float()
model = torch.nn.Sequential(
    torch.nn.Flatten(), difflogic.LogicLayer(18, 40, device="cpu"), difflogic.LogicLayer(40, 48, device="cpu", connections="unique"),
    difflogic.LogicLayer(48, 64, device="cpu"), difflogic.GroupSum(k=4, tau=8.0, device="cpu")).eval()
for layer in model[1:4]:  # every one of the 16 gates
    with torch.no_grad():
        layer.weights[:16] = torch.eye(16) * 9 + torch.rand(16, 16)
torch.save(model, OUT + "logic_model.pt")
indices = [layer.indices for layer in model if hasattr(layer, "indices")]
torch.save({"state_dict": model.state_dict(), "indices": indices}, OUT + "logic_state.pt")
torch.save(model.state_dict(), OUT + "logic_bare.pt")
expect("logic", model, x, tau=8.0)

# A layer between that is none: its effect must not be dropped.
model = torch.nn.Sequential(dwn.LUTLayer(6, 8, n=2), torch.nn.BatchNorm1d(8), dwn.LUTLayer(8, 4, n=2), dwn.GroupSum(2))
torch.save(model.state_dict(), OUT + "dwn_norm.pt")
model = torch.nn.Sequential(dwn.LUTLayer(6, 8, n=2), torch.nn.Tanh(), dwn.LUTLayer(8, 4, n=2), dwn.GroupSum(2))
torch.save(model, OUT + "dwn_tanh.pt")

with open(OUT + "foreign.json", "w") as f:
    json.dump(expected, f)
    f.write("\n")
