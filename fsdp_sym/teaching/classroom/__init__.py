"""The classroom: sheets for a roster, submissions read without running them, marks and what they say of a class."""
