"""The commands of `edge`: each module adds its options to the parser and runs what they ask for.

Modules here import the rest of the package inside their functions, so that `edge --help` stays quick.
"""

from __future__ import annotations

from edge.commands import (
    compile,
    dedup,
    doctor,
    explore,
    gc,
    judge,
    links,
    prompts,
    recordings,
    revalidate,
    sandbox,
    sql,
    synthesize,
    verify,
    version,
)

ALL = (
    synthesize.add,
    compile.add,
    explore.add,
    dedup.add,
    links.add,
    sandbox.add,
    sql.add,
    verify.add,
    gc.add,
    judge.add,
    revalidate.add,
    recordings.add,
    prompts.add,
    doctor.add,
    version.add,
)
