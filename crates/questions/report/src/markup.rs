//! Prepares strings for markup.

/// Escapes a string for HTML and XML. Control characters other than line ends are dropped, because XML does
/// not allow them.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace(|it: char| it.is_control() && it != '\n', "");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The width of the left and right margins of an SVG picture.
pub(crate) const MARGIN: f64 = 24.0;

/// Returns the opening markup of a standalone SVG picture, with its size, styles and title. The title is
/// escaped and placed at height `y`.
pub(crate) fn picture(width: f64, height: f64, title: &str, y: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"11\" \
         fill=\"#222222\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"{y}\" font-size=\"16\" font-weight=\"bold\">{title}</text>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_markup() {
        assert_eq!(escaped("<b>R&D</b> \"c\"\u{0}\n"), "&lt;b&gt;R&amp;D&lt;/b&gt; &quot;c&quot;\n");
    }
}
