"""The lab in the browser: `uctlab lab`."""
