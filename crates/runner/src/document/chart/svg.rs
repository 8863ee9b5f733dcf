//! A writer of SVG: well-formed and with fixed decimals, so that the same run gives the same bytes.

use crate::document::markup;
use std::fmt::{Display, Write as _};

/// Text as the content of an element or the value of an attribute. XML 1.0 has no way to write control
/// characters, not even escaped.
fn escape(text: &str) -> String {
    markup::escape(&text.replace(char::is_control, " "))
}

/// A length or position in pixels, in tenths; never `-0.0`, which would differ from `0.0`.
pub(super) fn px(value: f64) -> String {
    format!("{:.1}", (value * 10.0).round() / 10.0 + 0.0)
}

/// Where a text ends or begins at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// It has its middle there.
    Middle,
    /// It ends there.
    End,
}

/// The body of a drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct Body(String);

impl Body {
    /// An element without content; attributes in the order given.
    pub(super) fn element(&mut self, name: &str, class: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.0, "<{name} class=\"{}\"", escape(class));
        for (key, value) in attributes {
            let _ = write!(self.0, " {key}=\"{}\"", escape(&value.to_string()));
        }
        self.0.push_str("/>\n");
    }

    /// A straight line.
    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(px);
        self.element("line", class, &[("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]);
    }

    /// A rectangle from its upper left corner.
    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let [x, y, width, height] = [x, y, width, height].map(px);
        self.element(
            "rect",
            class,
            &[("x", &x), ("y", &y), ("width", &width), ("height", &height)],
        );
    }

    /// A circle around its centre.
    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        let [x, y, radius] = [x, y, radius].map(px);
        self.element("circle", class, &[("cx", &x), ("cy", &y), ("r", &radius)]);
    }

    /// A closed shape.
    pub(super) fn polygon(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<_> = points.iter().map(|[x, y]| format!("{},{}", px(*x), px(*y))).collect();
        self.element("polygon", class, &[("points", &points.join(" "))]);
    }

    /// One line of text on the baseline `y`.
    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, text) = (px(x), px(y), escape(text));
        let _ = writeln!(
            self.0,
            "<text class=\"{}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>",
            escape(class)
        );
    }

    /// What follows belongs together and has this tooltip, until [`Self::close`].
    pub(super) fn open(&mut self, title: &str) {
        let _ = writeln!(self.0, "<g><title>{}</title>", escape(title));
    }

    /// Ends what [`Self::open`] began.
    pub(super) fn close(&mut self) {
        self.0.push_str("</g>\n");
    }

    /// Draws `other` over what is there.
    pub(super) fn append(&mut self, other: Self) {
        self.0.push_str(&other.0);
    }

    /// The whole file. A screen reader says the title and the description.
    pub(super) fn file(
        self,
        [width, height]: [f64; 2],
        title: &str,
        desc: &str,
        style: &str,
    ) -> String {
        let (width, height) = (width.round(), height.round());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n\
             <style>\n{style}</style>\n{}</svg>\n",
            escape(title),
            escape(desc),
            self.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_arms_cannot_break_the_file() {
        let mut body = Body::default();
        body.text("a\"b", [0.0, -0.01], Anchor::End, "<x> & \u{1}y");
        let file = body.file([10.0, 5.4], "a & b", "\"d\"", "");
        assert!(file.contains(
            "<text class=\"a&quot;b\" x=\"0.0\" y=\"0.0\" text-anchor=\"end\">&lt;x&gt; &amp;  y</text>"
        ), "{file}");
        assert!(file.contains("<title id=\"title\">a &amp; b</title>"), "{file}");
        assert!(file.contains("height=\"5\"") && file.ends_with("</svg>\n"), "{file}");
    }
}
