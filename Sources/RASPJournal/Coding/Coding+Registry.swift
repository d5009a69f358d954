public import Aggregate

extension Coding where Value == any AggregateEvent {
  /// JSON of events of several types, each in version 1. A type that needs more is added with ``adding(_:)``.
  ///
  /// ```
  /// let coding = Coding.registry([LinkOpened.self, LinkClosed.self])
  ///   .adding(Coding<LinkMoved>.codable(version: 2))
  /// ```
  ///
  /// - Errors: an event of a type that is not there cannot be written, see ``CodingError/Problem/unregistered``.
  public static func registry(_ types: [any (AggregateEvent & Codable).Type]) -> Coding {
    types.reduce(Coding(members: [:], owners: [:], kinds: [], decoders: [:])) { registry, type in registry.adding(type)
    }
  }

  /// Makes a registry that has one more type, with its own coding. The type may be there already: then it is written
  /// with this coding. Another type of the same name and version would be read as the first one, so neither of both can
  /// be written or read, see ``CodingError/Problem/ambiguous``: give one of their codings another name with `named`.
  ///
  /// - Complexity: O(types).
  public func adding<Event: AggregateEvent>(_ coding: Coding<Event>) -> Coding {
    let type = ObjectIdentifier(Event.self)
    var (decoders, owners) = (decoders, owners)
    for (kind, decoder) in coding.decoders {
      decoders[kind] =
        switch decoder {
        case .one(let decode): .one { bytes in try decode(&bytes) }
        case .several(let decode): .several { bytes in try decode(&bytes) }
        }
    }
    var members = members
    let first = kinds.count
    members[ObjectIdentifier(Event.self)] = { event, bytes in
      // The dictionary is asked with the type of the event, so this always holds.
      guard let event = event as? Event else { throw CodingError(unregistered: event) }
      return first + (try coding.encode(event, &bytes))
    }
    for kind in coding.decoders.keys {
      if let other = owners[kind], other != type {
        decoders[kind] = .one { _ in throw CodingError(kind, .ambiguous) }
        for type in [type, other] { members[type] = { _, _ in throw CodingError(kind, .ambiguous) } }
      }
      owners[kind] = type
    }
    return Coding(members: members, owners: owners, kinds: kinds + coding.kinds, decoders: decoders)
  }

  private func adding<Event: AggregateEvent & Codable>(_ type: Event.Type) -> Coding {
    adding(Coding<Event>.codable)
  }

  private init(
    members: [ObjectIdentifier: Encode],
    owners: [TypeVersion: ObjectIdentifier],
    kinds: [TypeVersion],
    decoders: [TypeVersion: Decoder]
  ) {
    self.init(kinds: kinds, decoders: decoders) { event, bytes in
      guard let encode = members[ObjectIdentifier(type(of: event))] else { throw CodingError(unregistered: event) }
      return try encode(event, &bytes)
    }
    self.members = members
    self.owners = owners
  }
}
