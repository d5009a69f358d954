import Foundation

#if canImport(Darwin)
  import Darwin
  private let streamSocket = SOCK_STREAM
#else
  import Glibc
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

/// Sends requests by HTTP to a server on this machine.
///
/// `URLSession` on Linux refuses the answers of chromedriver, which writes no space behind the colon of a header.
struct LocalServer {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let port: UInt16

  /// Sends a request and returns the status and the body of the answer. It blocks a thread of its own.
  func send(_ method: String, _ path: String, _ body: Data) async throws -> (status: Int, body: Data) {
    let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
    let request = Data((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    return try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try exchange(request) }) }.start()
    }
  }

  private func exchange(_ request: Data) throws -> (status: Int, body: Data) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw failure("connect") }
    var unsent = request[...]
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure("write") }
      unsent = unsent.dropFirst(count)
    }
    return try answer(from: descriptor)
  }

  /// Reads the head, and as much of a body as it says.
  private func answer(from descriptor: Int32) throws -> (status: Int, body: Data) {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var expected: (status: Int, start: Int, length: Int)?
    while expected.map({ data.count < $0.start + $0.length }) ?? true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw failure("read") }
      data += buffer[..<count]
      guard expected == nil, let end = data.range(of: Data("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: data[..<end.lowerBound], as: UTF8.self).lowercased()
      let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      let length = head.firstMatch(of: /content-length: *(\d+)/).flatMap { Int($0.1) }
      expected = (status ?? 0, end.upperBound, length ?? 0)
    }
    guard let expected else { throw failure("read") }
    return (expected.status, data.dropFirst(expected.start))
  }

  private func failure(_ call: String) -> Failure {
    Failure(description: "\(call): \(String(cString: strerror(errno)))")
  }
}
