"""The devices on which tasks run: the cores of this machine, its GPUs, or a Ray cluster."""
