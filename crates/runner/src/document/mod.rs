//! The generated documents.

#[cfg(test)]
pub mod example;
pub mod markdown;
pub mod results;
pub mod spec;
