"""torchmetrics: its own machinery around the sums of a metric."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import pytest

from material.example_rows import CHINESE, METRICS, OUTPUT, PAIRS, corpus
from material.optional import ImportedWhenUsed, needs_packages
from understudy import metric
from understudy.compat import torchmetrics as of_torchmetrics
from understudy.errors import BadParameter, NoSegments, NoTokenizerChosen

torch = ImportedWhenUsed("torch")
torchmetrics = ImportedWhenUsed("torchmetrics")

pytestmark = [
    needs_packages("torch", "torchmetrics"),
    pytest.mark.xdist_group("torch"),
    pytest.mark.filterwarnings("ignore:The ``compute`` method of metric:UserWarning"),
]

WEAK = OUTPUT["weak"]


def CorpusScore(*arguments, **options):  # noqa: N802
    return of_torchmetrics.CorpusScore(*arguments, **options)


@pytest.mark.parametrize("spec", METRICS)
def test_batches_add_up_to_the_corpus_score(spec):
    score = CorpusScore(spec)
    of_batches = [score(WEAK[start : start + 25], PAIRS[start : start + 25]).item() for start in (0, 25, 50)]
    assert of_batches[0] == metric(spec).corpus(WEAK[:25], PAIRS[:25]).value
    assert score.compute().item() == corpus(spec, "weak")
    assert score.sums.dtype == torch.int64
    assert score.higher_is_better is (spec != "ter")
    assert str(score.score().signature) == str(metric(spec).corpus(WEAK, PAIRS).signature)
    score.reset()
    score.update([], [])  # an empty batch adds nothing
    with pytest.raises(NoSegments):
        score.compute()
    score.update(WEAK[:1], [PAIRS[0][0]])
    assert score.compute().item() == metric(spec).corpus(WEAK[:1], [PAIRS[0][0]]).value


def test_sums_keep_their_type():
    """In float16, sums of counts would be infinite, and TER 100."""
    score = CorpusScore("ter")
    score.update(WEAK, PAIRS)
    torchmetrics.MetricCollection({"ter": score}).set_dtype(torch.float16)
    assert score.set_dtype(torch.float16).half().compute().item() == corpus("ter", "weak")
    assert score.sums.dtype == torch.int64


def _one_process(rank: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    scores = {spec: CorpusScore(spec) for spec in METRICS}
    for start in range(7 * rank, 60, 14):  # batches of 7, in turns; the last has 4
        for score in scores.values():
            score.update(WEAK[start : start + 7], PAIRS[start : start + 7])
    found = {spec: score.compute().item() for spec, score in scores.items()}
    Path(folder, f"{rank}.txt").write_text(repr(found), encoding="utf-8")
    torch.distributed.destroy_process_group()


def test_two_processes_have_the_score_of_one():
    with tempfile.TemporaryDirectory() as folder:
        context = torch.multiprocessing.get_context("spawn")
        processes = [context.Process(target=_one_process, args=(rank, folder)) for rank in range(2)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0, 0]
        expected = repr({spec: corpus(spec, "weak") for spec in METRICS})
        assert [Path(folder, f"{rank}.txt").read_text(encoding="utf-8") for rank in range(2)] == [
            expected
        ] * 2


def test_metrics_of_a_collection_share_no_state():
    """Not even those whose sums of the first batch are equal."""
    specs = {"bleu": "bleu", "intl": "bleu:tokenize=intl"}
    collection = torchmetrics.MetricCollection({name: CorpusScore(spec) for name, spec in specs.items()})
    texts = ["the cat sat on the mat"], ["the cat is on the mat"]
    collection.update(*texts)
    assert collection.compute()["bleu"] == collection.compute()["intl"]
    collection.update(["“a” cat—sat"], ["“a” cat—ran"])
    hypotheses, references = [*texts[0], "“a” cat—sat"], [*texts[1], "“a” cat—ran"]
    for name, spec in specs.items():
        assert collection.compute()[name].item() == metric(spec).corpus(hypotheses, references).value
    assert collection.compute()["bleu"] != collection.compute()["intl"]


def test_copies_states_and_devices():
    score = CorpusScore("bleu")
    score.update(WEAK, PAIRS)
    score.persistent(True)
    loaded = CorpusScore("bleu")
    loaded.persistent(True)
    loaded.load_state_dict(score.state_dict())
    for copy in (pickle.loads(pickle.dumps(score)), score.clone(), loaded, score.to("cpu"), score.half()):
        assert copy.compute().item() == corpus("bleu", "weak")
        assert copy.sums.dtype == torch.int64
    assert score.to("meta").sums.device.type == "meta"


def test_fitted_metrics():
    nist = metric("nist").fit(PAIRS)
    score = CorpusScore(nist)
    score.update(WEAK, PAIRS)
    assert score.compute().item() == nist.corpus(WEAK, PAIRS).value
    with pytest.raises(BadParameter, match="must see all references"):
        CorpusScore("nist")


def test_refusals():
    with pytest.raises(NoTokenizerChosen):
        CorpusScore("bleu").update(CHINESE["hyp"], CHINESE["ref1"])
    CorpusScore("bleu", lang="zh").update(CHINESE["hyp"], CHINESE["ref1"])
    with pytest.raises(ValueError, match=r"different numbers|have 1"):
        CorpusScore("bleu").update(["a", "b"], ["a"])
