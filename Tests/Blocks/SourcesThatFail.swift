// What the blocks of the article about sources that fail use and do not show. `.ci/blocks` has the compiler read them
// beside this file, outside of the package.

import Aggregate

let boat = Aggregator(initial: Boat())
