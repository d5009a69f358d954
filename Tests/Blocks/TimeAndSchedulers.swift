// What the blocks of the article about time use and do not show.

@MainActor
final class Label {
  var text = ""
}
