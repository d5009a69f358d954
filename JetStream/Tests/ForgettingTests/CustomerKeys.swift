import Crypto
import RASPJournal
import Synchronization

// The article "Forgetting a person" shows this type as it stands here.

/// The keys of customers. An application keeps them in a store of its own, apart from journals and from their copies.
final class CustomerKeys: Sendable {
  private let keys = Mutex<[String: SymmetricKey]>([:])

  /// Encrypts bytes with the key of a customer, which is made if there is none.
  func seal(_ bytes: [UInt8], of customer: String) throws -> [UInt8] {
    let key = keys.withLock { keys in
      let key = keys[customer] ?? SymmetricKey(size: .bits256)
      keys[customer] = key
      return key
    }
    let box = try AES.GCM.seal(bytes, using: key, authenticating: Array(customer.utf8))
    return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  /// Decrypts bytes, or returns `nil` if the customer has been forgotten.
  func open(_ sealed: [UInt8], of customer: String) throws -> [UInt8]? {
    guard let key = keys.withLock({ $0[customer] }) else { return nil }
    let box = try AES.GCM.SealedBox(combined: sealed)
    return Array(try AES.GCM.open(box, using: key, authenticating: Array(customer.utf8)))
  }

  func forget(_ customer: String) {
    keys.withLock { $0[customer] = nil }
  }
}
