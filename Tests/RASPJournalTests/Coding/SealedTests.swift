import Aggregate
import RASPPrimitives
import Streams
import TestSupport
import Testing

@testable import RASPJournal

/// No cipher to be used: it adds a number for each subject to each byte.
private final class ToyCipher: SubjectCipher {
  struct NoKey: Error {}

  let keys = Lock<[String: UInt8]>([:])

  func seal(_ bytes: [UInt8], of subject: String) throws -> [UInt8] {
    guard subject != "refused" else { throw NoKey() }
    let key = keys.withLock { keys in
      let key = keys[subject] ?? UInt8(truncatingIfNeeded: keys.count + 1)
      keys[subject] = key
      return key
    }
    return bytes.map { $0 &+ key }
  }

  func open(_ sealed: [UInt8], of subject: String) throws -> [UInt8]? {
    keys.withLock { $0[subject] }.map { key in sealed.map { $0 &- key } }
  }

  func forget(_ subject: String) {
    keys.withLock { $0[subject] = nil }
  }
}

private struct Note: Codable, Equatable, Sendable {
  var author: String?
  var text: String
}

@Suite("Codings that seal")
struct SealedTests {
  private let cipher = ToyCipher()

  private func coding(_ plain: Coding<Note> = .codable) -> Coding<Note> {
    plain.sealed(by: cipher, subject: \.author) { [Note(author: $0, text: "forgotten")] }
  }

  private func bytes(_ note: Note, with coding: Coding<Note>) throws -> (TypeVersion, [UInt8]) {
    var encoder = ValueEncoder(coding)
    return try encoder.encode(note) { ($0, [UInt8]($1)) }
  }

  private func read(_ written: (TypeVersion, [UInt8]), with coding: Coding<Note>) throws -> [Note] {
    var decoder = ValueDecoder(coding)
    var notes: [Note] = []
    try written.1.withUnsafeBytes { bytes in try decoder.decode(bytes, of: written.0) { notes.append($0) } }
    return notes
  }

  @Test("random notes of random authors: each is read, or stands as forgotten if its author was", arguments: 0..<4)
  func roundTrip(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let coding = coding()
    for _ in 0..<rounds(2_000) {
      let authors: [String?] = ["a", "b", "", "ü", nil]
      let notes = (0..<8).map { number in
        Note(
          author: authors.randomElement(using: &random) ?? nil,
          text: "\(number) \(UInt8.random(in: 0...9, using: &random))"
        )
      }
      let written = try notes.map { try bytes($0, with: coding) }
      let gone = authors.randomElement(using: &random) ?? nil
      if let gone { cipher.forget(gone) }
      for (note, written) in zip(notes, written) {
        let isGone = note.author != nil && note.author == gone
        let expected = isGone ? Note(author: note.author, text: "forgotten") : note
        #expect(try read(written, with: coding) == [expected])
      }
    }
  }

  @Test("what was written before is read, and what is sealed is refused without the cipher")
  func others() throws {
    let note = Note(author: "a", text: "x")
    #expect(try read(bytes(note, with: .codable), with: coding()) == [note])
    let error = #expect(throws: CodingError.self) { try read(bytes(note, with: coding()), with: .codable) }
    #expect(error?.type == "sealed Note")
  }

  @Test("older versions are sealed, too, and converted when they are opened")
  func versions() throws {
    let old = coding()
    let present = coding(Coding.codable(version: 2).reading(version: 1, as: Note.self) { [$0, $0] })
    let note = Note(author: "a", text: "x")
    #expect(try read(bytes(note, with: old), with: present) == [note, note])
  }

  @Test("an error of the cipher, and bytes that are no value, are errors of the coding")
  func errors() throws {
    #expect(throws: CodingError.self) { try bytes(Note(author: "refused", text: "x"), with: coding()) }
    var written = try bytes(Note(author: "a", text: "x"), with: coding())
    written.1.append(0)
    #expect(throws: CodingError.self) { try read(written, with: coding()) }
    #expect(throws: CodingError.self) { try read((written.0, []), with: coding()) }
  }

  @Test("a coding by hand has parts with codings of their own; each damaged byte is an error or another value")
  func parts() throws {
    let coding = coding()
    let notes = [Note(author: "a", text: "x"), Note(author: nil, text: "y"), Note(author: "b", text: "z")]
    var writer = ByteWriter()
    var ends: Set<Int> = [0]
    for note in notes {
      try writer.append(note, with: coding)
      ends.insert(writer.count)
    }
    cipher.forget("b")
    func read(_ bytes: [UInt8]) throws -> [Note] {
      try bytes.withUnsafeBytes { part in
        var reader = ByteReader(part)
        var found: [Note] = []
        while reader.remaining > 0 { found += try reader.readValues(with: coding) }
        return found
      }
    }
    #expect(try read(writer.bytes) == [notes[0], notes[1], Note(author: "b", text: "forgotten")])
    for place in writer.bytes.indices {
      for bit in 0..<8 {
        var damaged = writer.bytes
        damaged[place] ^= 1 << bit
        if let found = try? read(damaged) { #expect(found.count <= notes.count) }
      }
      if !ends.contains(place) { #expect(throws: (any Error).self) { try read(Array(writer.bytes.prefix(place))) } }
    }
  }
}
