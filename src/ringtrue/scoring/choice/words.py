"""The words by which a reply takes up, puts aside or rejects an option, in lower case."""

from __future__ import annotations

import unicodedata


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _forms(words: str) -> tuple[str, ...]:
    # Replies are read in compatibility form, where some vowels fall apart.
    return tuple(unicodedata.normalize("NFKC", word).replace("_", " ") for word in words.split())


# --- before an option ---------------------------------------------------------------------------------------------

ANSWER_NOUNS = _set(
    """answer answers ans choice option letter alternative solution response key selection pick guess vote verdict
    decision possibility respuesta opción opcion alternativa réponse reponse choix antwort lösung auswahl risposta
    opzione scelta soluzione resposta opção opcao svar svaret alternativet vastaus antwoord keuze odpowiedź odpowiedz
    odpowiedzią odpověď odpoved odpoveď válasz răspuns răspunsul raspuns cevap cevabı yanıt jawaban pilihan án ответ
    ответом вариант відповідь απάντηση תשובה התשובה الجواب الإجابة الاجابة إجابة جواب پاسخ sagot jibu atsakymas vastus
    atbilde odgovor отговор"""
)
"""Nouns whose value is the answer: "the answer is", "Choice:"."""

HEADINGS = _set(
    """conclusion final finally result therefore thus hence so summary overall outcome correct right best
    conclusión fazit schluss resultado résultat ergebnis итог"""
)
"""Words that, before a colon, announce the answer: "Conclusion:"."""

LISTS = _set("options choices candidates alternatives among between each every all any these following")
"""Words after which letters are named without being taken."""

QUALITIES = _set("correct right true best only incorrect false wrong accurate inaccurate")
"""What makes a statement the one asked for: "the correct statement is"."""

COPULAS = _set(
    """is be was are were 's equals remains becomes es est ist sind è é lautet seria sería serait jest és är er on là
    adalah ialah هي هو है это є είναι היא este je ay ni yra"""
)
SELF_COPULAS = _set("it's that's this's c'est it'd its")
CLAUSE_ENDS = _set(", so thus hence therefore think believe say guess bet and then")
"""After one of these, or first of all, "its" is "it's" without its mark."""
NEGATED_COPULAS = _set("isn't wasn't aren't ain't weren't")
PRONOUNS = _set("it that this one ce es das cela questa isso det lo")
MODALS = _set("must should would will has have to ought shall had got")
NOT = _set("not never cannot can't couldn't won't wouldn't shouldn't mustn't don't doesn't didn't haven't hasn't")
NEGATORS = NOT | NEGATED_COPULAS | _set("nicht pas não nie inte niet ikke не ne nem ei neither nor kein")
DOUBTS = _set("maybe perhaps possibly might may could can potentially conceivably quizás vielleicht forse talvez")
SURMISES = _set("think believe say agree mean claim suggest know imply")
CERTAINTIES = _set("true sure certain convinced confident case clear")
"""Before "that", what is said of the clause after it: "it is not true that"."""
DENIALS = _set("doubt doubtful unlikely impossible implausible inconceivable disagree disbelieve")
"""Words that deny the clause after them: "I doubt that it's"."""
NO_DENIALS = _set("no without beyond little not never don't doesn't isn't can't cannot")
"""Before one of `DENIALS`, what turns it round: "no doubt it's"."""
COMPLEMENTS = _set("that it it's this that's the option choice answer statement")
DENYING_PAIRS = {"no": _set("way chance one"), "nobody": _set("would could should"), "hard": _set("to")}
NAMES = _set(
    "option choice letter alternative answer statement item ending opción opzione opção letra lettre lettera buchstabe"
)

FILLERS = _set(
    """the option choice letter alternative answer statement item ending definitely clearly certainly surely simply
    indeed obviously really just still more most likely probably very only always either both final correct right best
    overall undoubtedly almost apparently unquestionably evidently again now also in fact fairly pretty
    prob probs prolly la el le les l' die der das den las los o letra lettre lettera buchstabe opción opzione opção
    alternativa bokstav litera буква вариант text mathrm textbf mathbf mbox rm bf textit mathit"""
)
"""Words that may come between "is" and the option."""

ASSURANCES = _set(
    "definitely clearly certainly surely obviously likely probably undoubtedly unquestionably evidently apparently prob"
)
"""Those of them that take up the option they head a sentence with: "Probably C, because"."""

