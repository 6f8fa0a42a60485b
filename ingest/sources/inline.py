"""Text of XML and HTML elements, with sub- and superscripts and MathML as plain Unicode."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Callable

from lxml import etree

from domain.formulas import from_latex, subscript, superscript

Element = etree._Element
# What to print for an element in place of its content; None: its content.
Special = Callable[[Element], str | None]

_MATH_SPACED = frozenset("=+<>≤≥≈→←↔⇌×±∼")


def local_name(element: Element) -> str:
    """The tag without its namespace; empty for comments and processing instructions."""
    return element.tag.rsplit("}", 1)[-1].lower() if isinstance(element.tag, str) else ""


def text_of(element: Element, special: Special | None = None) -> str:
    """The text of an element, blanks as they stand.

    Args:
        special: called for each element inside; what it returns is printed instead of the content.
    """
    parts = [element.text or ""]
    for child in element:
        parts += [child_text(child, special), child.tail or ""]
    return "".join(parts)


def child_text(child: Element, special: Special | None = None) -> str:
    """The text of one element inside another, as `text_of` prints it; without its tail."""
    if isinstance(child, etree._Entity):
        return _entity(child)
    name = local_name(child)
    replaced = special(child) if special and name else None
    if replaced is not None:
        return replaced
    if name in ("sub", "inf", "sup"):
        return (superscript if name == "sup" else subscript)(text_of(child, special).strip())
    if name == "math":
        return math_text(child)
    return {"": "", "br": "\n"}[name] if name in ("", "br") else text_of(child, special)


_CITATION = "\x01"  # no character of XML, so it marks what is ours


def citation(element: Element) -> str | None:
    """A raised reference number that is a link, in brackets; None for other superscripts.

    Right after a name (`Pd(PPh3)4` and a raised 1) only the link tells it from a charge or a count.
    """
    if local_name(element) != "sup":
        return None
    links = [node for node in element.iter() if local_name(node) in ("xref", "a")]
    cites = any(link.get("ref-type") == "bibr" or (link.get("href") or "").startswith("#") for link in links)
    text = " ".join(text_of(element).split())
    return f"{_CITATION}[{text}]" if cites and text[:1].isdigit() else None


def with_citations(text: str) -> str:
    """The text with each marked citation set apart: a blank before it, but none after punctuation."""
    return re.sub(rf"(?<![.,;:!?\s]){_CITATION}", " ", text).replace(_CITATION, "")


def _entity(entity: Element) -> str:
    """A named character; entities that a document defines itself are never expanded."""
    name = (entity.text or "").strip("&;")
    return html.entities.html5.get(f"{name};", "")


def tex_text(source: str) -> str:
    """Unicode of LaTeX in an XML element, with or without its document around it."""
    if "\\begin{document}" in source:
        source = source.split("\\begin{document}", 1)[1].split("\\end{document}", 1)[0]
    bare = source.strip().strip("$").strip()
    return from_latex(f"${bare}$") if bare else ""


def math_text(element: Element) -> str:
    """Unicode of presentation MathML: `<msub><mi>H</mi><mn>2</mn></msub>` is H₂."""
    name = local_name(element)
    children = [child for child in element if local_name(child)]
    if name in ("annotation", "annotation-xml"):
        return ""
    if name in ("mi", "mn", "ms", "mtext"):
        text = " ".join(text_of(element).split()) if name != "mtext" else text_of(element)
        return text.replace("\u2061", "")
    if name == "mo":
        sign = text_of(element).strip()
        return f" {sign} " if sign in _MATH_SPACED and _is_infix(element) else sign
    if name == "mspace":
        return " "
    return _layout(name, [math_text(child) for child in children])


def _layout(name: str, parts: list[str]) -> str:
    """What an element that arranges its children looks like on one line."""
    bare = [part.strip() for part in parts]
    if name in ("msub", "munder") and len(parts) == 2:
        out = parts[0] + subscript(bare[1])
    elif name in ("msup", "mover") and len(parts) == 2:
        out = parts[0] + superscript(bare[1])
    elif name in ("msubsup", "munderover") and len(parts) == 3:
        out = parts[0] + subscript(bare[1]) + superscript(bare[2])
    elif name == "mfrac" and len(parts) == 2:
        out = "/".join(f"({part})" if len(part) > 2 else part for part in bare)
    elif name == "msqrt":
        out = f"√({''.join(parts)})"
    elif name == "mmultiscripts":
        out = _multiscripts(parts)
    else:
        out = "".join(parts)
    return out


def _multiscripts(parts: list[str]) -> str:
    """Base, then pairs of sub- and superscript after it; those before it follow an empty mprescripts."""
    base, rest = (parts[0], parts[1:]) if parts else ("", [])
    if len(rest) >= 3 and len(rest) % 2:  # an odd one out: <mprescripts/>
        at = next((i for i in range(0, len(rest), 2) if rest[i] == ""), 0)
        after, before = rest[:at], rest[at + 1 :]
    else:
        after, before = rest, []

    def pairs(values: list[str]) -> str:
        return "".join(
            subscript(low.strip()) + superscript(high.strip())
            for low, high in zip(values[::2], values[1::2], strict=False)
        )

    return pairs(before) + base + pairs(after)


def _is_infix(element: Element) -> bool:
    """Whether an operator stands between two things; a charge stands at the end of its row."""
    return element.getprevious() is not None and element.getnext() is not None
