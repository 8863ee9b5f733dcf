//! The generated documents.

pub mod chart;
#[cfg(test)]
pub mod example;
pub mod headline;
pub mod markdown;
mod markup;
pub mod noise;
pub mod page;
mod provenance;
pub mod readme;
pub mod results;
pub mod spec;
