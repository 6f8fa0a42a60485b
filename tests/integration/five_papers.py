"""Five of the bundled papers, as a reader finds them: chunks, entities, relations, paths, worked out by hand.

The tables were written from the texts in `samples/papers`, not from what the program makes of them. Where
they and the program differ, the text decides.
"""

from __future__ import annotations

from graph.models import Evidence, PathRecord

PAPERS = {
    "04": "04-carbonylation.md",
    "05": "05-hydration.txt",
    "06": "06-dehydration.xml",
    "12": "12-alkylation.md",
    "28": "28-carbon-dioxide.xml",
}
TRAPS = ("trap-empty.txt", "trap-scanned.pdf")

# Words of each paragraph (what stands between blanks, a citation in brackets is one), and the chunks: whole
# paragraphs, in order, as long as a chunk has at most 128 words.
#   04: 79 | 50 + 46 | 43 + 26    79 + 50 = 129 is one too many; so is 96 + 43
#   05: 74 | 71 | 58 + 62         71 + 58 = 129 again (the page's foot between them is no text)
#   06: 79 | 63 + 56 | 39         79 + 63 = 142, 119 + 39 = 158
#   12: 68 | 68 | 73 | 76         raised citations stand with their words: "plants.[4]" is one
#   28: 72 + 56 | 63 + 62         128: just fits
CHUNKS = {
    "04": [79, 96, 69],
    "05": [74, 71, 120],
    "06": [79, 119, 39],
    "12": [68, 68, 73, 76],
    "28": [128, 125],
}

# What the introductions name, each with every way to write it that stands there (small letters, but for
# formulas). Only abstracts and remarks write H2O, H2O2 and H3BO3. Not listed is what names a class:
# zeolites, Lewis acids, mineral acids, furans, humins, hydrocarbons, hydroxy acids, carbonates, sodium
# alkoxides, an iodide promoter; one-carbon chemistry is not about carbon, and "the price of oil" not about
# one oil.
ENTITIES = """
04  acetic acid; methanol; rhodium; acetic anhydride; methyl acetate; water; butanal; propylene
    n,n-dimethylformamide; dimethylamine; pivalic acid; isobutene; propionic acid; ethylene
    nickel tetracarbonyl; nickel; iron pentacarbonyl; iron; copper; cobalt = Co; carbon monoxide = CO; ammonia
    carbon dioxide = CO₂
05  ethylene glycol; ethylene oxide; propylene glycol; propylene oxide; 2-propanol; 2-butanol; 1-butene
    1-butanol
    cyclohexanol; cyclohexene; acrylamide; acrylonitrile; maleic acid; maleic anhydride; air; benzaldehyde
    benzal chloride; benzyl alcohol; benzyl chloride; acetylene; calcium carbide; calcium hydroxide
    calcium oxide
    anatase; titanium isopropoxide; 4-nitrophenol; 1-chloro-4-nitrobenzene; formic acid; methyl formate
    isoborneol; isobornyl acetate; glucose; cellulose; xylose; xylan
06  dimethyl ether; γ-alumina; tetrahydrofuran; 1,4-butanediol; ethanol; sugar cane; tert-butyl alcohol
    furfural
    5-hydroxymethylfurfural; fructose; isosorbide; sorbitol; ketene; mesityl oxide; diacetone alcohol; urea
    ammonium carbamate; boron trioxide; boric acid; gypsum
    calcium sulfate hemihydrate = CaSO₄·0.5H₂O = plaster of paris
12  ethylbenzene; benzene; cumene; zeolite beta; isobutylbenzene; toluene; thymol; m-cresol; terephthalic acid
    bis(2-hydroxyethyl) terephthalate; butyl acetate; bis(2-ethylhexyl) phthalate; phthalic anhydride
    methyl salicylate; salicylic acid; trimethyl borate; acetanilide; aniline; cellulose acetate
    2-ethylanthraquinone; diethyl malonate; cyanoacetic acid; methyl methacrylate; acetone cyanohydrin
    vinyl acetate; methyl tert-butyl ether; guaiacol; catechol; methylamine; dimethyl carbonate
    ethylene carbonate; tetraethyl orthosilicate; silicon tetrachloride; titanium tetrachloride
28  monoethanolamine; flue gas; mg-mof-74; hydrochloric acid; piperazine; n-methyldiethanolamine; ruthenium
    propylene carbonate; sodium phenoxide; 2,5-dihydroxyterephthalic acid; hydroquinone; methane; coke
"""
FORMULAS = {"Co", "CO", "CO₂", "CaSO₄·0.5H₂O"}

