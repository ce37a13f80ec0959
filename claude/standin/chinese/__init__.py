"""Reading what a person says in Traditional or Simplified Chinese."""
