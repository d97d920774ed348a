"""How far a run is, as a progress bar in Prefect's pages; a page that cannot be shown stops nothing."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Coroutine
from typing import Any

from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact

logger = logging.getLogger("edge.prefect")


class Progress:
    """One bar of a flow run, from 0 to 100 %."""

    def __init__(self, what: str) -> None:
        """Prepare a bar; it is made when something is first said."""
        self._what = what
        self._id: uuid.UUID | None = None

    async def at(self, done: float, of: float) -> None:
        """Show that `done` of `of` are done; never more than all."""
        share = 100.0 * min(1.0, done / of) if of else 100.0
        if self._id is None:
            self._id = await shown(
                acreate_progress_artifact, progress=share, key="progress", description=self._what
            )
        else:
            await shown(aupdate_progress_artifact, artifact_id=self._id, progress=share)


async def shown(show: Callable[..., Coroutine[Any, Any, uuid.UUID]], **what: Any) -> uuid.UUID | None:
    """Show something in Prefect's pages; None where it could not be shown, which is logged."""
    try:
        return await show(**what)
    except Exception as error:  # whatever Prefect's client meets: the run is not about it
        logger.warning("Prefect shows no artifact: %s", str(error).splitlines()[0] if str(error) else type(error))
        return None
