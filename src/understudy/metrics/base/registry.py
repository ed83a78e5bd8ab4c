"""The metrics by name, and the one parser of metric specs.

A metric is registered when its class is defined. Metrics of this package are found by their files in the folder
`metrics`, those of other packages by their entry points: see `plug_ins`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import understudy.metrics
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.parameters import parse_settings
from understudy.metrics.base.plug_ins import load_plug_ins
from understudy.settings import check_name

S = TypeVar("S")

PANEL = "all"  # the spec of the default panel

# Metrics that read a model, by parts of the names of models: xcomet-xl, wmt22-cometkiwi-da, unite-mup, bleurt-20, ...
_WITH_MODELS = {"comet": r"comet|^unite\b", "bleurt": "bleurt", "metricx": "metricx"}
# Neural metrics with their own programs, by prefixes and parts of their names: gemba-mqm, ...
_NEURAL = r"bart-?score|mover-?score|gemba|auto-?mqm|^(prism|yisi|matese|esim)\b"


def metric(spec: str | Metric | type[Metric]) -> Metric:
    """The metric of a spec: a name, optionally with a preset and parameters. A class gives the metric with its
    defaults.

    >>> metric("bleu")
    BLEU()
    >>> metric("bleu:tokenize=intl,lowercase=true")
    BLEU(lowercase=True, tokenize='intl')
    >>> metric("bleu:papineni2002,max_order=3").spec
    'bleu:lowercase=true,max_order=3,smooth=none'
    >>> metric("chrf++:lowercase=true")
    CHRF(word_order=2, lowercase=True)
    """
    if isinstance(spec, Metric):
        return spec
    if isinstance(spec, type) and issubclass(spec, Metric):
        return spec()
    if not isinstance(spec, str):
        raise BadParameter(f"metrics: got {spec!r}, expected a metric or its spec, such as 'bleu'.")
    metric_class, preset, settings = _parsed(spec)
    try:
        made = metric_class(**settings)
        return made.as_preset(preset) if preset else made
    except BadParameter as error:
        raise _in_spec(spec, error) from None


def settings_of(spec: str) -> tuple[type[Metric], dict[str, Any]]:
    """The class of a spec, and all parameters it sets, directly or through a preset.

    >>> settings_of("bleu:multi-bleu,max_order=2")[1]
    {'tokenize': 'ascii-spaces', 'smooth': 'none', 'max_order': 2}
    """
    metric_class, _, settings = _parsed(spec)
    return metric_class, settings


def _parsed(spec: str) -> tuple[type[Metric], str | None, dict[str, Any]]:
    """The class, the preset if any, and all parameters set."""
    name, _, settings_text = spec.partition(":")
    name = name.strip().lower()
    metric_class = _metric_class_named(name)
    try:
        settings = parse_settings(metric_class, settings_text)
        preset = settings.pop("preset", None)
        if name in metric_class.aliases:
            if preset is not None:
                raise BadParameter(
                    f"'{name}' is already a preset of {metric_class.name}; it cannot be combined with the preset "
                    f"'{preset}'. Use one of them."
                )
            preset = metric_class.aliases[name]
        return metric_class, preset, {**(metric_class.preset_settings(preset) if preset else {}), **settings}
    except BadParameter as error:
        raise _in_spec(spec, error) from None


def _in_spec(spec: str, error: BadParameter) -> BadParameter:
    return BadParameter(f"{spec.partition(':')[0]}: {error}")


def other_spec(one: Metric, against: str | Metric) -> Metric:
    """The metric of a spec, a preset or parameters, relative to another metric of the same name.

    >>> other_spec(metric("bleu"), "mteval-v13a").spec, other_spec(metric("bleu"), "tokenize=intl").spec
    ('bleu:mteval-v13a', 'bleu:tokenize=intl')
    """
    if not isinstance(against, Metric):
        check_name("against", against)
    found = against if isinstance(against, Metric) else metric(spec_beside(one, against))
    if found.name != one.name:
        raise BadParameter(
            f"'{one.spec}' and '{found.spec}' are different metrics, expected two specs of the same metric. For both "
            f"scores, use: understudy score -m {one.spec} -m {found.spec}"
        )
    return found


def spec_beside(one: Metric, against: str) -> str:
    """The complete spec of a spec, a preset or parameters, relative to a metric.

    >>> spec_beside(metric("bleu:multi-bleu"), "tokenize=13a")
    'bleu:tokenize=13a'
    """
    if against.strip() in one.presets or "=" in against.partition(":")[0]:
        return f"{one.name}:{against.strip()}"
    if ":" not in against and against.strip().lower() not in names():
        raise BadParameter(f"unknown spec or preset '{against}' of {one.name}. {one.presets_hint(against)}")
    return against


def _metric_class_named(name: str) -> type[Metric]:
    """The class of that name or alias. Loads as few modules as possible."""
    if name == PANEL:
        raise BadParameter(
            f"'{PANEL}' is the default panel; expected a single metric, e.g. one of {', '.join(panel())}."
        )
    steps: list[Callable[[], None]] = [lambda: _load_file(name), load_files, load_plug_ins]
    for load in steps:
        load()
        if found := _every_name().get(name):
            return found
    for known, models in _WITH_MODELS.items():
        if re.search(models, name):
            raise BadParameter(
                f"'{name}' is a model, not a metric. Use {known}:model={name} if it is on this machine (see understudy "
                f"models), or {known}:model=FOLDER."
            )
    if re.search(_NEURAL, name):
        raise BadParameter(
            f"'{name}' is a neural metric, which is not built in. Compute segment scores with its own program and "
            "use understudy compare --scores FILE or understudy trust --scores FILE. FILE is TSV or CSV with "
            f"columns system, seg and {name}."
        )
    raise BadParameter(f"unknown metric '{name}'. {did_you_mean(name, _metrics_first())}")


def panel() -> list[str]:
    """The specs of the default panel, `all`."""
    return [
        spec for _, spec in sorted(known.panel for known in metrics().values() if known.panel is not None)
    ]


def with_panel(specs: Iterable[S | str]) -> list[S | str]:
    """The specs, with `all` replaced by the default panel."""
    found: list[S | str] = []
    for spec in specs:
        found += panel() if isinstance(spec, str) and spec.strip().lower() == PANEL else [spec]
    return found


def metrics() -> dict[str, type[Metric]]:
    """All metrics, by name."""
    load_files()
    load_plug_ins()
    return dict(sorted(METRICS_BY_NAME.items()))


def names() -> dict[str, type[Metric]]:
    """All names that a spec can start with, including aliases, and their classes."""
    metrics()
    return dict(sorted(_every_name().items()))


def _every_name() -> dict[str, type[Metric]]:
    aliases = {
        alias: metric_class for metric_class in METRICS_BY_NAME.values() for alias in metric_class.aliases
    }
    return {**aliases, **METRICS_BY_NAME}


def _metrics_first() -> list[str]:
    """All names, for error messages: metrics, then aliases."""
    return sorted(_every_name(), key=lambda name: (name not in METRICS_BY_NAME, name))


def _load_file(name: str) -> None:
    file = name.replace("-", "_")
    if name in METRICS_BY_NAME or not file.isidentifier():
        return
    module = f"understudy.metrics.{file}"
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise


def load_files() -> None:
    """Register all metrics of this package."""
    for file in _files():
        importlib.import_module(f"understudy.metrics.{file}")


def _files() -> list[str]:
    import pkgutil

    return [module.name for module in pkgutil.iter_modules(understudy.metrics.__path__) if not module.ispkg]
