"""The SVG that Vega draws, in half the bytes: the same picture, without how it is built. Pages hold many of them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_Element = ElementTree.Element

SVG = "http://www.w3.org/2000/svg"
_HOW_BUILT = ("aria-roledescription", "pointer-events", "role", "xmlns:xlink")
_KEPT_CLASSES = {
    "role-axis",
    "role-legend",
}  # by which templates/page.js tells their labels from those of marks
# Where a parent has them, its children do too; which is not so of opacity.
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-dasharray",
    "stroke-linecap",
    "fill-opacity",
    "text-anchor",
    "font-family",
    "font-size",
)
_COORDINATES = ("transform", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0")
_TRANSLATION = re.compile(r"translate\(([-\d.]+),([-\d.]+)\)")


def compact_svg(svg: str) -> str:
    """The same picture, with coordinates to a hundredth of a pixel."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        _shorten(element)
    _take_out_frames(root)
    _hoist(root)
    _unwrap(root)
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def _shorten(element: _Element) -> None:
    attributes = element.attrib
    for name in _HOW_BUILT:
        attributes.pop(name, None)
    if attributes.get("opacity") == "1":
        del attributes["opacity"]
    if not _is_group(element) and "stroke" not in attributes:
        attributes.pop("stroke-width", None)
    if "class" in attributes:
        kept = [name for name in attributes["class"].split() if name in _KEPT_CLASSES]
        if kept:
            attributes["class"] = " ".join(kept)
        elif attributes["class"] not in ("background", "foreground"):
            del attributes["class"]
    for name in _COORDINATES:
        if name in attributes:
            attributes[name] = _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.2f}", attributes[name])
    if circle := _CIRCLE.fullmatch(attributes.get("d", "")):
        _as_circle(element, circle[1])
    if attributes.get("transform") == "translate(0,0)":
        del attributes["transform"]


def _as_circle(element: _Element, radius: str) -> None:
    element.tag = f"{{{SVG}}}circle"
    del element.attrib["d"]
    element.set("r", radius)
    if place := _TRANSLATION.fullmatch(element.get("transform", "")):
        del element.attrib["transform"]
        for name, value in zip(("cx", "cy"), place.groups(), strict=True):
            if value != "0":
                element.set(name, value)


def _take_out_frames(element: _Element) -> None:
    """What every group of Vega's has behind and before its contents, for the most part invisible."""
    for child in list(element):
        _take_out_frames(child)
        if child.get("class") in ("background", "foreground"):
            if {"fill", "stroke"} & child.attrib.keys():
                del child.attrib["class"]
            else:
                element.remove(child)


def _hoist(element: _Element) -> None:
    """Moves to a group what all of its children say of themselves."""
    for child in element:
        _hoist(child)
    if not _is_group(element) or len(element) == 0:
        return
    for name in _INHERITED:
        values = {child.get(name) for child in element}
        if len(values) == 1 and None not in values and name not in element.attrib:
            element.set(name, values.pop() or "")
            for child in element:
                del child.attrib[name]


def _unwrap(element: _Element) -> None:
    """Takes out groups that say nothing of what is in them."""
    kept: list[_Element] = []
    for child in element:
        _unwrap(child)
        if _is_group(child) and (len(child) == 0 or not child.attrib):
            kept += child
        else:
            kept.append(child)
    element[:] = kept


def _is_group(element: _Element) -> bool:
    return element.tag == f"{{{SVG}}}g"
