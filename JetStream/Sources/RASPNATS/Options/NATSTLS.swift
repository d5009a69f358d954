/// How a client makes sure that it talks to the right server, and that nothing else can listen.
///
///     options.nats.tls = .init(authorities: "/etc/nats/ca.pem")
///
/// ### Servers of a cluster
///
/// A server names the others of its cluster, by name or by number. They are verified by the name by which that server
/// was: their certificates must have it, beside their own. So an address that was added on the way gets no
/// credentials. Name all servers when you connect if each has a certificate for its own name only.
public struct NATSTLS: Sendable, Equatable {
  /// The file with the certificates (PEM) of the authorities that are believed; those of the system if `nil`.
  public var authorities: String?
  /// The file with the certificate (PEM) of this client, for servers that ask for one.
  public var certificate: String?
  /// The file with the private key (PEM) of that certificate.
  public var privateKey: String?
  /// The name that must stand in the server's certificate, if it is not the one in the address.
  public var serverName: String?
  /// Whether encryption begins before the server has said anything, as `handshake_first` of a server wants it.
  public var isFirst = false
  /// Whether the server's certificate is looked at. Without it everything is encrypted, but for an unknown reader.
  public var verifiesServer = true

  /// Makes settings.
  public init(authorities: String? = nil, certificate: String? = nil, privateKey: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.privateKey = privateKey
  }
}
