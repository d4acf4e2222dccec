"""ADD AN EXPERIMENT: one file a paper, the published figures beside ours."""
