"""LaTeX commands and the characters they stand for."""

from __future__ import annotations

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ iota ι kappa κ "
    "lambda λ mu μ nu ν xi ξ pi π varpi π rho ρ varrho ρ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ "
    "chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_UPRIGHT = (
    "upalpha α upbeta β upgamma γ updelta δ upeta η upmu μ uppi π upsigma σ textalpha α textbeta β "
    "textgamma γ textdelta δ textmu μ micro μ muup μ Updelta Δ textDelta Δ"
)
_SIGNS = (
    "to → rightarrow → longrightarrow → xrightarrow → leftarrow ← longleftarrow ← leftrightarrow ↔ "
    "longleftrightarrow ↔ Rightarrow ⇒ Leftrightarrow ⇔ rightleftharpoons ⇌ leftrightharpoons ⇌ "
    "rightleftarrows ⇄ uparrow ↑ downarrow ↓ cdot · bullet • cdotp · times × div ÷ pm ± mp ∓ ast * star ⋆ "
    "approx ≈ sim ~ simeq ≃ cong ≅ equiv ≡ neq ≠ ne ≠ leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ ll ≪ gg ≫ "
    "lesssim ≲ gtrsim ≳ propto ∝ infty ∞ circ ° degree ° textdegree ° prime ′ textprime ′ AA Å angstrom Å "
    "celsius °C degreeCelsius °C ohm Ω percent % hbar ℏ partial ∂ nabla ∇ parallel ∥ perp ⊥ dagger † dag † "
    "ddagger ‡ ddag ‡ ldots … dots … cdots … vert | mid | langle ⟨ rangle ⟩ lbrace { rbrace } lbrack [ "
    "rbrack ] in ∈ cup ∪ cap ∩ forall ∀ exists ∃ int ∫ sum ∑ prod ∏ angle ∠ ominus ⊖ oplus ⊕ ell ℓ "
    "square □ Box □ triangle △ textendash – textemdash — textminus − textregistered ® texttrademark ™ "
    "copyright © ss ß ae æ AE Æ oe œ OE Œ o ø O Ø aa å l ł L Ł log log ln ln exp exp min min max max"
)


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


SYMBOLS = _pairs(_GREEK) | _pairs(_UPRIGHT) | _pairs(_SIGNS)

# Commands whose argument is the text.
_FONTS = (
    "text textrm textnormal textsf texttt textit textbf textsc textup textsl mbox hbox emph mathrm mathbf "
    "mathit mathsf mathtt mathcal mathbb mathfrak mathnormal operatorname boldsymbol bm rm bf it sf tt em "
    "num unit si underline uline overset underset hl ensuremath protect displaystyle textstyle url"
)
FONTS = frozenset(_FONTS.split())

# Commands whose argument is no text of the paper.
_DROPPED = (
    "cite citep citet citealp supercite textcite autocite ref eqref autoref cref label tag footnote vspace "
    "hspace begin end pagebreak includegraphics color thispagestyle"
)
ARGUMENT_DROPPED = frozenset(_DROPPED.split())

SPACES = frozenset(("quad", "qquad", "enspace", "thinspace", "space", "newline", "linebreak"))

# Accents, as the combining character that follows the letter.
COMBINING = {
    "bar": "\u0304",
    "overline": "\u0304",
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "",
    "mathring": "\u030a",
}
