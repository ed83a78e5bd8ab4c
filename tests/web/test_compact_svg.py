"""Charts in pages are the charts that Vega draws, in fewer bytes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from material import comparisons
from material.optional import needs_report
from understudy.report.charts import figures
from understudy.report.compact_svg import SVG, compact_svg
from understudy.report.figure import WIDE, Figure

pytestmark = needs_report


def drawn() -> list[Figure]:
    return figures(comparisons.compared(), comparisons.breakdown(), comparisons.studies())


@pytest.mark.parametrize("number", range(8))
def test_a_chart_takes_half_the_bytes_and_keeps_what_it_says(number: int) -> None:
    whole = drawn()[number].svg(WIDE)
    short = compact_svg(whole)
    assert len(short) < 0.55 * len(whole)
    assert _said(short) == _said(whole)


def _said(svg: str) -> list[str]:
    """Every text, and the label of every mark."""
    elements = list(ElementTree.fromstring(svg).iter())
    labels = [label for element in elements if (label := element.get("aria-label"))]
    return labels + [element.text for element in elements if element.tag == f"{{{SVG}}}text"]


def test_a_chart_looks_the_same(open_page, tmp_path) -> None:
    """Pixel by pixel, but for edges that a hundredth of a pixel moves."""
    page = tmp_path / "charts.html"
    page.write_text("<canvas></canvas>", encoding="utf-8")
    browser = open_page(page)
    script = """
        const [one, other, done] = arguments;
        const pixels = async (svg) => {
            const image = new Image();
            image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.width, image.height];
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            return [image.width, image.height, context.getImageData(0, 0, image.width, image.height).data];
        };
        (async () => {
            const [w, h, a] = await pixels(one), [v, g, b] = await pixels(other);
            let differing = 0, inked = 0;
            a.forEach((value, i) => { differing += Math.abs(value - b[i]) > 64; inked += value > 0 && value < 255; });
            done([w === v, h === g, differing, inked]);
        })();
    """
    browser.set_script_timeout(60)
    for figure in drawn():
        whole = figure.svg(WIDE)
        same_width, same_height, differing, inked = browser.execute_async_script(
            script, whole, compact_svg(whole)
        )
        assert (same_width, same_height) == (True, True)
        assert inked > 1000
        assert differing < 30, figure.name


def test_groups_say_for_all_of_their_children_what_each_would() -> None:
    marks = "".join(
        f'<path transform="translate({x}.123456789,0)" d="M3,0A3,3,0,1,1,-3,0A3,3,0,1,1,3,0" fill="red" opacity="0.5"/>'
        for x in (1, 2)
    )
    assert compact_svg(f'<svg xmlns="{SVG}"><g class="mark-symbol"><g>{marks}</g></g></svg>') == (
        f'<svg xmlns="{SVG}"><g fill="red"><circle opacity="0.5" r="3" cx="1.12"/>'
        '<circle opacity="0.5" r="3" cx="2.12"/></g></svg>'
    )
