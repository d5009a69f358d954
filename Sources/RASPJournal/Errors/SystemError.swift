#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A call of the system that has failed.
package struct SystemError: Error, Equatable {
  /// The name of the call.
  package let call: String
  /// The value of `errno`.
  package let code: Int32

  package init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  // The codes that other files ask for, so that they need not import the library of the system.

  /// The code of a call for a file that is not there.
  package static let notThere = ENOENT
  /// The call was interrupted by a signal, and can be made again.
  static let interrupted = EINTR
  static let invalid = EINVAL
  static let deviceFailed = EIO
  static let notAllowed = EACCES
  /// Another one has the lock.
  static let isLocked = EWOULDBLOCK
  /// There is no thread to be had now.
  static let noThread = EAGAIN

  /// The meaning of a value of `errno` that a file can give. `strerror` may be used by one thread only.
  static func words(for code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "the process may not do that"
    case EEXIST: "there is a file already"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of the path is no folder"
    case ENOSPC, EDQUOT: "there is no space left"
    case EFBIG: "the file would be too large"
    case EROFS: "the file system can only be read"
    case EMFILE, ENFILE: "too many files are open"
    case ENAMETOOLONG: "the name is too long"
    case EIO: "the device has failed"
    case EINVAL: "the system refuses the arguments"
    default: "see errno"
    }
  }

  /// What can be done, as a further sentence; empty if that depends.
  static func remedy(for code: Int32) -> String {
    switch code {
    case ENOENT: " Check the path; the folder that it is in must be there."
    case EACCES, EPERM, EROFS: " Give the process the right to write there, or use another folder."
    case EEXIST, EISDIR, ENOTDIR, ENAMETOOLONG: " Use another path."
    case ENOSPC, EDQUOT, EFBIG: " Make room, and try again."
    case EMFILE, ENFILE: " Close files, or raise the limit."
    case EIO: " Copy the files to another device before anything else."
    default: ""
    }
  }
}
