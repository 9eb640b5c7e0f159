//! Texts that are put into markup.

/// Escapes the markup of a text: plotly then finds only entities, and shows the characters that they name.
pub(crate) fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_markup() {
        assert_eq!(plain("<b>R&D</b>"), "&lt;b&gt;R&amp;D&lt;/b&gt;");
    }
}
