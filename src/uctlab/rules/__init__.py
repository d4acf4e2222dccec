"""ADD A RULE: one small file. Selection rules, backup operators, and what they share."""
