"""The command line, from its own help."""

from __future__ import annotations

from typing import Any

from .markdown import code, page, plain, table


def command_text(program: Any) -> str:
    """The page.

    Parameters
    ----------
    program : click.Group
        The whole command line, as whichever click the command line carries knows it.
    """
    context = program.make_context("fsdp-sym", [], resilient_parsing=True)
    commands = [program.get_command(context, name) for name in program.list_commands(context)]
    return page(
        "# The command line",
        plain_help(program.help),
        _options(program, context),
        *(_command(command, context) for command in commands),
    )


def plain_help(text: str) -> str:
    return "\n\n".join(plain(part) for part in text.split("\n\n"))


def _command(command: Any, above: Any) -> str:
    context = type(above)(command, info_name=command.name, parent=above)
    usage = " ".join([f"fsdp-sym {command.name}", *command.collect_usage_pieces(context)])
    examples = [line.strip() for line in (command.epilog or "").splitlines() if line.strip().startswith("fsdp-sym ")]
    return page(
        f"## {command.name}",
        f"```text\n{usage}\n```",
        plain_help(command.help),
        _options(command, context),
        "\n".join(["For example:", "", "```text", *examples, "```"]) if examples else "",
    ).strip()


def _options(command: Any, context: Any) -> str:
    found = [record for parameter in command.get_params(context) if (record := parameter.get_help_record(context))]
    return table(("argument or option", "what it says"), ([code(name.replace("|", r"\|")), plain(said)] for name, said in found))
