/// What ``Undoable`` and ``Reversible`` are encoded as: the present state, and what can be undone and redone.
struct CodedHistory<Base, Past, Future> {
  private enum CodingKeys: String, CodingKey {
    case present, limit, past, future
  }

  let present: Base
  let limit: Int
  let past: History<Past>
  let future: History<Future>
}

extension CodedHistory: Encodable where Base: Encodable, Past: Encodable, Future: Encodable {}

extension CodedHistory: Decodable where Base: Decodable, Past: Decodable, Future: Decodable {
  /// - Errors: throws `DecodingError.dataCorrupted` if there are more steps than the limit allows.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    present = try container.decode(Base.self, forKey: .present)
    limit = try container.decode(Int.self, forKey: .limit)
    past = try container.decode(History<Past>.self, forKey: .past)
    future = try container.decode(History<Future>.self, forKey: .future)
    for (key, count) in [(CodingKeys.past, past.count), (.future, future.count)] where count > max(0, limit) {
      let problem = "There are \(count) steps, and the limit is \(limit)."
      throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: problem)
    }
  }
}
