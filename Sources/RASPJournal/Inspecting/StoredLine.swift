#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line of a tool: a text for people, and an object of JSON for programs.
public struct StoredLine: Sendable {
  /// The text. What is in it may come from outside, with all its characters.
  public let text: String
  /// The object, on one line.
  public let json: String

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - text: the text for people.
  ///   - members: those of the object, in their order; what is `nil` is left out.
  public init(_ text: String, _ members: KeyValuePairs<String, any Encodable>) {
    self.text = text
    json = Self.object(members)
  }

  /// Makes the line of a value, which is its object. A value in JSON stands there as it is, and other bytes in base64.
  ///
  /// - Parameters:
  ///   - payload: the bytes of the value.
  ///   - members: what is known of it, which stands before it.
  public init(value payload: [UInt8], _ members: KeyValuePairs<String, any Encodable>) {
    let data = Data(payload)
    let value =
      if let text = String(validating: payload, as: UTF8.self), !text.contains(where: \.isNewline),
        (try? JSONDecoder().decode(AnyJSON.self, from: data)) != nil
      {
        "\"value\":\(text)"
      } else {
        "\"base64\":\"\(data.base64EncodedString())\""
      }
    json = Self.object(members, and: [value])
    text = json
  }

  private static let coder = {
    let coder = JSONEncoder()
    coder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return coder
  }()

  private static func object(_ members: KeyValuePairs<String, any Encodable>, and others: [String] = []) -> String {
    let texts = members.compactMap { name, value in
      // Numbers, texts and what is made of them always have JSON.
      let json = (try? coder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
      return json == "null" ? nil : "\"\(name)\":\(json)"
    }
    return "{\((texts + others).joined(separator: ","))}"
  }
}

/// Decodes what every text in JSON is.
private struct AnyJSON: Decodable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(Double.self)) != nil { return }
    if (try? value.decode(String.self)) != nil || (try? value.decode([AnyJSON].self)) != nil { return }
    _ = try value.decode([String: AnyJSON].self)
  }
}