CONNECTIVES = _set(
    "so thus hence therefore then consequently ergo accordingly finally ultimately donc darum entonces quindi logo"
)
PAUSES = CONNECTIVES | {",", "and"}
"""What ends the reach of a denial: "I don't think it's red, so"."""
CORRECTIVES = _set(
    """actually no wait sorry correction rather instead oops nope hmm hm reflection reconsideration
    inspection consideration thought thoughts
    however corrected revised updated edit update sondern sino nein perdón"""
)
"""Words before an option that take back what was said before: "wait, no: C"."""

OPENERS = frozenset("([{\"'$\\*_`<~…|")
SEPARATORS = frozenset(":=-–—→>|]")

CHOOSES = _set(
    """choose chose chosen choosing chooses pick picking picked picks select selecting selected selects submit answer
    answering say guess leaves leave leaving favours favors favour favor indicates indicate matches match matching
    mark marking prefer suggests suggest recommend confirms confirm conclude elijo escojo choisis wähle scelgo escolho
    kies väljer wybieram выбираю think believe suppose meant mean lean leaning confident lock locking
    accept accepting"""
)
"""Verbs whose object is the option taken."""

AGREES = _set("consistent agrees agree aligns align corresponds accords fits")
"""Before "with", words that speak for an option in passing."""

MAKES = _set("makes make making made leaves leaving leave renders consider considers considered call deem")
"""Verbs that pass a verdict on their object: "which makes C the best answer"."""

POINTS = _set("called means supports gives yields termed named labelled labeled denoted")
"""Verbs that end at an option in brackets, or at one called an option."""

PARTICLES = {
    "with": _set("go going goes went gone stick sticking stay staying left end us me"),
    "for": _set("opt opting opted vote voting settle go going plump down"),
    "on": _set("settle settling settled decide decided land deciding"),
    "to": _set("points point pointing leads lead corresponds correspond corresponding narrows switch switching change "
               "changing leaning comes goes down boils brings equivalent me"),
    "towards": _set("lean leaning leans points point pointing"),
    "toward": _set("lean leaning leans points point pointing"),
    "only": _set("leaves leaving"),
    "like": _set("seems looks"),
    "about": _set("confident sure certain"),
    "as": _set("listed given shown labelled labeled"),
}  # fmt: skip
"""A particle takes up the option after it when one of these verbs comes before it."""

REJECTING = _set(
    """eliminate eliminated eliminates eliminating exclude excluded excluding excludes discard discarding reject
    rejecting rejected dismiss dismissing unlike except besides despite against avoid ignore ignoring neither nor
    scratch forget wrong incorrect false drop"""
)
"""Words before an option that put it aside."""

REJECTING_PAIRS = {
    "out": _set("rule ruled ruling rules cross crossing crossed leave"),
    "of": _set("instead"),
    "than": _set("rather better other worse more"),
    "from": _set("different differs away"),
    "but": _set("anything"),
}

UNDECIDED = _set("whether if suppose supposing assume assuming unless imagine had")
FORCED = _set("i we one forced pressed pushed only compelled asked")
"""After "if", the speaker's own choice: "if I had to choose", "if forced"."""

OTHERS = _set(
    """people students many some others they someone anyone everyone candidates novices readers few beginners students
    person experts commentators"""
)
OPINIONS = _set("say think argue believe claim answer choose pick guess assume would might")
CHANGES = _set("change changing changed switch switching switched revise revised revising update updated updating")
MISTAKES = _set("wrong incorrect mistake")
SUPERSEDED = _set(
    """initially originally glance sight earlier previous previously tempting tempted mistakenly incorrectly wrongly
    former formerly intuitively naively first-instinct instinct"""
)

JOINS = _set(
    """, / & + 、 and or nor and/or und oder et ou y o e и или to through vs versus 和 或 与 や ,and ,or ,nor ,und
    ,oder ,option ,options andoption oroption ,andoption ,oroption oroptions ;or ;and oranswer andanswer ,maybe
    ormaybe ,possibly orpossibly ,orpossibly ,ormaybe orperhaps ,orperhaps"""
)
"""What may come between two options that are named together, spaces left out."""

# --- after an option ----------------------------------------------------------------------------------------------

LINK_VERBS = _set(
    """is was are were seems seem appears appear looks look must should would will has sounds feels can could may might
    ist es est è é 's jest är er sería wäre"""
)
LINKS = LINK_VERBS | _set(
    """be been being to clearly definitely indeed therefore thus the a an my our your only most more final single
    probably also obviously certainly surely really here then overall still simply in fact by far as la le el der die
    das very strictly actually now itself technically completely entirely totally all both strongest too like going
    have plainly just easily ultimately of course even"""
)
"""Words that may come between an option and the verdict on it."""

