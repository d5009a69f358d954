import RASPServices
import TestSupport

/// Two hundred services in one expression: if the type checker took them together, this file would not compile.
struct TwoHundredServices: Service {
  let log: Log<String>

  var body: some Service {
    Group {
      Recording(name: "0", log: log).serial()
      Group { Recording(name: "1", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "2", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "3", log: log).environment(\.send, { _ in })
      Recording(name: "4", log: log).serial()
      Group { Recording(name: "5", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "6", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "7", log: log).environment(\.send, { _ in })
      Recording(name: "8", log: log).serial()
      Group { Recording(name: "9", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "10", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "11", log: log).environment(\.send, { _ in })
      Recording(name: "12", log: log).serial()
      Group { Recording(name: "13", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "14", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "15", log: log).environment(\.send, { _ in })
      Recording(name: "16", log: log).serial()
      Group { Recording(name: "17", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "18", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "19", log: log).environment(\.send, { _ in })
      Recording(name: "20", log: log).serial()
      Group { Recording(name: "21", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "22", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "23", log: log).environment(\.send, { _ in })
      Recording(name: "24", log: log).serial()
      Group { Recording(name: "25", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "26", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "27", log: log).environment(\.send, { _ in })
      Recording(name: "28", log: log).serial()
      Group { Recording(name: "29", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "30", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "31", log: log).environment(\.send, { _ in })
      Recording(name: "32", log: log).serial()
      Group { Recording(name: "33", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "34", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "35", log: log).environment(\.send, { _ in })
      Recording(name: "36", log: log).serial()
      Group { Recording(name: "37", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "38", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "39", log: log).environment(\.send, { _ in })
      Recording(name: "40", log: log).serial()
      Group { Recording(name: "41", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "42", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "43", log: log).environment(\.send, { _ in })
      Recording(name: "44", log: log).serial()
      Group { Recording(name: "45", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "46", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "47", log: log).environment(\.send, { _ in })
      Recording(name: "48", log: log).serial()
      Group { Recording(name: "49", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "50", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "51", log: log).environment(\.send, { _ in })
      Recording(name: "52", log: log).serial()
      Group { Recording(name: "53", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "54", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "55", log: log).environment(\.send, { _ in })
      Recording(name: "56", log: log).serial()
      Group { Recording(name: "57", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "58", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "59", log: log).environment(\.send, { _ in })
      Recording(name: "60", log: log).serial()
      Group { Recording(name: "61", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "62", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "63", log: log).environment(\.send, { _ in })
      Recording(name: "64", log: log).serial()
      Group { Recording(name: "65", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "66", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "67", log: log).environment(\.send, { _ in })
      Recording(name: "68", log: log).serial()
      Group { Recording(name: "69", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "70", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "71", log: log).environment(\.send, { _ in })
      Recording(name: "72", log: log).serial()
      Group { Recording(name: "73", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "74", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "75", log: log).environment(\.send, { _ in })
      Recording(name: "76", log: log).serial()
      Group { Recording(name: "77", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "78", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "79", log: log).environment(\.send, { _ in })
      Recording(name: "80", log: log).serial()
      Group { Recording(name: "81", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "82", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "83", log: log).environment(\.send, { _ in })
      Recording(name: "84", log: log).serial()
      Group { Recording(name: "85", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "86", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "87", log: log).environment(\.send, { _ in })
      Recording(name: "88", log: log).serial()
      Group { Recording(name: "89", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "90", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "91", log: log).environment(\.send, { _ in })
      Recording(name: "92", log: log).serial()
      Group { Recording(name: "93", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "94", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "95", log: log).environment(\.send, { _ in })
      Recording(name: "96", log: log).serial()
      Group { Recording(name: "97", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "98", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "99", log: log).environment(\.send, { _ in })
      Recording(name: "100", log: log).serial()
      Group { Recording(name: "101", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "102", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "103", log: log).environment(\.send, { _ in })
      Recording(name: "104", log: log).serial()
      Group { Recording(name: "105", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "106", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "107", log: log).environment(\.send, { _ in })
      Recording(name: "108", log: log).serial()
      Group { Recording(name: "109", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "110", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "111", log: log).environment(\.send, { _ in })
      Recording(name: "112", log: log).serial()
      Group { Recording(name: "113", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "114", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "115", log: log).environment(\.send, { _ in })
      Recording(name: "116", log: log).serial()
      Group { Recording(name: "117", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "118", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "119", log: log).environment(\.send, { _ in })
      Recording(name: "120", log: log).serial()
      Group { Recording(name: "121", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "122", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "123", log: log).environment(\.send, { _ in })
      Recording(name: "124", log: log).serial()
      Group { Recording(name: "125", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "126", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "127", log: log).environment(\.send, { _ in })
      Recording(name: "128", log: log).serial()
      Group { Recording(name: "129", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "130", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "131", log: log).environment(\.send, { _ in })
      Recording(name: "132", log: log).serial()
      Group { Recording(name: "133", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "134", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "135", log: log).environment(\.send, { _ in })
      Recording(name: "136", log: log).serial()
      Group { Recording(name: "137", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "138", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "139", log: log).environment(\.send, { _ in })
      Recording(name: "140", log: log).serial()
      Group { Recording(name: "141", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "142", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "143", log: log).environment(\.send, { _ in })
      Recording(name: "144", log: log).serial()
      Group { Recording(name: "145", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "146", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "147", log: log).environment(\.send, { _ in })
      Recording(name: "148", log: log).serial()
      Group { Recording(name: "149", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "150", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "151", log: log).environment(\.send, { _ in })
      Recording(name: "152", log: log).serial()
      Group { Recording(name: "153", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "154", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "155", log: log).environment(\.send, { _ in })
      Recording(name: "156", log: log).serial()
      Group { Recording(name: "157", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "158", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "159", log: log).environment(\.send, { _ in })
      Recording(name: "160", log: log).serial()
      Group { Recording(name: "161", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "162", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "163", log: log).environment(\.send, { _ in })
      Recording(name: "164", log: log).serial()
      Group { Recording(name: "165", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "166", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "167", log: log).environment(\.send, { _ in })
      Recording(name: "168", log: log).serial()
      Group { Recording(name: "169", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "170", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "171", log: log).environment(\.send, { _ in })
      Recording(name: "172", log: log).serial()
      Group { Recording(name: "173", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "174", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "175", log: log).environment(\.send, { _ in })
      Recording(name: "176", log: log).serial()
      Group { Recording(name: "177", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "178", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "179", log: log).environment(\.send, { _ in })
      Recording(name: "180", log: log).serial()
      Group { Recording(name: "181", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "182", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "183", log: log).environment(\.send, { _ in })
      Recording(name: "184", log: log).serial()
      Group { Recording(name: "185", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "186", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "187", log: log).environment(\.send, { _ in })
      Recording(name: "188", log: log).serial()
      Group { Recording(name: "189", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "190", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "191", log: log).environment(\.send, { _ in })
      Recording(name: "192", log: log).serial()
      Group { Recording(name: "193", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "194", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "195", log: log).environment(\.send, { _ in })
      Recording(name: "196", log: log).serial()
      Group { Recording(name: "197", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "198", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "199", log: log).environment(\.send, { _ in })
    }
  }
}
