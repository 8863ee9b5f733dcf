//! The benchmarks of a summary by group.

use bench_shared::{catalogue, summary::Bench};

/// A group's name, its title, and its benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// For instance `B2`.
    pub name: &'a str,
    /// [`title`] of it.
    pub title: &'static str,
    /// Its benchmarks, at least one.
    pub benches: &'a [Bench],
}

/// Groups of these benchmarks, in their order.
pub fn of(benches: &[Bench]) -> impl Iterator<Item = Group<'_>> {
    benches.chunk_by(|a, b| a.group == b.group).map(|benches| {
        let name = benches[0].group.as_str();
        Group { name, title: title(name), benches }
    })
}

/// Title of a group; empty of one that this version's catalogue does not know.
pub fn title(name: &str) -> &'static str {
    catalogue::group(name).map_or("", |group| group.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn groups_keep_their_order_and_have_titles_if_known() {
        let bench = example::summary().benches.remove(0);
        let unknown = Bench { group: "Z9".into(), ..bench.clone() };
        let benches = [bench.clone(), bench, unknown];
        let groups: Vec<_> = of(&benches).map(|g| (g.name, g.title, g.benches.len())).collect();
        assert_eq!(groups, [("B2", "point reads", 2), ("Z9", "", 1)]);
    }
}
