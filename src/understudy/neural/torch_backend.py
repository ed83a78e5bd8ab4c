"""torch and transformers for learned models: devices, data types, weights, batches. Nothing uses the network."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from understudy.errors import BadInput, BadParameter, MissingExtra, MissingFile, OutOfMemory
from understudy.wording import number_of

R = TypeVar("R")

_AUTOMATIC = "auto"  # a GPU if there is one


@dataclass(frozen=True)
class Place:
    """Where a model computes, and in which precision."""

    device: str = _AUTOMATIC
    dtype: str = "float32"

    @property
    def torch_dtype(self) -> Any:
        return getattr(torch_of(), self.dtype)

    @property
    def torch_device(self) -> Any:
        """The device, after a check that it can be used: torch itself would fail only at the first batch."""
        torch = torch_of()
        if self.device == _AUTOMATIC:
            return torch.device("cuda" if torch.cuda.is_available() else "cpu")
        try:
            found = torch.device(self.device)
            torch.empty(1, device=found)
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            raise BadParameter(
                f"device '{self.device}' cannot be used: {_first_line(error)} Use 'cpu', or a device of this machine."
            ) from None
        return found


def torch_of() -> Any:
    try:
        import torch
    except ImportError:
        raise MissingExtra.of("learned metrics", "torch", "neural") from None
    return torch


def transformers_of() -> Any:
    torch_of()
    try:
        import transformers
    except ImportError:
        raise MissingExtra.of("learned metrics", "transformers", "neural") from None
    return transformers


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """A context in which torch uses so many threads, if it is there."""
    import importlib.util

    if importlib.util.find_spec("torch") is None:
        yield
        return
    torch = torch_of()
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def backend_versions() -> dict[str, str]:
    """The versions that belong to a signature. Nothing is imported for them, which would take seconds."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in ("torch", "transformers"):
        try:
            found[package] = version(package).partition("+")[0]
        except PackageNotFoundError:
            raise MissingExtra.of("learned metrics", package, "neural") from None
    return found


# --- weights ------------------------------------------------------------------------------------------------


def stored_tensors(path: Path) -> dict[str, Any]:
    """The content of a PyTorch or safetensors file, without running any code that is in it."""
    if path.suffix == ".safetensors":
        try:
            from safetensors import SafetensorError
            from safetensors.torch import load_file
        except ImportError:
            raise MissingExtra.of("learned metrics", "safetensors", "neural") from None
        try:
            return dict(load_file(path))
        except (OSError, SafetensorError) as error:
            raise BadInput(f"'{path}' cannot be read: {_first_line(error)} Bring the model again.") from None
    torch = torch_of()
    try:
        # Mapped into memory, so that a model of 10 GB does not need 20; files of old versions of torch cannot be.
        found = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except FileNotFoundError:
        raise MissingFile(f"'{path}' does not exist, expected the weights of a model.") from None
    except Exception as error:  # torch raises errors of many types for a damaged file
        raise BadInput(
            f"'{path}': not a file of tensors that can be read safely ({_first_line(error)}) Download it again."
        ) from None
    if not isinstance(found, dict):
        raise BadInput(f"'{path}': a {type(found).__name__}, expected named tensors.")
    return found


def stored_weights(paths: Sequence[Path]) -> dict[str, Any]:
    """The tensors of all files of a model."""
    return {name: value for path in paths for name, value in stored_tensors(path).items()}


def empty_module(build: Any) -> Any:
    """A module without memory for its weights, which `filled` brings. `build` makes it."""
    with torch_of().device("meta"):
        return build()


def filled(module: Any, weights: Mapping[str, Any], *, where: Path, place: Place) -> Any:
    """The module with these weights, which must be exactly those it has, ready to compute."""
    _check_names_and_sizes(module.state_dict(), weights, where)
    dtype, device = place.torch_dtype, place.torch_device
    # A tensor under several names stays one.
    converted = {
        id(value): value.to(device, dtype if value.is_floating_point() else value.dtype)
        for value in weights.values()
    }
    module.load_state_dict({name: converted[id(value)] for name, value in weights.items()}, assign=True)
    _fill_buffers(module)
    return module.to(device).eval()


def _check_names_and_sizes(expected: Mapping[str, Any], given: Mapping[str, Any], where: Path) -> None:
    """A weight that is missing would be a random one, and the scores would be wrong without a word."""
    resized = [name for name in expected if name in given and given[name].shape != expected[name].shape]
    for problem, names in (
        ("lacks", [name for name in expected if name not in given]),
        ("has unknown", [name for name in given if name not in expected]),
        ("has other sizes of", resized),
    ):
        if names:
            first, *_ = names
            sizes = (
                f" ({_sizes(given[first])}, expected {_sizes(expected[first])})" if names is resized else ""
            )
            raise BadInput(
                f"'{where}' {problem} {number_of(len(names), 'weight')}, such as '{first}'{sizes}. It is not complete, "
                "or does not belong to this configuration."
            )


def _fill_buffers(module: Any) -> None:
    """The buffers of transformers' encoders that no checkpoint has: positions and token types."""
    torch = torch_of()
    for name, buffer in list(module.named_buffers()):
        if not buffer.is_meta:
            continue
        owner, _, last = name.rpartition(".")
        if last == "position_ids":
            value = torch.arange(buffer.shape[-1]).expand(buffer.shape).clone()
        elif last == "token_type_ids":
            value = torch.zeros(buffer.shape, dtype=torch.long)
        else:
            raise BadInput(
                f"transformers {transformers_of().__version__} has a buffer '{name}' that understudy does not know. "
                "Use another version of transformers."
            )
        module.get_submodule(owner).register_buffer(last, value, persistent=False)


def _sizes(tensor: Any) -> str:
    return " x ".join(map(str, tensor.shape)) or "a number"


# --- batches ------------------------------------------------------------------------------------------------


def in_batches(
    compute: Callable[[list[int]], R], lengths: Sequence[int], *, batch_size: int, device: Any
) -> Iterator[tuple[list[int], R]]:
    """The numbers of rows in each batch, and what `compute` makes of it, without gradients. The longest rows come
    first: what does not fit in memory fails at once.

    On a CPU every row is a batch, computed by one thread, and several are computed in parallel. Padding and the
    division of work between threads change the last digits.
    """
    torch = torch_of()
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    size = 1 if _alone(device) else batch_size
    parts = [order[start : start + size] for start in range(0, len(order), size)]

    def computed(rows: list[int]) -> R:
        with torch.inference_mode():
            return compute(rows)

    with _memory_errors():
        if _alone(device) and (threads := torch.get_num_threads()) > 1:
            with ThreadPoolExecutor(threads, initializer=lambda: torch.set_num_threads(1)) as pool:
                yield from zip(parts, pool.map(computed, parts), strict=True)
        else:
            yield from ((rows, computed(rows)) for rows in parts)


def _alone(device: Any) -> bool:
    return bool(device.type == "cpu")


def padded(rows: Sequence[Sequence[int]], padding: int, device: Any) -> tuple[Any, Any]:
    """Token ids [rows, longest] and their attention mask."""
    torch = torch_of()
    longest = max(map(len, rows))
    ids = [[*row, *[padding] * (longest - len(row))] for row in rows]
    mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


@contextmanager
def _memory_errors() -> Iterator[None]:
    """A context with our error where memory runs out."""
    torch = torch_of()
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        raise OutOfMemory(_first_line(error)) from None
    except RuntimeError as error:
        if "can't allocate memory" not in str(error):  # torch's words for the memory of the machine
            raise
        raise OutOfMemory(_first_line(error)) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:") + "."
