"""Whether a string of words can be the name of a compound, judged by how chemical names are built.

The database of compounds holds "and", "green" and "lead compound" as synonyms, so standing in it is
not enough: a name must be built like one as well.
"""

from __future__ import annotations

import re
from functools import lru_cache

from domain.compound_database import database
from domain.compounds import database_name, is_true_synonym
from domain.packs.pack import DomainPack

_ENDING = re.compile(
    r"(?:[a-z]{2}(?:ane|ene|yne|diene|triene|ol|diol|triol|one|dione|quinone|al|aldehyde|oate|ylate|amine|amide|imine|imide|"
    r"nitrile|azole|azine|idine|idone|olane|olidine|phenone|furan|pyran|thiol|thiophene|ose|oside|ulose|"
    r"borane|silane|phosphine|arsine|stannane|siloxane|oxirane|aziridine|lactam|lactone|hydrin|glycol|glyme|"
    r"xylene|toluene|styrene|cresol|phenol|anisole|pyridine|quinoline|indole|pyrrole|imidazole|oxazole|thiazole|"
    r"purine|pyrimidine|uracil|porphyrin|ferrocene|carbazole|acridine|oxime|hydrazine|hydrazone|urea|"
    r"carbamate|carbonate|sulfate|sulphate|phosphate|nitrate|nitrite|acetate|benzoate|citrate|"
    r"chloride|bromide|iodide|fluoride|oxide|hydroxide|sulfide|nitride|carbide|hydride|cyanide|azide|selenide|"
    r"telluride|phosphide|boride|peroxide|anhydride|isocyanate|thiocyanate|oxalate|tartrate|stearate|oleate|"
    r"mycin|cillin|azepam|barbital|caine|statin|sartan|prazole|olol|oxacin|vudine|navir|tidine|setron|cycline|"
    r"platin|rubicin|bicin|taxel|stigmine|phylline|codone|morphine|orphan|triptan|dronate|fibrate|gliptin|"
    r"amphetamine|pamine|ephrine|thiazide|semide|pril|quine|zolam|zepine|done|idol|azine|zosin|terol|sone|"
    r"solone|olone|relin|parin|crine|tropine|curine|dipine|arone|amil|toin|aine|itol|itine|afil|conazole))$"
)
_LOOSE_ENDING = re.compile(
    r"(?:in|ine|ate|ite|ide|ium|yl|gen|ose|ase|cin|lin|min|mide|pam|lam|tol|nol|tin|din|rin|xin|zide|zole|pril|lol)$"
)
# Ordinary words with such an ending. The stop list has those that the database knows as synonyms.
_NOT_ENDING = re.compile(
    r"(?:(?:machine|medicine|engine|routine|discipline|doctrine|magazine|cuisine|gasoline-like|online|pipeline|outline|"
    r"baseline|guideline|deadline|decline|define|refine|combine|examine|imagine|determine|marine|genuine|feminine|"
    r"protocol|control|symbol|school|alone|none|someone|anyone|everyone|phone|zone|stone|backbone|ozone-free|"
    r"plane|membrane|lane|crane|humane|mundane|arcane|profane|octane-number|scene|gene|hygiene|intervene|serene|"
    r"purpose|propose|suppose|compose|dispose|expose|impose|oppose|diagnose|whose|those|loose|choose|close|dose|"
    r"decompose|disclose|enclose|overdose|"
    r"animal|crystal|optimal|minimal|thermal|formal|normal|signal|final|journal|potential|material|several|general|"
    r"chemical|physical|typical|critical|crucial|essential|industrial|mineral|natural|neutral|structural|"
    r"experimental|fundamental|environmental|incremental|additional|functional|conventional|rational|"
    r"commercial|partial|special|initial|spatial|trial|radial|axial|equatorial|serial|"
    r"provide|decide|inside|outside|beside|side|wide|guide|slide|divide|worldwide|reside|coincide|override|pride|"
    r"create|state|rate|date|late|plate|gate|fate|climate|estimate|indicate|demonstrate|evaluate|generate|"
    r"investigate|facilitate|incorporate|integrate|regulate|stimulate|substrate|illustrate|isolate-like|"
    r"separate|moderate|accurate|appropriate|candidate|certificate|chocolate|corporate|delicate|"
    r"acetal-like|white|despite|quite|site|write|finite|infinite|definite|opposite|composite|favorite|suite|"
    r"perspective|domain|main|chain|strain|train|brain|grain|gain|pain|rain|remain|contain|maintain|obtain|"
    r"within|begin|origin|margin|thin|skin|twin|spin|fin|pin|bin|win|in|"
    r"protein|toxin|vitamin|resin|robin|cabin|coffin|cousin|dolphin|goblin|penguin|pumpkin|violin|ruin|"
    r"nitrogen|hydrogen|oxygen))$"
)
_ENGLISH_ENDING = re.compile(
    r"(?:tion|sion|ment|ness|ing|ed|ly|er|or|ist|ism|ity|ance|ence|ure|age|ful|less|ship|hood|ous|ive|ant|ent|ary|ory|"
    r"ical|ship|ward|wise|dom|land|man|men)$"
)
_STEMS = re.compile(
    r"meth|eth|anil|prop|but|pent|hex|hept|oct|non|dec|cycl|phen|benz|tolu|xyl|naphth|anthr|pyr|pyrid|imid|thi|furan|"
    r"chlor|brom|fluor|iod|nitr|amin|amid|hydrox|oxo|oxy|carb|sulf|phosph|bor|sil|az|alkyl|allyl|vinyl|acet|"
    r"form|gly|lact|male|ox|glut|adip|phthal|indol|quinol|lith|sod|potass|ferr|cupr|zinc|nickel|cobalt|titan"
)
_LOCANT = re.compile(
    r"(?:^|[-(\[])(?:\d+'*[a-h]?(?:,\d+'*[a-h]?)*|[nosp](?:,[nosp])*'?|[α-ω]|alpha|beta|gamma|delta|epsilon|tert|sec|iso|cis|"
    r"trans|[mrsezdl]|dl)-",
    re.IGNORECASE,
)

