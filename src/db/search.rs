//! Text in names, headers and comments, by trigrams.
