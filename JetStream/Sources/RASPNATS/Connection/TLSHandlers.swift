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
      let name = settings.serverName ?? address.host
      // A number is no name: the certificate is compared with the address of the socket then.
      let isNumber = (try? SocketAddress(ipAddress: name, port: 0)) != nil
      return try NIOSSLClientHandler(
        context: NIOSSLContext(configuration: configuration),
        serverHostname: isNumber ? nil : name
      )
    } catch {
      throw .tls(server: address.description, reason: "\(error)")
    }
  }

  /// Whether an error of a channel is one of the encryption.
  static func isOurs(_ error: any Error) -> Bool {
    error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
  }
}
