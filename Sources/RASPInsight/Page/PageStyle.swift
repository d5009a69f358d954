/// The style sheet of ``Timeline/page``.
enum PageStyle {
  /// The rules, with the colours of both schemes.
  static var text: String {
    variables(Palette.light, scheme: "light") + "@media (prefers-color-scheme: dark) {\n"
      + variables(Palette.dark, scheme: "dark") + "}\n" + PageFile.style
  }

  private static func variables(_ scheme: Palette.Scheme, scheme name: String) -> String {
    var text = ":root { color-scheme: \(name); --ground: \(scheme.background); --text: \(scheme.text);"
    text += " --quiet: \(scheme.quiet); --line: \(scheme.line); --failure: \(scheme.failure);"
    text += " --selected: \(scheme.selected); --field: \(scheme.field);"
    for (number, colour) in scheme.lanes.enumerated() { text += " --l\(number): \(colour);" }
    return text + " }\n"
  }
}
