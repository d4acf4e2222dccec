"""Decay: how fast Accelerated and Discounted UCT forget, by k or by lambda itself."""

from __future__ import annotations

import math
from dataclasses import replace

from uctlab.errors import UsageError
from uctlab.parts.part import Option, Part, Values

READ = frozenset({"lam", "forget", "log_lam", "growth", "horizon"})
AUTO = "auto"
REPLACED = "backup= replaces what {kind} does with it; write uct with backup= instead"
INSTEAD = "{kind} is its backup operator, so write uct with backup= and without {name}="

K = Option(
    None,
    "decay lambda = 1 - 0.1**k; inf: no decay",
    low=0,
    for_kernels=False,
    sets_numbers=True,
    title="Decay k",
    reads=READ | {"mass"},
    unread=REPLACED,
    instead=INSTEAD,
)
LAM = Option(
    None,
    "the decay lambda itself, instead of k",
    low=0,
    high=1,
    title="Decay lambda",
    reads=READ,
    unread=REPLACED,
    instead=INSTEAD,
)
K_OR_AUTO = replace(K, about=f"{K.about}; with auto each node finds its own", words=(AUTO,))


def _auto(values: Values) -> bool:
    return bool(values["k"] == AUTO)


def _numbers(kind: str, values: Values) -> dict[str, float]:
    """lambda, and 1 - lambda without the rounding error of a subtraction."""
    k, lam = values["k"], values["lam"]
    if _auto(values):
        if lam is not None:
            raise UsageError(f"{kind}: k=auto finds lambda itself; leave out lam=")
        return {}
    if (k is None) == (lam is None):
        raise UsageError(f"{kind} needs one of k= and lam=, as in {kind}(k=3) or {kind}(lam=0.999)")
    forget = 0.1**k if k is not None else 1.0 - lam
    if not 0 <= forget < 1:
        raise UsageError(f"{kind}: the decay lambda must be more than 0 and at most 1")
    return {
        "lam": 1.0 - forget,
        "forget": forget,
        "log_lam": math.log1p(-forget),
        "growth": 1.0 / (1.0 - forget),
        "horizon": 1.0 / forget if forget > 0 else math.inf,
    }


PART = Part(
    "decay",
    "Lets older results count less.",
    options={"k": K, "lam": LAM},
    chosen=lambda values: "lam" in values,
    example="duct(k=2)",
    groups=("decay",),
    rules=lambda values: {"backup": "uctlab.rules.backup.automatic"} if _auto(values) else {},
    numbers=_numbers,
    computed={"lam": 1.0, "forget": 0.0, "log_lam": 0.0, "growth": 1.0, "horizon": math.inf},
    spoils_scores=lambda setting: False,
)
