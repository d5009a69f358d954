/// The calls of a file system that files of this module are written and read with. They are as the system has them: a
/// call may be interrupted, and may write or read less than it was asked for.
///
/// A test has one of its own, which fails where the system hardly ever does.
package protocol FileSystem: Sendable {
  /// Makes a file that is not there, for writing. Only its owner may read it.
  func create(_ path: String) throws(SystemError) -> Int32

  /// Opens a file that is there, for writing at its end.
  func append(to path: String) throws(SystemError) -> Int32

  /// Opens a file for reading.
  func open(_ path: String) throws(SystemError) -> Int32

  /// The length of an open file.
  ///
  /// - Errors: what is no regular file is refused, because its length says nothing.
  func size(of file: Int32) throws(SystemError) -> Int

  /// Reads at the place where the call before has ended.
  ///
  /// - Returns: the number of bytes that were read; 0 at the end.
  func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int

  /// Writes at the end of the file.
  ///
  /// - Returns: the number of bytes that were written.
  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int

  /// Shortens a file that is open for writing.
  func truncate(_ file: Int32, to size: Int) throws(SystemError)

  /// Returns when what was written is on the medium.
  func sync(_ file: Int32) throws(SystemError)

  /// Returns `true` if the name of an open file was removed, so that nothing leads to what is written.
  func isRemoved(_ file: Int32, at path: String) throws(SystemError) -> Bool

  /// Closes a file. The descriptor is free also if it throws.
  func close(_ file: Int32) throws(SystemError)

  /// Gives an open file the permissions of another one, if this is there.
  func keepMode(of path: String, in file: Int32) throws(SystemError)

  /// Gives a file another name. It takes the place of what has that name.
  func rename(_ path: String, to newPath: String) throws(SystemError)

  /// Removes a file.
  func remove(_ path: String) throws(SystemError)

  /// Makes a folder, for its owner only. One that is there is left as it is.
  ///
  /// - Returns: `false` if it was there.
  @discardableResult
  func createFolder(_ path: String) throws(SystemError) -> Bool

  /// The path from the root to what is there, without links.
  func resolve(_ path: String) throws(SystemError) -> String

  /// The names of the files in a folder, in no order.
  func list(_ path: String) throws(SystemError) -> [String]

  /// Keeps others out of the folder of a file, which is made if it is not there: other processes, and this one if it
  /// tries again. Closing what is returned, or the end of the process, lets others in.
  ///
  /// - Errors: `EWOULDBLOCK` if the folder is locked.
  func lock(_ path: String) throws(SystemError) -> Int32

  /// Returns when the names in a folder are on the medium.
  func syncFolder(_ path: String) throws(SystemError)
}
