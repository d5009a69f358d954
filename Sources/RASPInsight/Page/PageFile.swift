/// The files of which ``Timeline/page`` consists beside its data. The build puts their bytes into the program, so a
/// program that draws a page needs no file beside it.
enum PageFile {
  static var markup: String { text(PackageResources.markup_html) }

  static var style: String { text(PackageResources.style_css) }

  /// The parts of the script, put together in this order, in one scope.
  static var script: String {
    let parts = [
      PackageResources.model_js, PackageResources.texts_js, PackageResources.list_js, PackageResources.details_js,
      PackageResources.view_js, PackageResources.lanes_js, PackageResources.moving_js, PackageResources.keys_js,
    ]
    return "'use strict';\n{\n" + parts.map(text).joined(separator: "\n") + "}"
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

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
