// What the blocks of the article about RaspSwift use and do not show.

import Streams

let crawler = Observable<String, Never>.never
let cleaner = Observable<String, Never>.never
