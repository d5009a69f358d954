/// The colours of a page. Each lane has one of eight, and each colour has a contrast of at least 4.5 to 1 with
/// the backgrounds, in the light scheme and in the dark one.
enum Palette {
  /// The colours of one scheme, as `#rrggbb`.
  struct Scheme {
    let background: String
    /// The background of what is selected, and of fields to write in.
    let selected: String
    let field: String
    let text: String
    /// Times and other text of less weight.
    let quiet: String
    let line: String
    let failure: String
    let lanes: [String]
  }

  static let light = Scheme(
    background: "#fcfcfa",
    selected: "#eceae2",
    field: "#ffffff",
    text: "#1d1f23",
    quiet: "#62666f",
    line: "#dcdcd6",
    failure: "#b3261e",
    lanes: ["#1f5fbf", "#a14a00", "#14735c", "#8a3a94", "#6b6300", "#b02f5c", "#2c6d86", "#5b4fc4"]
  )

  static let dark = Scheme(
    background: "#15171a",
    selected: "#272a30",
    field: "#1d2024",
    text: "#e7e6e2",
    quiet: "#9a9da5",
    line: "#33363c",
    failure: "#ff8a80",
    lanes: ["#7fb2ff", "#f0a35e", "#5ccfae", "#d79be0", "#cfc352", "#f590b2", "#7cc7de", "#b1a6ff"]
  )
}
