import NIOCore
import NIOPosix

/// Errors of sockets, as they stand in those of a client.
enum TransportError {
  /// The words of an error of the transport, without what is said elsewhere.
  static func reason(of error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      if let first = error.connectionErrors.first { return reason(of: first.error) }
      if error.dnsAError != nil || error.dnsAAAAError != nil { return "the name \(error.host) is not known" }
    }
    if case ChannelError.connectTimeout(let limit) = error {
      return "there was no answer within \(Double(limit.nanoseconds) / 1e9) s"
    }
    return "\(error)"
  }
}
