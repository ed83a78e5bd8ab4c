"""The results of `probe` in every format."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from material.probes import HYPOTHESES, blind_spot, made_up, permutations, variants
from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.results import Estimate, Perturbations
from understudy.report.probe_examples import pieces, variant_examples
from understudy.report.probe_prose import findings
from understudy.report.probe_response_tables import blind_spots_grid, ranked_errors
from understudy.report.probe_sheets import as_data, as_sheets
from understudy.report.probe_tables import render
from understudy.report.terminal import display_width

PARTS = ("permutations", "variants", "perturbations", "search")


def lines_of(**parts: Any) -> list[str]:
    return [finding.line for finding in findings(made_up(**parts))]


# --- the terminal ------------------------------------------------------------------------------------------


def test_findings_come_first_one_line_each() -> None:
    lines = render(made_up()).splitlines()
    assert lines[0] == "Probe of system-medium.en: 4 segments. BLEU 21.60, chrF 63.58, TER 45.83."
    shown = lines[2 : lines.index("Permutations")]
    assert [line.removeprefix("- ") for line in shown if line] == lines_of()


def test_nothing_is_wider_than_a_hundred_columns() -> None:
    assert max(map(display_width, render(made_up()).splitlines())) <= 100


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_was_not_requested_is_not_shown(part: str) -> None:
    found = made_up(**{part: None})
    assert all(finding.part != part for finding in findings(found))
    assert part not in as_data(found)
    assert render(found).count("\n") < render(made_up()).count("\n")


def test_verdicts_are_explained_by_the_numbers_beside_them() -> None:
    found = made_up()
    assert found.perturbations is not None
    of_corpus = replace(found, plan=replace(found.plan, level="corpus"))
    for probe, cell, threshold in (
        (found, "% (", "the CI is not above 55%"),
        (of_corpus, " to ", "the CI is not above 0;"),
    ):
        grid = blind_spots_grid(probe, found.perturbations)
        assert all(
            (cell in value) == (place > 1)
            for place, column in enumerate(grid.columns)
            for value in column.cells
        )
        assert any(threshold in note for note in grid.notes)
    reasons = [each.reason for each in findings(of_corpus) if "blind" in each.line]
    assert all("in the corpus score of 20 segments" in reason for reason in reasons)


def test_the_scatter_has_every_segment() -> None:
    plot = render(made_up()).partition("10^5 |")[2].partition("+---")[0]
    assert (plot.count("."), plot.count("+"), plot.count("#")) == (4, 0, 0)


def test_permutations_are_written_in_full_or_as_a_power_of_ten() -> None:
    text = render(made_up(permutations=permutations(((8, 0), (40, 3)))))
    assert "40,320" in text
    assert "1.4 × 10^43" in text
    assert math.factorial(37) == pytest.approx(1.4e43, rel=0.02)


def test_permutations_with_more_digits_than_python_writes() -> None:
    """An integer of more than 4,300 digits cannot be converted to text."""
    found = made_up(permutations=permutations(((9000, 2),)))
    for format in ("table", "json", "tsv", "markdown", "latex"):
        assert render(found, format)
    assert as_data(found)["permutations"]["segments"][0]["permutations"] is None


def test_the_table_of_errors_ends_before_it_is_too_long() -> None:
    of = made_up().perturbations
    assert of is not None
    many = Perturbations(
        of.facts, of.responses, tuple(blind_spot(f"e{n:02}", 0.3, 0, None) for n in range(20)), (), {}
    )
    grid = blind_spots_grid(made_up(), many, most=15)
    assert grid.rows == 15
    assert grid.notes[0] == "15 of 20 errors shown, the least noticed first."
    assert grid.columns[-1].cells == ["–"] * 15  # the third metric has none of them


def test_errors_are_at_the_highest_strength_to_which_a_metric_is_blind() -> None:
    of = made_up().perturbations
    assert of is not None
    spots = (
        blind_spot("drop-words", 0.3, 0, 0.1),
        blind_spot("drop-words", 0.4, 0, 0.25),
        blind_spot("drop-words", 0.9, 0, 0.5),
        blind_spot("add-words", 0.9, 0, 0.1),
        blind_spot("add-words", 0.95, 0, 0.5),
    )
    ranked = ranked_errors(Perturbations(of.facts, of.responses, spots, (), {}))
    assert ranked == [("drop-words", 0.25), ("add-words", 0.1)]


def test_the_rule_of_the_verdict_is_below_the_table() -> None:
    found = made_up()
    assert found.perturbations is not None
    assert "▼ blind spot: the CI is not above 55%; ≈ undecided" in " ".join(
        blind_spots_grid(found, found.perturbations).notes
    )
    by_corpus = replace(found, plan=replace(found.plan, level="corpus"))
    assert "▼ blind spot: the CI is not above 0; ≈ undecided" in " ".join(
        blind_spots_grid(by_corpus, found.perturbations).notes
    )


def test_an_unknown_language_is_one_reason() -> None:
    found = made_up()
    assert found.perturbations is not None
    _, left_out = catalog(None)
    grid = blind_spots_grid(found, replace(found.perturbations, left_out=left_out))
    assert " ".join(grid.notes).count("--lang on the command line") == 1


def test_what_was_not_counted_is_explained() -> None:
    text = " ".join(render(made_up()).split())
    assert "distinct: different sentences among them (–: too many to count)." in text


# --- findings ----------------------------------------------------------------------------------------------


def test_a_finding_names_the_metric_that_notices() -> None:
    blind = next(each for each in findings(made_up()) if each.line.startswith("BLEU is blind"))
    assert blind.line == "BLEU is blind to 2 of 4 errors: change-numbers (25%), flip-negation."
    assert blind.instead.startswith(
        "chrF notices 1 of them here (flip-negation); TER notices all of them here. In general: a separate check of "
        "numbers and names against the source, or MQM annotation (for change-numbers); learned metrics"
    )
    assert [example.title for example in blind.examples] == [
        "change-numbers 25%, segment 2",
        "flip-negation, segment 2",
    ]


def test_other_metrics_that_notice_only_some_of_the_errors_are_named_with_them() -> None:
    of = made_up().perturbations
    assert of is not None
    spots = (
        blind_spot("drop-words", 0.3, 0, 0.1),
        blind_spot("drop-words", 0.3, 0, 0.25),
        blind_spot("add-words", 0.3, 0, 0.1),
        blind_spot("drop-words", 0.9, 1, 0.1),  # noticed, but not the strength that the finding is about
        blind_spot("drop-words", 0.5, 1, 0.25),
        blind_spot("add-words", 0.9, 1, 0.1),
    )
    (blind, *_) = [
        each
        for each in findings(made_up(perturbations=replace(of, blind_spots=spots)))
        if each.part == "perturbations"
    ]
    assert blind.line == "BLEU is blind to 2 of 2 errors: drop-words (25%), add-words (10%)."
    assert blind.reason.startswith("drop-words 25% costs more than harmless changes")
    assert blind.instead.startswith(
        "chrF notices 1 of them here (add-words 10%). In general: metrics with recall"
    )
    unnoticed = replace(of, blind_spots=tuple(spot for spot in spots if spot.verdict == "blind"))
    (blind, *_) = [
        each for each in findings(made_up(perturbations=unnoticed)) if each.part == "perturbations"
    ]
    assert blind.instead.startswith("None of the other metrics here notices any of them.")


def test_what_an_error_costs_less_is_no_negative_number() -> None:
    blind = next(each for each in findings(made_up()) if each.line.startswith("BLEU is blind"))
    assert "BLEU less than they do." in blind.reason
    assert " -" not in blind.reason


@pytest.mark.parametrize("parts", [{"specs": ("bleu",)}, {"variants": None}])
def test_nothing_is_said_of_other_metrics_that_scored_nothing(parts: dict[str, Any]) -> None:
    first = findings(made_up(**parts))[0]
    assert first.instead.startswith("Use metrics that penalize word order")
    for each in findings(made_up(specs=("bleu",))):
        assert "other metrics here" not in each.instead


def test_false_alarms_of_typography_are_not_remedied_by_synonyms() -> None:
    of = made_up().perturbations
    assert of is not None
    facts = tuple(replace(each, group="typography") if each.harmless else each for each in of.facts)
    worse = Estimate(0.9, None)
    responses = tuple(replace(each, worse=worse, changed=20) for each in of.responses)
    changed = replace(of, facts=facts, responses=responses)
    alarms = [each for each in findings(made_up(perturbations=changed)) if "alarm" in each.line]
    assert alarms
    assert all(each.instead.startswith("Write quotation marks, full stops") for each in alarms)


def test_blocks_end_with_their_own_full_stop() -> None:
    assert ".." not in findings(made_up())[0].reason


def test_a_search_names_metrics_by_their_labels() -> None:
    (worst, *_) = [each for each in findings(made_up()) if "search makes" in each.line]
    assert "from 61.50 to 32.25 chrF" in worst.reason
    assert worst.instead.startswith("Use chrF beside")


def test_one_segment_has_no_standard_deviation() -> None:
    searches = made_up().search
    assert searches is not None
    for in_points, unit in ((False, "SD"), (True, "points")):
        changed = tuple(replace(each, in_points=in_points) for each in searches.searches)
        found = made_up(search=replace(searches, searches=changed))
        (worst, *_) = [each for each in findings(found) if "search makes" in each.line]
        assert f"worse by 1.5 {unit} of other metrics" in worst.line
        assert ("SD" in worst.reason) == (unit == "SD")
        assert ("SD: standard deviation" in render(found)) == (unit == "SD")


def test_without_another_metric_the_kind_of_metric_is_named() -> None:
    found = made_up(specs=("bleu",))
    (variant, *_) = [each for each in findings(found) if each.part == "variants"]
    assert variant.line == "BLEU: 8 variants (permuted blocks) score no worse."
    assert "TER, RIBES, CDER and METEOR" in variant.instead


def test_a_metric_without_blind_spots_says_so() -> None:
    assert "TER: no blind spot among 4 errors; it notices 4 at all strengths." in lines_of()


def test_two_metrics_of_the_same_name_are_their_specs() -> None:
    said = "\n".join(lines_of(specs=("bleu", "bleu:tokenize=intl", "ter")))
    assert "bleu is blind to" in said
    assert "Scored worse by bleu:tokenize=intl 90%, TER 90%." in said


def test_what_is_better_the_lower_it_is_is_worse_when_it_rises() -> None:
    example = variant_examples(made_up())[0]
    assert [cell.change for cell in example.rows[1].scores] == ["same", "worse", "worse"]
    before, after = (row.scores[2].value for row in example.rows)
    assert after > before


def test_a_hypothesis_without_mismatches_has_no_permutations() -> None:
    (line,) = [line for line in lines_of(permutations=permutations(((4, 3),))) if "permuted without" in line]
    assert line.startswith("BLEU: no hypothesis has blocks")


def test_a_search_that_found_nothing_better_is_no_finding() -> None:
    searches = made_up().search
    assert searches is not None
    worse = tuple(replace(each, system_score=99.0) for each in searches.searches if each.goal == "best")
    found = made_up(search=replace(searches, searches=worse))
    assert [each.line[:4] for each in findings(found) if each.part == "search"] == ["TER:"]  # lower is better


def test_too_few_segments_are_no_evidence_that_errors_are_noticed() -> None:
    of = made_up().perturbations
    assert of is not None
    spots = tuple(replace(spot, verdict="undecided") for spot in of.blind_spots)
    (line, *_) = [line for line in lines_of(perturbations=replace(of, blind_spots=spots)) if "decide" in line]
    assert line == "BLEU: the data do not decide whether it notices any of 4 errors."


# --- examples ----------------------------------------------------------------------------------------------


def test_pieces_are_the_text() -> None:
    for text in (*HYPOTHESES, "", "a  b\tc"):
        assert "".join(piece for piece, _ in pieces(text, HYPOTHESES[0])) == text.replace("\t", "\\t")


def test_in_scripts_without_spaces_characters_are_marked() -> None:
    marked = [piece for piece, is_marked in pieces("市图书馆关闭了。", "市图书馆开放。") if is_marked]
    assert marked == ["关闭了"]


# --- for programs ------------------------------------------------------------------------------------------


def test_json_counts_segments_from_one_and_names_metrics() -> None:
    data = json.loads(render(made_up(), "json"))
    assert [each["segment"] for each in data["permutations"]["segments"]] == [1, 2, 3, 4]
    assert data["permutations"]["segments"][1]["permutations"] == 40320
    assert data["perturbations"]["blind_spots"][-1]["metric"] == "ter"
    assert data["search"]["searches"][0]["segment"] == 1


def test_sheets_hold_every_variant_with_its_scores() -> None:
    sheet = next(sheet for sheet in as_sheets(made_up()) if sheet.name == "variants")
    assert sheet.columns == ("segment", "construction", "bleu", "chrf", "ter", "text")
    written = [row for row in sheet.rows if row[1] != "hypothesis"]
    expected = [
        (each.segment + 1, each.construction, *each.scores, each.text)
        for segment in variants(3).segments
        for each in segment.variants
    ]
    assert written == expected


def test_large_integers_are_text_where_spreadsheets_would_round_them() -> None:
    found = made_up(permutations=permutations(((18, 0), (19, 0))))
    sheet = next(sheet for sheet in as_sheets(found) if sheet.name == "permutations")
    assert [row[3] for row in sheet.rows] == [6402373705728000, "121645100408832000"]


@pytest.mark.parametrize("format", ["tsv", "csv"])
def test_tables_for_programs_have_rectangular_rows(format: str) -> None:
    for block in render(made_up(), format).split("\n\n"):
        if format == "tsv":
            assert len({line.count("\t") for line in block.splitlines()}) == 1


def test_latex_and_markdown_begin_with_the_findings() -> None:
    for format in ("latex", "markdown"):
        text = render(made_up(), format)
        assert text.index("BLEU is blind to") < text.index("tabular" if format == "latex" else "| ---")
