"""What was measured or published, with version and source: the third route, beside the formula and its count."""