# Every statement of one substance about another, in the direction of its sentence; an adverb ("mainly
# obtained") is no part of the predicate. Nothing is stated by what is negated ("CO2 does not react with
# hydrochloric acid", "Acetic acid does not lose water to ketene"), supposed ("solid bases might replace")
# or a name for a symbol ("Co is cobalt").
RELATIONS = """
04 | acetic acid | is obtained by the carbonylation of | methanol
04 | rhodium | catalyses the carbonylation of | methanol
04 | acetic anhydride | is produced by the carbonylation of | methyl acetate
04 | butanal | is made by the hydroformylation of | propylene
04 | n,n-dimethylformamide | is produced by the carbonylation of | dimethylamine
04 | pivalic acid | is obtained by the Koch carbonylation of | isobutene
04 | propionic acid | is made by the hydrocarboxylation of | ethylene
04 | nickel tetracarbonyl | is formed by the carbonylation of | nickel
04 | iron pentacarbonyl | is formed by the carbonylation of | iron
04 | cobalt | catalyses the Fischer–Tropsch hydrogenation of | carbon monoxide
04 | nickel | catalyses the methanation of | carbon monoxide
04 | carbon dioxide | is hydrogenated to | methanol
05 | ethylene glycol | is produced by the hydration of | ethylene oxide
05 | propylene glycol | is produced by the hydrolysis of | propylene oxide
05 | 2-propanol | is produced by the hydration of | propylene
05 | 2-butanol | is made by the hydration of | 1-butene
05 | cyclohexanol | is obtained by the hydration of | cyclohexene
05 | acrylamide | is obtained by the hydration of | acrylonitrile
05 | maleic acid | is formed by the hydrolysis of | maleic anhydride
05 | benzaldehyde | is made by the hydrolysis of | benzal chloride
05 | benzyl alcohol | is produced by the hydrolysis of | benzyl chloride
05 | acetylene | is generated by the hydrolysis of | calcium carbide
05 | calcium hydroxide | is made by the hydration of | calcium oxide
05 | anatase | is precipitated by the hydrolysis of | titanium isopropoxide
05 | 4-nitrophenol | is obtained by the alkaline hydrolysis of | 1-chloro-4-nitrobenzene
05 | formic acid | is obtained by the hydrolysis of | methyl formate
05 | isoborneol | is obtained by the hydrolysis of | isobornyl acetate
05 | glucose | is released by the hydrolysis of | cellulose
05 | xylose | is released by the hydrolysis of | xylan
06 | dimethyl ether | is made by the dehydration of | methanol
06 | γ-alumina | catalyses the dehydration of | methanol
06 | tetrahydrofuran | is produced by the dehydration of | 1,4-butanediol
06 | ethylene | is formed by the dehydration of | ethanol
06 | isobutene | is made by the dehydration of | tert-butyl alcohol
06 | furfural | is formed by the dehydration of | xylose
06 | 5-hydroxymethylfurfural | is formed by the dehydration of | fructose
06 | isosorbide | is obtained by the dehydration of | sorbitol
06 | ketene | is made by the dehydration of | acetic acid
06 | mesityl oxide | is formed by the dehydration of | diacetone alcohol
06 | urea | is formed by the dehydration of | ammonium carbamate
06 | boron trioxide | is obtained by the dehydration of | boric acid
06 | calcium sulfate hemihydrate | is produced by the dehydration of | gypsum
12 | ethylbenzene | is made by the ethylation of | benzene
12 | cumene | is obtained by the isopropylation of | benzene
12 | zeolite beta | catalyses the isopropylation of | benzene
12 | isobutylbenzene | is made by the side-chain alkylation of | toluene
12 | thymol | is produced by the isopropylation of | m-cresol
12 | bis(2-hydroxyethyl) terephthalate | is made by the esterification of | terephthalic acid
12 | methyl acetate | is formed by the esterification of | acetic acid
12 | butyl acetate | results from the esterification of | 1-butanol
12 | bis(2-ethylhexyl) phthalate | is obtained by the esterification of | phthalic anhydride
12 | methyl salicylate | is made by the esterification of | salicylic acid
12 | trimethyl borate | results from the esterification of | boric acid
12 | acetanilide | is produced by the acetylation of | aniline
12 | cellulose acetate | is made by the acetylation of | cellulose
12 | 2-ethylanthraquinone | is made from | phthalic anhydride
12 | diethyl malonate | is produced from | cyanoacetic acid
12 | methyl methacrylate | is made from | acetone cyanohydrin
12 | vinyl acetate | is obtained by the acetoxylation of | ethylene
12 | methyl tert-butyl ether | is made by the etherification of | isobutene
12 | guaiacol | is produced by the methylation of | catechol
12 | dimethylamine | is formed by the methylation of | methylamine
12 | dimethyl carbonate | is made by the transesterification of | ethylene carbonate
12 | tetraethyl orthosilicate | is obtained by the ethanolysis of | silicon tetrachloride
12 | titanium isopropoxide | is made by the alcoholysis of | titanium tetrachloride
28 | monoethanolamine | absorbs | carbon dioxide
28 | mg-mof-74 | adsorbs | carbon dioxide
28 | calcium oxide | captures | carbon dioxide
28 | ammonium carbamate | is formed from | carbon dioxide
28 | ammonium carbamate | is formed from | ammonia
28 | piperazine | activates | n-methyldiethanolamine
28 | copper | catalyses the electroreduction of | carbon dioxide
28 | ruthenium | catalyses the methanation of | carbon dioxide
28 | ethylene carbonate | is obtained by the carboxylation of | ethylene oxide
28 | propylene carbonate | is made by the carboxylation of | propylene oxide
28 | salicylic acid | is produced by the carboxylation of | sodium phenoxide
28 | 2,5-dihydroxyterephthalic acid | is made by the carboxylation of | hydroquinone
28 | carbon monoxide | is produced by the dry reforming of | methane
28 | urea | is formed by the dehydration of | ammonium carbamate
"""
# 12 + 17 + 13 + 23 + 14 = 79 statements of 78 facts: urea stands in 06 and in 28.

