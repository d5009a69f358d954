import NIOCore

/// The requests that were sent and wait for answers. Each has a time limit, so none stays.
///
/// Groups stand in the order of their numbers, so that an answer is found by its number: at the front nearly always,
/// because answers mostly come in order, otherwise by halving.
///
/// - Concurrency: a value of the session, on its event loop.
struct RequestTable {
  private var groups = CircularBuffer<RequestGroup>()
  private var nextToken: UInt64 = 0

  /// Adds a group that is about to be sent, and gives it its numbers.
  mutating func add(_ group: RequestGroup) {
    dropFinishedFront()
    assert(groups.last.map { $0.firstToken < nextToken } ?? true, "Groups stand in the order of their numbers.")
    group.number(from: nextToken)
    nextToken += UInt64(group.requests.count)
    groups.append(group)
  }

  /// Takes an answer. One that comes too late is for none.
  mutating func complete(_ token: UInt64, with message: NATSMessage, server: String) {
    guard let group = group(of: token) else { return }
    let index = Int(token - group.firstToken)
    assert(group.requests.indices.contains(index), "The group has the request of the number.")
    if message.hasHeaders, message.status == 503, message.payload.readableBytes == 0 {
      group.complete(index, with: .failure(.noResponders(server: server, subject: group.requests[index].subject)))
    } else {
      group.complete(index, with: .success(message))
    }
    if group.isDone { dropFinishedFront() }
  }

  /// Gives the requests an error for which it is chosen.
  mutating func fail(
    where isChosen: (RequestGroup) -> Bool = { _ in true },
    with error: (RequestGroup, NATSRequest) -> NATSError
  ) {
    for group in groups where !group.isDone && isChosen(group) {
      group.fail { error(group, $0) }
    }
    groups.removeAll { $0.isDone }
  }

  /// When the first of them must have its answer.
  var earliestDeadline: NIODeadline? {
    groups.lazy.filter { !$0.isDone }.map(\.deadline).min()
  }

  private mutating func dropFinishedFront() {
    while let first = groups.first, first.isDone {
      groups.removeFirst()
    }
  }

  private func group(of token: UInt64) -> RequestGroup? {
    var low = 0
    var high = groups.count
    if let first = groups.first, token >= first.firstToken, token - first.firstToken < UInt64(first.requests.count) {
      return first
    }
    while low < high {
      let middle = (low + high) / 2
      let group = groups[offset: middle]
      if token < group.firstToken {
        high = middle
      } else if token - group.firstToken < UInt64(group.requests.count) {
        return group
      } else {
        low = middle + 1
      }
    }
    return nil
  }
}

extension CircularBuffer {
  fileprivate subscript(offset offset: Int) -> Element {
    self[index(startIndex, offsetBy: offset)]
  }
}
