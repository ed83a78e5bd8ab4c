"""`understudy completion`: scripts for the TAB completion of commands, options, metrics and parameters."""

from __future__ import annotations

import os

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

# bash cuts words at COMP_WORDBREAKS, so that bleu:tokenize=intl arrives as five of them. This takes the line
# as it is typed, and gives back only what follows the last such cut.
_BASH = """\
%(complete_func)s() {
    local line type value
    COMPREPLY=()
    while IFS= read -r line; do
        type=${line%%%%,*}
        value=${line#*,}
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("$value")
                case $value in *[:=,]) compopt -o nospace ;; esac
                ;;
        esac
    done < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _Bash(BashComplete):
    source_template = _BASH

    def source(self) -> str:
        return self.source_template % self.source_vars()

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE", "")
        words = split_arg_string(line)
        incomplete = "" if not words or line[-1:].isspace() else words.pop()
        self._cut = max(incomplete.rfind(mark) + 1 for mark in os.environ.get("COMP_WORDBREAKS", "") + "\0")
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value[self._cut :]}"


class _Fish(FishComplete):
    # A comma separates parameters too: only the first one ends the type.
    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


add_completion_class(_Bash, "bash")
add_completion_class(_Fish, "fish")


@click.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print the completion script of SHELL: bash, zsh or fish.

    With it the TAB key completes commands, options, metrics and their parameters.

    \b
    bash, in ~/.bashrc:   eval "$(understudy completion bash)"
    zsh, in ~/.zshrc:     eval "$(understudy completion zsh)"
    fish, once:           understudy completion fish > ~/.config/fish/completions/understudy.fish

    Then open a new terminal and try: understudy score -m bleu:<TAB>
    """
    from understudy.cli import COMPLETION_VARIABLE, NAME, program

    shells = get_completion_class(shell)
    assert shells is not None, f"click knows {shell}"
    click.echo(shells(program, {}, NAME, COMPLETION_VARIABLE).source(), nl=False)
