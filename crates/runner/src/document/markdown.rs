//! A table in Markdown, aligned in its source too, since GitHub is not the only reader.

/// A table; cells must not hold line breaks.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Table {
    /// With these column titles; a title that starts with `>` aligns its column to the right.
    pub fn new<S: Into<String>>(titles: impl IntoIterator<Item = S>) -> Self {
        let titles: Vec<String> = titles.into_iter().map(Into::into).collect();
        let right = titles.iter().map(|t| t.starts_with('>')).collect();
        let titles = titles.iter().map(|t| escape(t.trim_start_matches('>'))).collect();
        Self { rows: vec![titles], right }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(|c| escape(&c.into())).collect());
    }

    /// The table with a line break at its end.
    pub fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|c| c.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let mut out = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).zip(&self.right).map(|((cell, &width), right)| {
                if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            out.push_str(&format!("| {} |\n", cells.collect::<Vec<_>>().join(" | ")));
            if i == 0 {
                let rules = widths.iter().zip(&self.right).map(|(&width, right)| {
                    if *right { format!("{}:", "-".repeat(width - 1)) } else { "-".repeat(width) }
                });
                out.push_str(&format!("| {} |\n", rules.collect::<Vec<_>>().join(" | ")));
            }
        }
        out
    }
}

fn escape(cell: &str) -> String {
    // `Vec<u8>` would be taken for HTML.
    cell.replace('|', "\\|").replace('<', "\\<").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["id", ">time"]);
        table.row(["B2/get", "7 µs"]);
        table.row(["a|<b", "12 ms"]);
        let expected = "\
| id     |  time |
| ------ | ----: |
| B2/get |  7 µs |
| a\\|\\<b | 12 ms |
";
        assert_eq!(table.render(), expected);
    }
}
