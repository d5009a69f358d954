#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Which thread this is, to tell a nested call from a concurrent one. Zero is nobody.
@usableFromInline
package enum ThreadIdentity {
  @usableFromInline package static var nobody: UInt { 0 }

  @usableFromInline package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
