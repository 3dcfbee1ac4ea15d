//! AG-UI for commands: an agent's streamed calls assembled, run through the seam, and answered.
