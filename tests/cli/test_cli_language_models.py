"""Language models on the command line: the server, limits, the key, and what is printed about calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from material.faulty_models import FaultyModel
from understudy.language_models.prompt import prompt_text

pytestmark = pytest.mark.usefixtures("examples")
TEXTS = ["system-strong.en", "-r", "reference-1.en", "--source", "source.de"]
JUDGE = ["-m", "llm-judge:model=m"]
SEGMENTS = 60


@pytest.fixture
def server():
    server = FaultyModel()
    with server.running():
        yield server


@pytest.fixture
def asked(server: FaultyModel, tmp_path: Path) -> list[str]:
    return ["--endpoint", server.url, "--replies", str(tmp_path / "replies.sqlite3")]


def test_scores_with_an_estimate_before_and_a_tally_after(run, asked: list[str]) -> None:
    done = run("score", *TEXTS, *JUDGE, "--lang", "de-en", *asked)
    assert done.exit_code == 0, done.stderr
    assert "LLM judge (m) ↑" in done.stdout
    before, after = done.stderr.splitlines()
    assert before.startswith("understudy: m: 60 calls to make, 0 replies stored; about ")
    assert before.endswith("; cost unknown (no prices given); time unknown")
    assert after.startswith("understudy: 60 calls made, ")
    assert after.endswith("; 60 replies read, all valid")
    again = run("score", *TEXTS, *JUDGE, "--lang", "de-en", *asked)
    assert (again.stdout, again.stderr) == (done.stdout, "")


def test_quiet(run, asked: list[str]) -> None:
    done = run("score", *TEXTS, *JUDGE, *asked, "--quiet")
    assert (done.stdout, done.stderr) == ("78.40\n", "")


def test_limits_in_a_pipe(run, server: FaultyModel, asked: list[str]) -> None:
    prices = ["--price-in", "10", "--price-out", "20"]
    done = run("score", *TEXTS, *JUDGE, *asked, "--max-calls", "59", *prices)
    assert done.exit_code == 2
    assert done.stderr.startswith("understudy: error: m: 60 calls to make, 0 replies stored; about ")
    assert "; cost about 0.2; " in done.stderr
    assert done.stderr.endswith(
        "That is above --max-calls 59; nothing was asked. Use --yes, or a higher limit.\n"
    )
    done = run("score", *TEXTS, *JUDGE, *asked, "--max-cost", "0.1", *prices)
    assert done.exit_code == 2
    assert "--max-cost 0.1" in done.stderr
    assert server.log == []
    done = run("score", *TEXTS, *JUDGE, *asked, "--max-calls", "59", "--yes")
    assert done.exit_code == 0, done.stderr
    assert len(server.log) == SEGMENTS


def test_the_key_is_read_from_the_variable_and_shown_nowhere(
    run, server: FaultyModel, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "very-secret")
    done = run("score", *TEXTS, *JUDGE, *asked, "--api-key-env", "MY_KEY", "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer very-secret"}
    server.rejects = lambda _: "the key very-secret is not valid"
    failed = run("score", *TEXTS, "-m", "llm-judge:model=n", *asked, "--api-key-env", "MY_KEY")
    assert failed.exit_code == 2
    assert "the key [key] is not valid" in failed.stderr
    assert "very-secret" not in done.output + failed.output
    missing = run("score", *TEXTS, *JUDGE, *asked, "--api-key-env", "NO_SUCH_KEY")
    assert missing.exit_code == 2
    assert "--api-key-env NO_SUCH_KEY: there is no such environment variable" in missing.stderr
    mistaken = run("score", *TEXTS, *JUDGE, *asked, "--api-key-env", "sk-very-secret")
    assert mistaken.exit_code == 2
    assert "not the key" in mistaken.stderr
    assert "very-secret" not in mistaken.output


def test_invalid_replies_are_counted_and_unscored_segments_an_error(
    run, server: FaultyModel, asked: list[str]
) -> None:
    hypotheses = Path("system-strong.en").read_text(encoding="utf-8").splitlines()
    server.faults = {hypotheses[3]: ["prose"], hypotheses[5]: ["refusal"] * 9}
    done = run("score", *TEXTS, *JUDGE, *asked)
    assert done.exit_code == 2
    assert "60 replies read" not in done.stderr
    assert "63 replies read, 4 not valid: no JSON in the reply 1, refusal 3" in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "understudy: error: llm-judge:model=m: 1 item of 60 without a valid answer (refusal 1). All others are "
        "answered and stored. Use tries=6 to ask again, or unscored=worst for the score 0."
    )
    done = run("score", *TEXTS, "-m", "llm-judge:model=m,unscored=worst", *asked)
    assert done.exit_code == 0
    assert "unscored:worst" in done.stdout
    assert server.asked.total() == 63


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["score", *TEXTS[:3], "--endpoint", "http://h/v1"],
            "--endpoint has no effect: add -m llm-judge:model=NAME",
        ),
        (["score", *TEXTS[:3], "--yes", "--parallel", "2"], "--parallel and --yes have no effect"),
        (["score", *TEXTS, "-m", "llm-judge"], "llm-judge: no model given. Use llm-judge:model=NAME"),
        (["score", *TEXTS, *JUDGE, "--replies", "none/r"], "No server is given: use --endpoint URL"),
        (["score", *TEXTS, *JUDGE, "--endpoint", "h"], "endpoint 'h': expected an address such as"),
        (
            ["score", *TEXTS[:3], *JUDGE],
            "reads the source text, but none is given. Add it with --source FILE",
        ),
        (["score", *TEXTS, *JUDGE, "--max-cost", "1"], "Add --price-in and --price-out"),
        (["judge", "ask", "system-strong.en", "--model", "m", "--to", "x.tsv"], "Add --source or -r"),
    ],
)
def test_what_cannot_be_asked(run, arguments: list[str], said: str, tmp_path: Path) -> None:
    given = [str(tmp_path / "none") if argument == "none/r" else argument for argument in arguments]
    done = run(*given)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("verb", ["compare", "trust", "decide", "probe"])
def test_every_verb_asks(run, server: FaultyModel, asked: list[str], verb: str) -> None:
    arguments = {
        "compare": ["system-strong.en", "system-weak.en", *TEXTS[1:], "--samples", "20"],
        "trust": [
            "system-*.en",
            *TEXTS[1:],
            "--human",
            "judgments.tsv",
            "--measure",
            "adequacy",
            "--samples",
            "20",
        ],
        "decide": ["nbest.txt", "--method", "qe", "--source", "source.de"],
        "probe": [*TEXTS, "--what", "perturbations", "--perturbation", "prompt-injection", "--samples", "20"],
    }[verb]
    if verb == "trust":
        arguments = [*sorted(path.name for path in Path().glob("system-*.en")), *arguments[1:]]
    judge = ["-m", "llm-judge:model=m,inputs=source"] if verb == "decide" else JUDGE
    done = run(verb, *arguments, *judge, *asked)
    assert done.exit_code == 0, done.stderr
    assert server.asked.total() >= SEGMENTS or verb == "decide"
    assert ("; other calls may follow" in done.stderr) == (verb in ("decide", "probe"))
    assert set(server.asked.values()) <= {1, 2}  # the same translation of two segments
    again = run(verb, *arguments, *judge, *asked)
    assert again.stdout == done.stdout
    assert "calls made" not in again.stderr


# --- judge ask ---------------------------------------------------------------------------------------------------


def test_ask_writes_what_results_reads(run, asked: list[str], tmp_path: Path) -> None:
    systems = ["system-strong.en", "system-weak.en"]
    for prompt, column in (("score", "score"), ("spans", "severity"), ("pairs", "rank")):
        file = str(tmp_path / f"{prompt}.tsv")
        options = [*TEXTS[1:], "--model", "m", "--prompt", prompt, "--to", file]
        done = run("judge", "ask", *systems, *options, *asked)
        assert done.exit_code == 0, done.stderr
        assert f"understudy: written: {file}" in done.stderr
        assert column in Path(file).read_text(encoding="utf-8").splitlines()[0].split("\t")
        assert run("judge", "results", file).exit_code == 0
    assert "Same preference in both orders: " in done.stderr


def test_ask_shows_its_prompts(run, asked: list[str], tmp_path: Path) -> None:
    done = run("judge", "ask", "--show-prompt", "score")
    assert done.stdout == prompt_text("score")
    mine = tmp_path / "mine.toml"
    mine.write_text(done.stdout.replace('name = "score"', 'name = "mine"'), encoding="utf-8")
    done = run("score", *TEXTS, "-m", f"llm-judge:model=m,prompt={mine}", *asked)
    assert "prompt:mine#3cc6b766" in done.stdout


@pytest.mark.parametrize("options", [JUDGE, ["-m", "bleu", "--grid", "llm-judge:model=m,seed=0|1"]])
def test_agreement_with_human_scores(run, asked: list[str], options: list[str]) -> None:
    systems = ["system-strong.en", "system-medium.en", "system-rulebased.en", "system-weak.en"]
    people = ["--human", "judgments.tsv", "--measure", "adequacy", "--level", "segment", "--samples", "20"]
    texts = ["-r", "reference-1.en", "--source", "source.de"]
    done = run("trust", *systems, *people, *texts, *options, *asked)
    assert done.exit_code == 0, done.stderr
    assert "llm-judge:model=m,seed=1" in done.stdout or "LLM judge (m)" in done.stdout
    again = run("trust", *systems, *people, *texts, *options, *asked)
    assert (again.stdout, again.stderr) == (done.stdout, "")


def test_limits_are_of_all_models_together(run, server: FaultyModel, asked: list[str]) -> None:
    done = run("score", *TEXTS, *JUDGE, "-m", "llm-judge:model=n", *asked, "--max-calls", "100")
    assert done.exit_code == 2
    assert (
        "With 60 calls planned before, that is above --max-calls 100; none of these was made." in done.stderr
    )
    assert len(server.log) == SEGMENTS
