"""The settings that a tuner tries: ranges of options, and a sample of settings from them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uctlab.agents import AGENTS, Agent, make_agent
from uctlab.agents.notation import parse
from uctlab.agents.options import ALIASES
from uctlab.arena.sweep import vary
from uctlab.errors import UsageError
from uctlab.parts.part import Option
from uctlab.seeds import SEED_BITS, derive_seed

Setting = dict[str, float | str]
LOGARITHMIC = 5.0  # a range whose ends differ by this factor or more is sampled by ratios
DIGITS = 3  # of a value that is not whole: more would say more than games can tell
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")
_WAYS = 'a range such as "c=0.3..2" or a choice such as "final=visits|value"'


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`."""

    low: float
    high: float
    whole: bool
    """Whether only whole numbers count."""

    @property
    def logarithmic(self) -> bool:
        return self.low > 0 and self.high >= LOGARITHMIC * self.low

    @property
    def values(self) -> list[float] | None:
        """All of them, if they are whole and few."""
        if not self.whole or self.high - self.low > 100:
            return None
        return [float(n) for n in range(round(self.low), round(self.high) + 1)]

    def at(self, place: float) -> float:
        """The value at a place from 0 (low) to 1 (high)."""
        if self.logarithmic:
            value = self.low * (self.high / self.low) ** place
        else:
            value = self.low + (self.high - self.low) * place
        value = round(value) if self.whole else float(f"{value:.{DIGITS}g}")
        return float(min(max(value, self.low), self.high))

    def __str__(self) -> str:
        kind = ", whole numbers" if self.whole else ""
        kind += ", by ratios" if self.logarithmic else ""
        return f"{self.low:g} to {self.high:g}{kind}"


@dataclass(frozen=True)
class Choice:
    """Some values, numbers or texts."""

    values: list[float | str]

    def at(self, place: float) -> float | str:
        return self.values[min(int(place * len(self.values)), len(self.values) - 1)]

    def __str__(self) -> str:
        return ", ".join(f"{v:g}" if isinstance(v, float) else v for v in self.values)


Values = Range | Choice


def read_space(agent: str | Agent, texts: Sequence[str]) -> dict[str, Values]:
    """The ranges in texts such as "c=0.3..2", "levels=0..3" and "final=visits|value".

    A range whose ends are written without a point has whole numbers only.
    """
    space: dict[str, Values] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"'{text}' is not accepted; accepted: {_WAYS}")
        if name in space:
            raise UsageError(f"{name} is given twice")
        space[name] = _read(agent, name, values)
    if not space:
        raise UsageError(f"nothing to tune: give options as {_WAYS}")
    return space


def _read(agent: str | Agent, name: str, text: str) -> Values:
    option = _option(agent, name)
    found = _RANGE.fullmatch(text)
    if found is None:
        values = [_value(name, option, part.strip()) for part in text.split("|")]
        if len(set(values)) < 2:
            raise UsageError(f"{name}={text} leaves nothing to tune; accepted: {_WAYS}")
        return Choice(values)
    if option.choices:
        raise UsageError(f"{name} is no number; give its values as {name}=one|another")
    low, high = (float(end) for end in found.groups())
    for end in (low, high):
        if not option.low <= end <= option.high:
            raise UsageError(
                f"{name}={end:g} is not accepted; accepted: {option.low:g} to {option.high:g}"
            )
    if low >= high:
        raise UsageError(f"{name}={text} is no range; its first number must be the smaller one")
    return Range(low, high, whole=all(re.fullmatch(r"[+-]?\d+", end) for end in found.groups()))


def _option(agent: str | Agent, name: str) -> Option:
    kind = parse(str(agent).partition("*")[0])[0]
    options = AGENTS[kind].options
    name = ALIASES.get(name, name)
    if name not in options:
        raise UsageError(f"{kind} has no option {name}; it has {', '.join(options)}")
    return options[name]


def _value(name: str, option: Option, text: str) -> float | str:
    if option.choices:
        if text not in option.choices and option.choices != ("",):
            known = ", ".join(option.choices)
            raise UsageError(f"{name}={text} is not accepted; accepted: {known}")
        return text
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"{name}: '{text}' is no number; accepted: {_WAYS}") from None
    if not option.low <= value <= option.high:
        raise UsageError(
            f"{name}={text} is not accepted; accepted: {option.low:g} to {option.high:g}"
        )
    return value


def sample(
    agent: str | Agent, space: Mapping[str, Values], count: int, seed: int
) -> list[tuple[Setting, Agent]]:
    """Up to `count` different settings and their agents: the agent as it is, then others.

    All combinations are taken if there are no more than that. Otherwise they are spread evenly
    over the ranges: multiples of irrational numbers, from a place that depends on the seed.
    """
    found: dict[str, tuple[Setting, Agent]] = {}
    as_it_is = _unchanged(agent)
    if as_it_is is not None:
        found[as_it_is.name] = {}, as_it_is
    for setting in _settings(space, count, derive_seed("tune", str(agent), seed)):
        if len(found) == count:
            break
        made = vary(agent, setting)
        found.setdefault(made.name, (setting, made))
    return list(found.values())


def _unchanged(agent: str | Agent) -> Agent | None:
    """None where a text is no agent yet, such as auct without its k."""
    if isinstance(agent, Agent):
        return agent
    try:
        return make_agent(agent)
    except UsageError:
        return None


def _settings(space: Mapping[str, Values], count: int, seed: int) -> list[Setting]:
    lists = [values.values for values in space.values()]
    few = [values for values in lists if values is not None]
    if len(few) == len(lists) and math.prod(map(len, few)) <= count:
        return [dict(zip(space, row, strict=True)) for row in itertools.product(*few)]
    # Irrational steps that fill a cube of d options evenly: powers of the root of x^(d+1) = x + 1.
    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (len(space) + 1))
    rows = []
    for number in range(20 * count):
        setting = {}
        for place, (name, values) in enumerate(space.items(), 1):
            begin = derive_seed(seed, name) / 2**SEED_BITS
            setting[name] = values.at((begin + (number + 1) * root**-place) % 1.0)
        rows.append(setting)
    return rows
