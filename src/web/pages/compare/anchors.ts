/** Ids of the sections that come to life with a reader's first step: the page and their scripts share them. */
export const METHOD = 'how-we-compare'
export const MOVES = 'moves'
export const NEWEST = 'newest-report'
