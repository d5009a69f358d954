import NIOCore
import NIOSSL

/// Makes what encrypts a connection.
enum TLSHandlers {
  /// - Errors: ``NATSError/tls(server:reason:)`` if a file cannot be read.
  static func handler(for settings: NATSTLS, address: ServerAddress) throws(NATSError) -> NIOSSLClientHandler {
    do {
      var configuration = TLSConfiguration.makeClientConfiguration()
      if let path = settings.authorities {
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
      }
      if let path = settings.certificate {
        configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
      }
      if let path = settings.privateKey {
        configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
      }
      if !settings.verifiesServer { configuration.certificateVerification = .none }
      let name = name(for: settings, address: address)
      // A number is no name: the certificate is compared with the address of the socket, or later by `checkName`.
      let isNumber = number(name) != nil
      if isNumber, name != address.host, settings.verifiesServer {
        configuration.certificateVerification = .noHostnameVerification
      }
      return try NIOSSLClientHandler(
        context: NIOSSLContext(configuration: configuration),
        serverHostname: isNumber ? nil : name
      )
    } catch {
      throw .tls(server: address.description, reason: "\(error)")
    }
  }

  /// The name or the number that the certificate of a server must have.
  static func name(for settings: NATSTLS?, address: ServerAddress) -> String {
    settings?.serverName ?? address.verifiedName ?? address.host
  }

  /// Looks for the name, or the number, in the certificate if it is not the one of the address.
  ///
  /// NIOSSL takes a certificate for the number of the socket, too. So whoever adds an address needs a certificate for
  /// that address only, which can be had, and not for the name.
  static func checkName(
    in pipeline: ChannelPipeline,
    for settings: NATSTLS,
    address: ServerAddress
  ) throws(NATSError) {
    let name = name(for: settings, address: address)
    guard settings.verifiesServer, name != address.host else { return }
    let number = number(name)
    let certificate = try? pipeline.syncOperations.nioSSL_peerCertificate()
    let entries = certificate.map { Array($0._subjectAlternativeNames()) } ?? []
    // Without entries NIOSSL has found a name in the subject of the certificate. For a number it has not looked.
    let isThere =
      entries.isEmpty
      ? number == nil
      : entries.contains { entry in
        entry.contents.withUnsafeBufferPointer { bytes in
          if let number { return entry.nameType == .ipAddress && bytes.elementsEqual(number) }
          return entry.nameType == .dnsName && isOf(String(decoding: bytes, as: UTF8.self), name)
        }
      }
    guard isThere else {
      throw .tls(server: address.description, reason: "its certificate is not one for \(name)")
    }
  }

  /// Whether a name is that of an entry, whose first word may be `*`.
  static func isOf(_ entry: String, _ name: String) -> Bool {
    let (entry, name) = (entry.lowercased(), name.lowercased())
    if entry == name { return true }
    guard entry.hasPrefix("*."), let dot = name.firstIndex(of: "."), dot > name.startIndex else { return false }
    return entry.dropFirst() == name[dot...]
  }

  /// The bytes of an address in numbers; `nil` if it is a name.
  private static func number(_ name: String) -> [UInt8]? {
    switch try? SocketAddress(ipAddress: name, port: 0) {
    case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
    case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
    default: nil
    }
  }

  /// Whether an error of a channel is one of the encryption.
  static func isOurs(_ error: any Error) -> Bool {
    error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
  }
}