ELEMENT_ADJECTIVES = frozenset(
    """ferric ferrous cupric cuprous stannic stannous plumbic plumbous mercuric mercurous chromic chromous
    cobaltous manganous auric aurous ceric cerous vanadyl uranyl titanyl zirconyl nitrosyl thionyl
    sulfuryl phosphoryl ammonium tetramethylammonium tetraethylammonium tetrabutylammonium
    methylammonium formamidinium guanidinium pyridinium imidazolium phosphonium hydrogen dihydrogen""".split()  # noqa: SIM905 - reads as the list it is
)
ANIONS = frozenset(
    """oxide dioxide trioxide tetroxide tetraoxide pentoxide heptoxide monoxide suboxide sesquioxide
    peroxide superoxide hydroxide oxyhydroxide chloride dichloride trichloride tetrachloride
    pentachloride hexachloride oxychloride oxytrichloride fluoride difluoride trifluoride tetrafluoride
    pentafluoride hexafluoride bromide dibromide tribromide tetrabromide iodide diiodide triiodide
    tetraiodide halide sulfide disulfide trisulfide sulphide polysulfide selenide diselenide telluride
    ditelluride nitride carbide phosphide arsenide antimonide silicide disilicide boride diboride
    hexaboride hydride dihydride trihydride decahydride sulfate sulphate sulfite hydrogensulfate
    bisulfate bisulfite thiosulfate persulfate nitrate nitrite carbonate bicarbonate hydrogencarbonate
    phosphate phosphite hypophosphite pyrophosphate metaphosphate hydrogenphosphate chlorate perchlorate
    chlorite hypochlorite bromate iodate periodate permanganate manganate chromate dichromate tungstate
    paratungstate molybdate heptamolybdate vanadate metavanadate niobate tantalate titanate zirconate
    stannate aluminate silicate borate metaborate tetraborate germanate ferrite ferrate cobaltite
    manganite cuprate nickelate zincate cyanide thiocyanate cyanate isocyanate azide amide imide acetate
    formate oxalate citrate tartrate lactate benzoate stearate acetylacetonate triflate tosylate
    mesylate ethoxide methoxide isopropoxide butoxide tert-butoxide alkoxide carbonyl tetracarbonyl
    pentacarbonyl hexacarbonyl borohydride tetrafluoroborate hexafluorophosphate tetraphenylborate
    hexachloroplatinate tetrachloroplatinate tetrachloroaurate hexafluorosilicate hexacyanoferrate
    ferrocyanide ferricyanide hexafluorotitanate hexafluorotantalate heptafluorotantalate phthalocyanine
    aluminosilicate""".split()  # noqa: SIM905
)
_HYDRATE = re.compile(r"(?:hemi|mono|sesqui|di|tri|tetra|penta|hexa|hepta|octa|nona|deca|dodeca)?hydrate")
_SALT = re.compile(r"[a-z]{3}(?:ate|ite|ide)$")
_NO_SALT = frozenset(
    """plate rate state substrate concentrate composite site candidate estimate aggregate precipitate
    filtrate particulate distillate laminate template isolate intermediate condensate conjugate
    agglomerate intercalate intermetallide crystallite electrolyte halide suicide pesticide insecticide
    herbicide fungicide peptide lipide nanocomposite metabolite parasite satellite graphite nucleotide
    nucleoside glycoside hydrate""".split()  # noqa: SIM905
)
_OXIDATION_STATE = re.compile(r"\((?:0|i{1,3}|iv|v|vi{1,3}|ix)(?:,(?:i{1,3}|iv))?\)$")


