// What the blocks of the article about drawn runs use and do not show.

import RASPInsight

let timeline = Insight().timeline
