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
