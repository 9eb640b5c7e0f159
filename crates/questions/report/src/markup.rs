//! Prepares texts for markup.

/// A text for HTML and XML: markup is escaped. Control characters, which XML does not allow, are left out,
/// except for line ends.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace(|it: char| it.is_control() && it != '\n', "");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_markup() {
        assert_eq!(escaped("<b>R&D</b> \"c\"\u{0}\n"), "&lt;b&gt;R&amp;D&lt;/b&gt; &quot;c&quot;\n");
    }
}