VERDICT = _set(
    """correct right best answer one choice option solution likely closest pick selection winner accurate appropriate
    suitable better closer preferable richtig correcta correcto correcte juste exact corretta corretto correta correto
    riktigt rätt juist poprawna prawidłowa правильный верный верно oikein doğru benar đúng richtige bonne"""
)
"""Words that make an option the answer: "B is correct"."""

FITTING = _set(
    """true left remains stays fits works matches wins stands survives satisfies holds applies fit valid plausible
    reasonable beats"""
)
"""Words that speak for an option without making it the answer."""

PRAISES = frozenset(("gets my vote", "has my vote", "has the edge", "all the way", "is what i'd"))
"""Three words after an option that make it the answer."""

AGAINST = _set(
    """wrong incorrect false out eliminated excluded invalid inaccurate irrelevant unlikely implausible impossible
    distractor distractors unsupported inappropriate untrue rejected discarded less worse no not never fails fail
    failed failing misleading incomplete contradicted falsch incorrecta incorrecto incorrecte fausse faux sbagliata
    sbagliato errada errado неверный неправильный ruled insufficient unrelated flawed doubtful isn't wasn't aren't
    doesn't don't can't cannot won't wouldn't didn't couldn't shouldn't lacks contradicts misses ignores overstates
    confuses ✗ ✘ ❌ × nope nein nicht pas non não tempting wasn't weren't off"""
)
AFFIRMED = _set("yes correct right true ✓ ✔ ✅ √ ja oui sí sim")
CONDITIONS = _set("if only when unless under but provided were had")
LIMITS = _set("for in regarding about of")

AFTER_LETTER = _set(
    """is isn't was are and or nor because since as seems appears looks would wouldn't can can't cannot could will must
    should fits matches works does doesn't but while which it be also best correctly remains fails states describes
    refers vs over rather instead then therefore being if not stands wins survives holds provides ist es est è é und
    oder et ou y sounds satisfies correct incorrect wrong right only too makes might may to on in at after out among"""
)
"""A capital A or I before any other word is an article or a pronoun, not an option."""

AFTER_A = _set(
    "here though anyway by for from with per when where that i so although whereas despite than has had says"
)
"""Words without an article before them."""

ALONE_DOES = _set(
    """does makes produces gives has contains meets explains describes shows involves requires causes represents
    addresses accounts correctly provides answers mentions includes"""
)
"""After "only" and an option, verbs that speak for it: "only A makes ATP"."""

REASONS = _set(
    "because since as due given which for it by rather instead over here now overall indeed myself है dir dır"
)
"""Words after an option that begin something new, so that the option itself is complete."""

PARTINGS = _set(
    """then though anyway anyways please thanks finally instead alors dann entonces allora probably definitely
    obviously clearly certainly surely prob prolly"""
)
"""Words that may close the sentence after an option."""

ASIDES = _set("i_think i_believe i_guess i_suppose i_reckon i'd_say i_say for_sure no_doubt of_course")
"""The same in two words: "B I think"."""

ADJUNCTS = _set("on in at after out among from with based")
"""Prepositions after an option that was chosen: "I'd go with D on this one"."""

# --- scripts without spaces ---------------------------------------------------------------------------------------

CUES_UNSPACED = _forms(
    """答案 答案是 答案为 答案為 答案选 答案選 答案应为 答案應為 选 選 选择 選擇 应该是 选项是 选项为
    選項是 而是 应为 正解は 答えは 解答は 回答は 正解 答え 解答 回答 정답은 답은 정답 답 คำตอบคือ คำตอบ
    เฉลย ตอบ คำตอบที่ถูกต้องคือ उत्तर उत्तर_है উত্তর"""
)
"""Ends of a run of letters that announce the option after it."""

NAMES_UNSPACED = _forms("选项 選項 ข้อ विकल्प")
REJECTIONS_UNSPACED = _forms("不是 不选 不選 并非 不能选 排除 不会是 除了")
VERDICTS_UNSPACED = _forms(
    """正确 正確 是正确 是正確 是对的 选项正确 選項正確 选项是正确 が正解 が正しい です 가_정답 이_정답
    가_맞 입니다"""
)
FAULTS_UNSPACED = _forms(
    """不正确 不正確 错误 錯誤 是错 不对 ではない ではありません は誤り は間違い 不是 不符合 选项错误
    가_아닙니다"""
)