# Paths of two hops over two papers: every fact whose object is the subject of a fact in another paper. What
# could be more but has both hops in one paper: nickel tetracarbonyl, nickel, carbon monoxide (04), and urea
# over its statement in 28. "!": one chunk names both ends, so that a single text answers the question; such
# a path is no question.
#   methanol stands in 28 #0 (with all that captures or reduces CO2 there), in 04 #0 and #2, and in 06 #0
#   nickel stands in 28 #1, as the catalyst of the dry reforming of methane
TWO_HOPS = """
  calcium hydroxide (05) calcium oxide (28) carbon dioxide
  anatase (05) titanium isopropoxide (12) titanium tetrachloride
  furfural (06) xylose (05) xylan
  ketene (06) acetic acid (04) methanol
! methyl acetate (12) acetic acid (04) methanol
! acetic anhydride (04) methyl acetate (12) acetic acid
  n,n-dimethylformamide (04) dimethylamine (12) methylamine
  pivalic acid (04) isobutene (06) tert-butyl alcohol
  methyl tert-butyl ether (12) isobutene (06) tert-butyl alcohol
  propionic acid (04) ethylene (06) ethanol
  vinyl acetate (12) ethylene (06) ethanol
  methyl salicylate (12) salicylic acid (28) sodium phenoxide
  dimethyl carbonate (12) ethylene carbonate (28) ethylene oxide
  urea (06) ammonium carbamate (28) carbon dioxide
  urea (06) ammonium carbamate (28) ammonia
  cobalt (04) carbon monoxide (28) methane
! nickel (04) carbon monoxide (28) methane
! monoethanolamine (28) carbon dioxide (04) methanol
! mg-mof-74 (28) carbon dioxide (04) methanol
! calcium oxide (28) carbon dioxide (04) methanol
! ammonium carbamate (28) carbon dioxide (04) methanol
! copper (28) carbon dioxide (04) methanol
! ruthenium (28) carbon dioxide (04) methanol
"""
# Of three hops: those of two, with one more fact behind, from a third paper. Only what ends in carbon
# dioxide, acetic acid or carbon monoxide could go on; acetic anhydride to methanol would use 04 twice. No
# paper leads to calcium hydroxide or to urea, so there is no path of four hops.
THREE_HOPS = {
    "calcium hydroxide (05) calcium oxide (28) carbon dioxide (04) methanol": (
        "Which hydroxide is made by the hydration of the oxide that captures the gas that is "
        "hydrogenated to methanol?"
    ),
    "urea (06) ammonium carbamate (28) carbon dioxide (04) methanol": (
        "Which compound is formed by the dehydration of the salt that is formed from the gas that "
        "is hydrogenated to methanol?"
    ),
}


def table(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _entities() -> list[list[str]]:
    """The spellings of each entity, the name that the other tables use first."""
    named = [part for line in table(ENTITIES) for part in line[4:].split(";")]
    return [[surface.strip() for surface in part.split("=")] for part in named]


def surfaces_of_entities() -> set[frozenset[str]]:
    """The entities, each as the set of its spellings."""
    return {frozenset(spellings) for spellings in _entities()}


class Read:
    """The graph, in the words of the tables.

    Args:
        surfaces: how each entity is written in the chunks, by its id.
        evidence: all relations.
        papers: number of the paper, by the id of its document.
    """

    def __init__(
        self, surfaces: dict[str, set[str]], evidence: list[Evidence], papers: dict[str, str]
    ) -> None:
        self.evidence, self.papers = evidence, papers
        self.surfaces = {
            identifier: frozenset(found if found in FORMULAS else found.lower() for found in spellings)
            for identifier, spellings in surfaces.items()
        }
        first = {surface: one[0] for one in _entities() for surface in one}
        self.names = {
            identifier: min(first.get(each, each) for each in spellings)
            for identifier, spellings in self.surfaces.items()
        }
        self.paper_of = {each.relation.id: papers[each.relation.document_id] for each in evidence}

    def statement(self, each: Evidence) -> str:
        """A line of RELATIONS."""
        relation = each.relation
        ends = self.names[relation.subject_id], self.names[relation.object_id]
        return f"{self.paper_of[relation.id]} | {ends[0]} | {relation.predicate} | {ends[1]}"

    def path(self, path: PathRecord) -> str:
        """A line of TWO_HOPS or THREE_HOPS."""
        *inner, last = [self.names[each] for each in path.entity_ids]
        papers = [self.paper_of[each] for each in path.relation_ids]
        return " ".join([f"{name} ({paper})" for name, paper in zip(inner, papers, strict=True)] + [last])
