"""Small data sets in the formats of four known ones, written for this repository."""
