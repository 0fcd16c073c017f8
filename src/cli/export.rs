//! `qipu export`: the games of the database as files for other programs.