def may_end_name(word: str) -> bool:
    """Whether the lower-case word can be the last of a name of several words."""
    return (
        word in ANIONS
        or word in _HEAD_NOUNS
        or word in _SALT_METALS
        or bool(
            _HYDRATE.fullmatch(word) or _SALT.search(word) or _ENDING.search(word) or word.endswith("ase")
        )
    )


def is_inorganic_name(lowered: str, pack: DomainPack) -> bool:
    """lanthanum hydride, iron(II) sulfate, lithium cobalt oxide, ammonium hexachloroplatinate."""
    parts = lowered.split()
    if len(parts) > 2 and _HYDRATE.fullmatch(parts[-1]):
        parts = parts[:-1]
    if not 2 <= len(parts) <= 5 or not (parts[-1] in ANIONS or _is_salt_ending(parts[-1])):
        return False
    heads = [_OXIDATION_STATE.sub("", part) for part in parts[:-1]]
    return all(head in ELEMENT_ADJECTIVES or _is_element(head, pack) for head in heads) and not all(
        head in {"hydrogen", "dihydrogen"} for head in heads
    )


def _is_salt_ending(word: str) -> bool:
    """oleate, diuranate, undecylenate; not plate or concentrate."""
    return bool(_SALT.search(word)) and word not in _NO_SALT and not _is_english(word)


def _is_element(word: str, pack: DomainPack) -> bool:
    term = pack.lexicon.find(word)
    return term is not None and term.symbol is not None and len(word) > 2


def is_systematic_name(lowered: str) -> bool:
    """2-chloro-4-methylaniline, N,N-diethylbenzamide: locants, known stems, a chemical ending."""
    lowered = lowered.removesuffix(" acid") if lowered.endswith("ic acid") else lowered
    return (
        " " not in lowered
        and bool(_LOCANT.search(lowered))
        and bool(_ENDING.search(lowered) or re.search(r"(?:oic|[a-z]{2}ylic|onic|alic|uric)$", lowered))
        and len(_STEMS.findall(lowered)) >= 2
    )


