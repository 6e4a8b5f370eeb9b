#!/usr/bin/env python3
"""Writes the checkpoints of this folder with PyTorch itself, and beside each a
JSON file of what PyTorch makes of it: the oracle of the import tests.

The modules have the parameter names and shapes that the training scripts'
state dictionaries have. The forward pass is written out with PyTorch's own
operations, so it shares nothing with the Go code.

Made with PyTorch 1.13.1 and numpy 1.24.2 (Debian 12's python3-torch) and
safetensors 0.8; run as: make_fixtures.py OUTDIR
"""
import json
import math
import sys
from collections import OrderedDict

import numpy as np
import torch
from safetensors.torch import save_file

OUT = sys.argv[1] + "/"


class LearnableMapping(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = torch.nn.Parameter(torch.rand(inputs, outputs))


class LUTLayer(torch.nn.Module):
    """Its private dummy mapping gets the mangled name _LUTLayer__dummy_mapping."""

    def __init__(self, inputs, luts, n, learnable):
        super().__init__()
        self.luts = torch.nn.Parameter(torch.rand(luts, 2**n) * 2 - 1)
        self.n = n
        if learnable:
            self.mapping = LearnableMapping(inputs, luts * n)
            self.__dummy_mapping = torch.nn.Parameter(
                torch.arange(luts * n, dtype=torch.int32).reshape(luts, n), requires_grad=False)
        else:
            self.register_buffer("mapping", torch.randint(0, inputs, (luts, n), dtype=torch.int32))

    def pins(self):
        m = self.mapping
        if isinstance(m, LearnableMapping):
            return m.weights.argmax(dim=0).reshape(-1, self.n)
        return m.long()

    def forward(self, x):
        bits = x[:, self.pins()]
        address = (bits.long() << torch.arange(self.n)).sum(-1)
        table = self.luts > 0
        return torch.stack([table[j, address[:, j]] for j in range(len(table))], 1)


class GroupSum(torch.nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, x):
        return x.reshape(len(x), self.k, -1).sum(-1)


class Head(torch.nn.Module):
    def __init__(self, k, group):
        super().__init__()
        self.log_alpha = torch.nn.Parameter(torch.randn(k) * 0.5)
        self.beta = torch.nn.Parameter(torch.randn(k) * 0.3)
        self.group = group

    def forward(self, counts):
        x = torch.clamp(counts / self.group, 1e-6, 1 - 1e-6)
        return torch.exp(self.log_alpha) * (x - 0.5) + self.beta


class Policy(torch.nn.Module):
    def __init__(self, inputs, widths, ns, learnable, actions):
        super().__init__()
        layers = [torch.nn.Flatten()]
        for width, n, learn in zip(widths, ns, learnable):
            layers.append(LUTLayer(inputs, width, n, learn))
            inputs = width
        layers += [GroupSum(actions), Head(actions, widths[-1] // actions)]
        self.net = torch.nn.Sequential(*layers)


class ObsNorm(torch.nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.register_buffer("mean", torch.randn(dims) * 2)
        self.register_buffer("var", torch.rand(dims) * 3 + 0.01)
        self.register_buffer("count", torch.tensor(1000.0))

    def norm(self, x):
        return torch.clamp((x - self.mean) / torch.sqrt(self.var + 1e-8), -10, 10)


def thresholds(b):
    p = torch.linspace(1, b - 1, b - 1) / b
    p, _ = torch.sort(torch.cat([torch.tensor([0.5]), p]))
    t = torch.distributions.Normal(0.0, 1.0).icdf(p)
    return torch.tensor(10.0) / t.max() * t


def expectation(policy, norm, bits, squash):
    """What the policy does, computed by PyTorch."""
    lut = [m for m in policy.net if isinstance(m, LUTLayer)]
    head = policy.net[-1]
    obs = norm.mean + torch.sqrt(norm.var) * torch.randn(200, len(norm.mean)) * 2
    x = (norm.norm(obs).unsqueeze(-1) > thresholds(bits)).flatten(-2)
    counts = policy.net[:-1](x)
    y = head(counts)
    y = torch.tanh(y) if squash else torch.clamp(y, -1, 1)
    return {
        "bits": bits,
        "mean": norm.mean.double().tolist(),
        "var": norm.var.double().tolist(),
        "pins": [m.pins().tolist() for m in lut],
        "tables": [["".join(str(int(v)) for v in row) for row in (m.luts > 0)] for m in lut],
        "log_alpha": head.log_alpha.double().tolist(),
        "beta": head.beta.double().tolist(),
        "obs": obs.double().tolist(),
        "counts": counts.tolist(),
        "actions": y.double().tolist(),
    }


def write(name, what):
    with open(OUT + name + ".json", "w") as f:
        json.dump(what, f)
        f.write("\n")


def spoil(policy):
    """Ties in the mapping, and table entries on the edge of the comparison."""
    with torch.no_grad():
        for m in policy.net:
            if isinstance(m, LUTLayer):
                m.luts[0, :4] = torch.tensor([0.0, -0.0, 1e-45, -1e-45])
                if isinstance(m.mapping, LearnableMapping):
                    m.mapping.weights[:, 3] = 0.25
                    m.mapping.weights[2::3, 5] = 2.0


def sac():
    norm = ObsNorm(3)
    policy = Policy(3 * 7, [10, 12], [6, 6], [True, True], 2)
    spoil(policy)
    torch.save({"fc_mean": policy.state_dict(), "obs_norm": norm.state_dict()}, OUT + "sac.pth")
    write("sac", expectation(policy, norm, 7, True))
    flat = {"fc_mean." + k: v for k, v in policy.state_dict().items()}
    flat.update({"obs_norm." + k: v for k, v in norm.state_dict().items()})
    save_file(flat, OUT + "sac.safetensors", metadata={"format": "pt"})
    torch.save({"fc_mean": policy.state_dict()}, OUT + "old.pth", _use_new_zipfile_serialization=False)


def ddpg():
    norm = ObsNorm(2)
    policy = Policy(2 * 5, [8, 9], [3, 4], [True, False], 3)
    spoil(policy)
    torch.save({"fc_mean": policy.state_dict(), "obs_norm": norm.state_dict()}, OUT + "ddpg.pth")
    write("ddpg", expectation(policy, norm, 5, True))


def ppo():
    """Four layers, so net.4 is a LUT layer; the agent's state alone."""
    norm = ObsNorm(2)
    agent = torch.nn.Module()
    agent.actor_logstd = torch.nn.Parameter(torch.zeros(1, 2))
    agent.actor_mean = Policy(2 * 3, [6, 7, 5, 8], [2, 3, 2, 5], [True] * 4, 2)
    agent.critic = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    torch.save(agent.state_dict(), OUT + "ppo.cleanrl_model")
    write("ppo", expectation(agent.actor_mean, norm, 3, False))


def views():
    """One layer; views into shared storages, other types, numpy, lists."""
    norm = ObsNorm(2)
    norm.mean, norm.var = norm.mean.half().float(), norm.var.bfloat16().float()
    policy = Policy(2 * 3, [6], [2], [True], 3)
    state = policy.state_dict()
    with torch.no_grad():  # values that all types below hold exactly
        state["net.1.luts"].copy_(state["net.1.luts"].bfloat16())
        state["net.3.log_alpha"].copy_(state["net.3.log_alpha"].half())
    expected = expectation(policy, norm, 3, True)
    weights = state["net.1.mapping.weights"]
    both = torch.cat([weights.t().reshape(-1), torch.full((7,), 99.0)])
    fc = OrderedDict()
    fc["net.1.luts"] = state["net.1.luts"].bfloat16()
    fc["net.1.mapping.weights"] = both[: weights.numel()].reshape(12, 6).t()  # column-major view
    fc["net.3.log_alpha"] = torch.stack([state["net.3.log_alpha"].half(), torch.zeros(3).half()], 1)[:, 0]
    fc["net.3.beta"] = torch.nn.Parameter(state["net.3.beta"].double())
    torch.save({
        "fc_mean": fc,
        "tail": both[-7:],
        "obs_norm": {"mean": np.asarray(norm.mean, dtype=">f4"), "var": [float(v) for v in norm.var],
                     "count": np.float64(12.5)},
        "step": 1000000, "seed": -3, "big": 1 << 40, "lr": 3e-4, "name": "vïews", "done": True, "none": None,
        "fortran": np.asfortranarray(np.arange(6, dtype=np.int64).reshape(2, 3)),
    }, OUT + "views.pth")
    write("views", expected)


def normaliser():
    """For every bit, the largest code at which it is still 0, by float32."""
    cases = []
    for w, b in ((8, 63), (8, 31), (12, 63), (12, 31), (12, 255), (16, 63), (16, 5), (16, 127), (16, 255)):
        norm = ObsNorm(4)
        biggest = (norm.mean.abs() + 4 * norm.var.sqrt()).double()
        q = 1.1 * biggest / (2 ** (w - 1) - 1)
        codes = torch.arange(-(2 ** (w - 1)), 2 ** (w - 1), dtype=torch.float64)
        x = (codes.unsqueeze(1) * q).float()
        bits = norm.norm(x).unsqueeze(-1) > thresholds(b)
        last = bits.logical_not().sum(0) - 1 + int(codes[0])  # bits rise once with the code
        assert bool((bits[1:] >= bits[:-1]).all())
        cases.append({"sensor_bits": w, "bits": b, "mean": norm.mean.double().tolist(), "var": norm.var.double().tolist(),
                      "max": biggest.tolist(), "last_zero": last.tolist()})
    write("normaliser", cases)


torch.manual_seed(20251201)
with torch.no_grad():
    sac()
    ddpg()
    ppo()
    views()
    normaliser()
