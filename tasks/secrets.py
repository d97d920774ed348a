"""Keys that Prefect Secret blocks hold -> the environment of the process that needs them, never a parameter.

`EDGE_TASK_SECRETS='{"EDGE_KEY_DATAGOKR": "datagokr-key"}'` names the blocks. A placeholder in prefect.yaml would
not do: `prefect deploy` resolves it and stores the key with the deployment, in plain text.
"""

from __future__ import annotations

import os

from prefect.blocks.system import Secret

from edge.errors import UsageError
from edge.settings import Settings


async def unlock() -> None:
    """Load the secrets that the settings name and the environment lacks.

    Raises:
        UsageError: a block is not there.
    """
    for variable, block in Settings.model_validate({}).task.secrets.items():
        if variable in os.environ:
            continue
        try:
            secret: Secret[str] = await Secret.aload(block)  # pyright: ignore
        except ValueError:
            raise UsageError(f"EDGE_TASK_SECRETS: {variable} is to come from the Secret block {block}, "
                             "which is not there") from None
        os.environ[variable] = str(secret.get())
