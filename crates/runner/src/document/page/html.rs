//! Text as HTML.

pub(super) use crate::document::markup::escape;

/// JSON for a script element, which the parser of HTML would end at `</script>` and change its mind
/// about at `<!--`. Both can only be inside strings, where the escape is the same text.
pub(super) fn json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// A line of Markdown as the documents use it: code and emphasis. So that the page says the same
/// sentences as they do.
pub(super) fn inline(markdown: &str) -> String {
    let marked = |text: &str, mark: &str, tag: &str| -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(mark) {
            // A mark without its partner is text.
            let Some((inside, after)) = after.split_once(mark) else { break };
            out.push_str(&format!("{before}<{tag}>{inside}</{tag}>"));
            rest = after;
        }
        out.push_str(rest);
        out
    };
    marked(&marked(&escape(markdown), "`", "code"), "**", "strong")
}

/// Paragraphs and lists of Markdown; headings are left out.
pub(super) fn blocks(markdown: &str) -> String {
    let mut out = String::new();
    for block in markdown.split("\n\n").map(str::trim) {
        if let Some(items) = block.strip_prefix("- ") {
            let items = items.split("\n- ").map(|item| format!("<li>{}</li>\n", inline(item)));
            out.push_str(&format!("<ul>\n{}</ul>\n", items.collect::<String>()));
        } else if !block.is_empty() && !block.starts_with('#') {
            out.push_str(&format!("<p>{}</p>\n", inline(block)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_of_the_documents() {
        assert_eq!(inline("**a** `<b>` is"), "<strong>a</strong> <code>&lt;b&gt;</code> is");
        assert_eq!(inline("a ` alone"), "a ` alone");
        let text = "## Title\n\n- one\n  line\n- two\n\nLast.\n";
        assert_eq!(blocks(text), "<ul>\n<li>one\n  line</li>\n<li>two</li>\n</ul>\n<p>Last.</p>\n");
    }

    #[test]
    fn json_cannot_end_its_element() {
        let text = json("{\"</script><!--\":1}");
        assert!(!text.contains('<'));
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["</script><!--"], 1);
    }
}
