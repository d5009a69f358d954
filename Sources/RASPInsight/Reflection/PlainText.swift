/// Returns the debug text of a value of the most frequent types; `nil` for all others. Reflection takes many times as long, and a
/// cast asks the runtime, where a comparison of types does.
func plainDebugText(of value: Any) -> String? {
  let type = type(of: value)
  if type == Int.self { return (value as? Int)?.description }
  if type == Double.self { return (value as? Double)?.debugDescription }
  if type == String.self { return (value as? String)?.debugDescription }
  if type == Bool.self { return (value as? Bool)?.description }
  return nil
}

/// Returns the text of a value of the most frequent types; `nil` for all others.
func plainText(of value: Any) -> String? {
  let type = type(of: value)
  if type == String.self { return value as? String }
  if type == Double.self { return (value as? Double)?.description }
  return plainDebugText(of: value)
}
