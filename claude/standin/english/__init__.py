"""Reading what a person says in English."""