@lru_cache(maxsize=65536)
def is_known_name(surface: str, stop: frozenset[str]) -> bool:
    """Whether the database has the surface as a name that is built like one."""
    lowered = database_name(surface)
    parts = lowered.split()
    if not parts or lowered not in database():
        return False
    if len(parts) == 1:
        return _is_single_name(lowered, stop)
    return _is_compound_name(parts, lowered, stop)


def _is_single_name(lowered: str, stop: frozenset[str]) -> bool:
    if len(lowered) < 4 or lowered in stop or not re.search(r"[a-z]{4}", lowered):
        return False
    if lowered.isalpha():
        if _is_english(lowered):
            return False
        if _ENDING.search(lowered):
            return _is_trusted(lowered)
        if len(lowered) >= 6 and _LOOSE_ENDING.search(lowered):
            return _is_first_name(lowered)
        return len(lowered) >= 7 and not _ENGLISH_ENDING.search(lowered) and _is_first_name(lowered)
    longest = max(re.findall(r"[a-z]+", lowered), key=len)
    has_locant = bool(_LOCANT.search(lowered) or re.match(r"\([rsez+-]\)-", lowered))
    return (has_locant or "(" in lowered or len(_STEMS.findall(lowered)) >= 2) and bool(
        _ENDING.search(longest) or _LOOSE_ENDING.search(longest)
    )


def _is_english(word: str) -> bool:
    return _NOT_ENDING.fullmatch(word) is not None


def _is_trusted(lowered: str) -> bool:
    return any(is_true_synonym(lowered, row) for row in database().by_name(lowered))


def _is_first_name(lowered: str) -> bool:
    return any(lowered in (row.iupac.lower(), row.common.lower()) for row in database().by_name(lowered))


_HEAD_NOUNS = frozenset(
    {
        "acid",
        "ether",
        "alcohol",
        "ketone",
        "glycol",
        "ester",
        "aldehyde",
        "anhydride",
        "oxide",
        "ion",
        "oxime",
    }
)
_SALT_METALS = frozenset({"sodium", "potassium", "calcium", "magnesium", "lithium"})
_PART = re.compile(
    r"^(?:bis|tris|tetrakis|di|tri|poly)\(.+\)$|(?:yl|ium|ic|ous|oic|oxy|ylene|ene|ane|ine|ol|one|al|enyl|ylic|ulfonic|onic|[a-z]{2}(?:chloro|bromo|fluoro|nitro)\w*)$"
)
_FUNCTION_WORDS = frozenset(
    """a an and as at be by for from in into is it its no not of on or the to under with without this that
    these those over via such other new""".split()  # noqa: SIM905
)


def _is_compound_name(parts: list[str], lowered: str, stop: frozenset[str]) -> bool:
    """sodium dodecyl sulfate, ethyl acetate, 4-hydroxybenzoic acid: every word must look the part."""
    if lowered in stop or any(part in _FUNCTION_WORDS for part in parts):
        return False
    last = parts[-1]
    if last in _SALT_METALS:  # acesulfame potassium
        return len(parts) == 2 and len(parts[0]) > 5 and parts[0].isalpha() and _is_trusted(lowered)
    if last not in _HEAD_NOUNS and last not in ANIONS and not (_ENDING.search(last) or _is_salt_ending(last)):
        return False
    heads = [_OXIDATION_STATE.sub("", part) for part in parts[:-1]]
    built = all(_PART.search(part) or part in ELEMENT_ADJECTIVES or _is_known_part(part) for part in heads)
    return built and _is_trusted(lowered)


def _is_known_part(word: str) -> bool:
    """A word that is itself the name of an element or compound: sodium, lead, cyclohexanone."""
    return len(word) > 2 and word in database() and (_is_first_name(word) or bool(_ENDING.search(word)))
