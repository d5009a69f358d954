/// The script of ``Timeline/page``, in parts by idea. The parts are put together in this order, in one scope.
enum PageScript {
  static var text: String {
    "'use strict';\n{\n" + model + texts + list + details + lanes + keys + "\n}"
  }
}
