/// A subscription: the messages of a subject, in the order in which the server sends them.
///
/// It goes on over reconnections; ``NATSClient/status`` tells of them. It ends when the last copy of it goes away, with
/// ``unsubscribe()`` and when the client is closed.
///
/// Nothing is dropped silently: if more than `subscriptionLimit` bytes were received and not read, the subscription
/// ends with ``NATSError/slowConsumer(subject:unread:bytes:)`` after all that came before. The socket is read on
/// meanwhile, because the answers of requests come by the same one.
///
/// - Concurrency: several tasks may read; each message goes to one of them.
package struct NATSSubscription: Sendable {
  private let lifetime: Lifetime

  init(inbox: SubscriptionInbox, session: SessionReference) {
    lifetime = Lifetime(inbox: inbox, session: session)
  }

  /// What was subscribed to.
  package var subject: String { lifetime.inbox.subject }

  /// Waits for messages, and returns all that have come; `nil` after the end.
  ///
  /// - Errors: ``NATSError/cancelled`` if the task is cancelled, and what has ended the subscription.
  package func nextBatch() async throws(NATSError) -> [NATSMessage]? {
    try await lifetime.inbox.next()
  }

  /// Ends the subscription. What has come can still be read.
  package func unsubscribe() {
    lifetime.end()
  }
}

/// Ends the subscription when its last copy goes away.
private final class Lifetime: Sendable {
  let inbox: SubscriptionInbox
  private let session: SessionReference

  init(inbox: SubscriptionInbox, session: SessionReference) {
    self.inbox = inbox
    self.session = session
  }

  deinit { end() }

  func end() {
    inbox.end(with: nil)
    session.putEnd(.unsubscribe(inbox))
  }
}
