"""CallSequence -> Outcome -> Trajectory | Reject: the gateway to the platforms and what is built on it."""
