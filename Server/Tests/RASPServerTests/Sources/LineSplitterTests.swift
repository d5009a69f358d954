import Testing

@testable import RASPServer

struct LineSplitterTests {
  @Test("LOAD-91 ★: lines do not depend on the pieces in which their bytes come")
  func random() {
    var random = SplitMix(seed: 27)
    for _ in 0..<rounds(20_000) {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        [10, 13, 97, 98, 195, 164].randomElement(using: &random)! as UInt8
      }
      let limit = Bool.random(using: &random) ? 8 : 1_000
      var splitter = LineSplitter(limit: limit)
      var lines: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...20, using: &random))
        lines += splitter.lines(of: piece)
        rest = rest[piece.endIndex...]
      }
      lines += [splitter.remainder()].compactMap(\.self)
      #expect(lines == reference(bytes, limit: limit))
    }
  }

  @Test("a line without an end takes no more memory than its limit")
  func longLine() {
    var splitter = LineSplitter(limit: 4)
    #expect(splitter.lines(of: Array("abcdefghij".utf8)) == ["abcd", "efgh"])
    #expect(splitter.lines(of: Array("\n".utf8)) == ["ij"])
    #expect(splitter.remainder() == nil)
  }
}

/// The lines of bytes that are all there.
func reference(_ bytes: [UInt8], limit: Int = .max) -> [String] {
  var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
  let last = lines.removeLast()
  var texts: [String] = []
  for (line, isWhole) in lines.map({ ($0, true) }) + [(last, false)] {
    var rest = line[...]
    while rest.count >= limit {
      texts.append(String(decoding: rest.prefix(limit), as: UTF8.self))
      rest = rest.dropFirst(limit)
    }
    if isWhole {
      let end = rest.last == 13 ? rest.dropLast() : rest
      // The end of a line whose last piece was full is no line of its own.
      if !end.isEmpty || line.count < limit { texts.append(String(decoding: end, as: UTF8.self)) }
    } else if !rest.isEmpty {
      texts.append(String(decoding: rest, as: UTF8.self))
    }
  }
  return texts
}
