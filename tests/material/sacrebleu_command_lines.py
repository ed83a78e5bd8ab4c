"""Command lines of sacreBLEU, by what they are about. Their files are in `material.command_files`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from material.command_files import example
from material.command_runs import CommandLine

# What follows `<` is on standard input, `NAME=value` in front is in the environment.
GROUPS: Mapping[str, str] = {
    "metrics": """
        ref.txt -i strong.txt
        ref.txt --input strong.txt
        ref.txt -i strong.txt -b
        ref.txt -i strong.txt -b -w 4
        ref.txt -i strong.txt -w 0
        ref.txt -i strong.txt -f text
        ref.txt -i strong.txt -f text -sh
        ref.txt -i strong.txt -f latex
        ref.txt -i strong.txt -sh
        ref.txt -i strong.txt -m chrf
        ref.txt -i strong.txt -m ter
        ref.txt -i strong.txt -m bleu chrf ter
        ref.txt -i strong.txt -m ter chrf bleu -f text
        ref.txt -i strong.txt -m ter bleu bleu -f text -sh -w 3
        ref.txt -i strong.txt -m bleu chrf ter -b
        ref.txt -i strong.txt -m bleu chrf ter -b -f text
        ref.txt ref2.txt -i strong.txt -m bleu chrf ter
        ref.txt ref2.txt -i strong.txt -b -w 6
        ref.txt -i strong.txt -q -m chrf
        columns.tsv -nr 2 -i medium.txt -m bleu chrf ter
        columns.tsv --num-refs 2 -i medium.txt -f text
    """,
    "options of metrics": """
        ref.txt -i weak.txt -lc
        ref.txt -i weak.txt -s none
        ref.txt -i weak.txt -s floor
        ref.txt -i weak.txt -s floor -sv 0.01
        ref.txt -i weak.txt --smooth-method add-k --smooth-value 2
        ref.txt -i weak.txt -s exp -sv 3
        ref.txt -i weak.txt -tok intl
        ref.txt -i weak.txt -tok char
        ref.txt -i weak.txt -tok none -lc
        ref.txt -i weak.txt -tok zh
        ref.txt -i weak.txt -m chrf -cw 2
        ref.txt -i weak.txt -m chrf --chrf-word-order 1 --chrf-char-order 4 --chrf-beta 3
        ref.txt -i weak.txt -m chrf -cc 3 --chrf-whitespace --chrf-lowercase
        ref.txt -i weak.txt -m chrf --chrf-eps-smoothing -f text
        ref.txt -i weak.txt -m ter --ter-case-sensitive
        ref.txt -i weak.txt -m ter --ter-normalized --ter-asian-support
        ref.txt -i weak.txt -m ter --ter-no-punct -f text
        tokenized.ref -i tokenized.txt
        tokenized.ref -i tokenized.txt -q
        tokenized.ref -i tokenized.txt --force
        tokenized.ref -i tokenized.txt -m chrf
        zh.ref -i zh.good -l en-zh
        zh.ref -i zh.good -l en-zh -tok char
        zh.ref -i zh.good -l de-en
        zh.ref -i zh.good zh.poor -tok zh -m bleu chrf -f text
        one.ref -i none.txt -m bleu chrf ter -w 5
        two.ref -i two.txt -m bleu chrf ter -w 5
    """,
    "standard input": """
        ref.txt < strong
        ref.txt -m bleu chrf -f text < strong
        ref.txt < strong medium
        ref.txt -f text < strong medium weak
        ref.txt --paired-bs -f text < strong medium
        ref.txt --paired-ar -f latex -parn 200 < strong medium
        ref.txt < unequal
        ref.txt < short
        one.ref -b < empty
        one.ref < spaced
        one.ref < blank
        ref.txt < returns
        german.ref -m chrf -w 4 < german
        german.ref -e latin-1 < latin1
        latin1.ref -e latin-1 -b -w 4 < latin
        two.ref -m bleu chrf -f text --chrf-whitespace < first line with spaces
    """,
    "segments": """
        ref.txt -i strong.txt -sl
        ref.txt -i strong.txt -sl -b -w 4
        ref.txt -i strong.txt --sentence-level -m chrf -sh
        ref.txt ref2.txt -i gaps.txt -sl -m ter -w 3
        two.ref -i two.txt -sl -f text -s floor
        tokenized.ref -i tokenized.txt -sl -m chrf -cw 2 -b
        ref.txt -i strong.txt -sl -m bleu chrf
        ref.txt -i strong.txt weak.txt -sl
        ref.txt -i strong.txt -sl -ci
        ref.txt -sl -f json < weak
    """,
    "files": """
        ref.gz -i medium.gz
        ref.txt -i crlf.txt
        ref.txt -i unended.txt -m chrf
        ref.txt -i spaces.txt -m bleu chrf ter --chrf-whitespace
        ref.txt -i gaps.txt -m bleu chrf ter
        ref.txt -i short.txt
        ref.txt ref2.txt -i long.txt
        ref.txt one.ref -i medium.txt
        empty.txt -i empty.txt
        ref.txt -i empty.txt
        empty.txt -i medium.txt
        uneven.tsv -nr 2 -i two.txt
        columns.tsv -nr 3 -i medium.txt
        columns.tsv ref.txt -nr 2 -i medium.txt
        latin1.ref -i latin1.txt -e latin-1 -m bleu chrf
        latin1.ref -i latin1.txt --encoding cp1252 -m chrf -f text
        german.ref -i german.txt -m bleu chrf ter -f text -w 3
        ref.txt -i
    """,
    "several systems": """
        ref.txt -i strong.txt weak.txt
        ref.txt -i strong.txt weak.txt medium.txt -m bleu chrf ter
        ref.txt -i strong.txt weak.txt medium.txt -m bleu chrf ter -f text
        ref.txt -i strong.txt weak.txt medium.txt -m ter bleu -f latex -w 4
        ref.txt -i 10 20 -f text
        ref.txt -i 10 20 -f latex -m chrf -cw 2
        ref.txt -i übersetzung.txt a_b&c%$#{1}~^<2>.txt -f latex -m bleu chrf
        ref.txt -i übersetzung.txt a_b&c%$#{1}~^<2>.txt -f text -w 0
        ref.txt -i übersetzung.txt weak.txt
        ref.txt -i strong.txt weak.txt -b -sh -f text
        ref.txt -i strong.txt weak.txt -ci
        ref.txt -i strong.txt strong.txt
        ref.txt -i strong.txt short.txt
        ref.txt ref2.txt -i strong.txt weak.txt -m bleu chrf ter -f text -sh
        ref.txt -i strong.txt weak.txt -d
        ref.txt -i strong.txt -f text -d
    """,
    "confidence": """
        ref.txt -i strong.txt -ci
        ref.txt -i strong.txt -ci -m bleu chrf ter
        ref.txt -i strong.txt -ci -m bleu chrf ter -f text
        ref.txt -i strong.txt -ci -cin 50 -b -f text -m bleu chrf ter
        ref.txt -i strong.txt --confidence --confidence-n 1
        ref.txt ref2.txt -i strong.txt -ci -cin 200 -m ter -w 4 -b
        one.ref -i none.txt -ci -cin 10 -m bleu chrf ter -f text -b
        SACREBLEU_SEED=7 ref.txt -i strong.txt -ci -cin 100 -w 4
        SACREBLEU_SEED=0 ref.txt -i strong.txt -ci -cin 100 -w 4 -f text
    """,
    "paired tests": """
        ref.txt -i strong.txt weak.txt --paired-bs
        ref.txt -i medium.txt weak.txt strong.txt --paired-bs -f text -m bleu chrf ter
        ref.txt -i medium.txt again.txt strong.txt -pbs -pbsn 100 -f text -w 3
        ref.txt -i medium.txt weak.txt -pbs -pbsn 0 -f latex -sh
        ref.txt -i medium.txt weak.txt medium.txt -pbs -pbsn 50 -f text
        ref.txt -i medium.txt weak.txt weak.txt -pbs
        ref.txt -i strong.txt again.txt --paired-ar
        ref.txt -i strong.txt again.txt weak.txt -par -parn 300 -m bleu chrf ter
        ref.txt -i strong.txt again.txt weak.txt -par -parn 300 -m ter chrf -f text
        ref.txt ref2.txt -i medium.txt weak.txt -par -parn 300 -f latex -m chrf -cw 2
        ref.txt -i medium.txt --paired-ar
        ref.txt -i medium.txt weak.txt -pbs -par
        ref.txt -i medium.txt weak.txt -pbs -ci
        ref.txt -i medium.txt weak.txt -pbs -q -f text
        SACREBLEU_SEED=99 ref.txt -i medium.txt weak.txt -pbs -pbsn 80 -w 5
    """,
    "environment and formats": """
        SACREBLEU_FORMAT=text ref.txt -i strong.txt
        SACREBLEU_FORMAT=TEXT ref.txt -i strong.txt weak.txt -f latex
        SACREBLEU_FORMAT=latex ref.txt -i strong.txt weak.txt
        SACREBLEU_FORMAT=csv ref.txt -i strong.txt
        NO_COLOR=1 ref.txt -i strong.txt weak.txt -f text -pbs -pbsn 20
        ref.txt -i strong.txt weak.txt -f text -nc
        ref.txt -i strong.txt --for text
        ref.txt -i strong.txt --metr chrf --chrf-w 2
        ref.txt -istrong.txt -w4 -mchrf
        --metrics chrf -w 2 -- ref.txt ref2.txt
        -i strong.txt -b -- ref.txt
        -V
        --version
    """,
    "refused": """

        -i strong.txt
        -i strong.txt ref.txt
        ref.txt -i strong.txt -m meteor
        ref.txt -i strong.txt -tok nosuch
        ref.txt -i strong.txt --chrf
        ref.txt -i strong.txt -f xml
        ref.txt -i strong.txt -w many
        ref.txt -i strong.txt --nosuch
        -t wmt18
        -t nosuch -l en-de
        -t wmt18 -l en-xx
        -t wmt18 -l en-de ref.txt
        -t wmt18 -l en-de -nr 2
        --cite
        ref.txt --echo src
        --echo
        -t wmt18,nosuch -l en-de
    """,
    "test sets": """
        --list
        --list -l en-de
        --list -l fr-ja
        --list -t wmt18
        --list -t wmt18 -l en-de
        --list -t wmt23 -l de-en
        --list -t multi30k/2016
        -t wmt18 -l en-de -i set.de
        -t wmt18 -l en-de -i set.de -f text -m bleu chrf ter
        -t wmt18 -l en-de < german set
        -t wmt18 -l en-de -i set.de set.other.de --paired-bs -pbsn 20
        -t wmt18 -l en-de -i set.de -tok none
        -t wmt18 -l en-de -i set.de --origlang en
        -t wmt18 -l en-de -i set.de -ol non-en -sl
        -t wmt18 -l en-de -i set.de --subset US
        -t wmt18 -l en-de -i set.de --subset country:GB -m chrf
        -t wmt18 -l en-de -i set.de --origlang fr
        -t wmt18 -l en-de -i set.de -d
        -t wmt18 -l en-de -i set.de --detail -m bleu chrf -w 3
        -t wmt18 -l en-de -i set.de -d --subset sport
        -t wmt18 -l en-de -i short.txt
        -t wmt18,wmt18 -l en-de -i set.de
        -t wmt23 -l de-en -i set.en -m bleu chrf
        -t wmt23 -l de-en -i set.en --origlang de -sl
        -t wmt23 -l de-en -i set.en -d -m chrf
        -t multi30k/2016 -l en-de < two
        -t multi30k/2016 -l en-de -d < two
        -t mtnt2019 -l en-fr -b < three
        -t wmt18 -l en-de --echo src
        -t wmt18 -l en-de --echo ref
        -t wmt18 -l en-de --echo docid src ref origlang
        -t wmt18 -l en-de --echo all
        -t wmt18 -l en-de --echo all src
        -t wmt18 -l en-de --echo nosuch
        -t wmt18 -l en-de --echo src --origlang en
        -t wmt18 -l en-de --echo src --subset sport
        -t wmt23 -l de-en --echo all
        -t wmt23 -l de-en --echo ref NMT domain
        -t wmt23 -l de-en --echo ref:refB
        -t wmt18,wmt18 -l en-de --echo src
        --download wmt18 -l en-de
    """,
}

GIVEN = {
    "strong": "\n".join(example("system-strong.en")),
    "weak": "\n".join(example("system-weak.en")) + "\n",
    "strong medium": "",  # these two are made below
    "strong medium weak": "",
    "unequal": "a\tb\nc\nd\te\n",
    "short": "One.\nTwo.\n",
    "empty": "",
    "spaced": "A cat sat \t \n",
    "blank": "\n",
    "returns": "\r\n".join(example("system-medium.en")) + "\r\n",
    "german": "Frühstück kostet 3,50 €.\nEs hat geregnet.\nÄpfel\n",
    "first line with spaces": "Yes.   \tNo.  \nIt rained.  \tRain.\n",
    "german set": "Ein Hund.\nGutes Spiel.\nTor.\nWahl.\n",
    "two": "Ein Hund.\nZwei Frauen.\n",
    "three": "Eins.\nZwei.\nDrei.\n",
}
for _names in ("strong medium", "strong medium weak"):
    GIVEN[_names] = "".join(
        "\t".join(row) + "\n"
        for row in zip(*(example(f"system-{name}.en") for name in _names.split()), strict=True)
    )
ENCODED = {
    "latin1": "Frühstück\nRegen\nÄpfel\n".encode("latin-1"),
    "latin": "Frühstück\nÄpfel\n".encode("latin-1"),
}


def command_line(written: str) -> CommandLine:
    arguments, _, given = written.partition(" < ")
    words = arguments.split() if "<2>" in arguments else shlex.split(arguments)
    environment = dict(word.split("=") for word in words if word.startswith(("SACREBLEU_", "NO_COLOR=")))
    return CommandLine(
        words[len(environment) :],
        ENCODED.get(given) or GIVEN[given or "empty"].encode(),
        environment,
    )


def command_lines(group: str) -> list[str]:
    return [line.strip() for line in GROUPS[group].splitlines()[1:-1]]
