// Those names of SwiftUI that RASPServices has too, and as much around them as an example needs. SwiftUI brings
// Observation along, and so does this module.

@_exported import Observation

/// A part of a screen. The real protocol has no text; here it is what a test looks at.
@MainActor
public protocol View {
  /// The type of the body.
  associatedtype Body: View

  /// What the view is made of.
  @ViewBuilder var body: Body { get }

  /// What the view shows.
  var shown: String { get }
}

extension View {
  /// What the body shows.
  public var shown: String { body.shown }
}

extension View where Body == Never {
  /// Views that are made of nothing else have no body.
  public var body: Never { fatalError("a view without a body was asked for it") }
}

extension Never: View {
  /// There is no such view.
  public var body: Never { self }

  /// There is no such view.
  public var shown: String { switch self {} }
}

/// Makes one view of a list of views.
@resultBuilder
public enum ViewBuilder {
  /// One view stays as it is.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

/// A text.
public struct Text: View {
  /// The text has no body.
  public typealias Body = Never

  /// The text.
  public let shown: String

  /// A view that shows a text.
  public init(_ text: String) {
    shown = text
  }
}

/// Reads an object of the surroundings of a view.
@propertyWrapper
public struct EnvironmentObject<ObjectType: AnyObject> {
  /// Reads the object of the type of the property.
  public init() {}

  /// There is no such object in this module.
  public var wrappedValue: ObjectType { fatalError("no object was put in the environment") }
}

/// Views that are treated as one.
public struct Group<Content> {
  private let content: Content
}

extension Group: View where Content: View {
  /// The group has no body.
  public typealias Body = Never

  /// What the views show.
  public var shown: String { content.shown }

  /// A group of what the closure gives.
  public init(@ViewBuilder content: () -> Content) {
    self.init(content: content())
  }
}

/// A key of the environment.
public protocol EnvironmentKey<Value> {
  /// The type of what is found under the key.
  associatedtype Value

  /// What is found under the key when nothing has been set.
  static var defaultValue: Value { get }
}

/// What views find in their environment: here always the defaults.
public struct EnvironmentValues {
  /// An environment in which nothing has been set.
  public init() {}

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value { Key.defaultValue }

  /// Whether a view answers to its user.
  public var isEnabled: Bool { true }
}

/// Reads a value of the environment.
@propertyWrapper
public struct Environment<Value> {
  /// The value.
  public let wrappedValue: Value

  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    wrappedValue = EnvironmentValues()[keyPath: keyPath]
  }
}
