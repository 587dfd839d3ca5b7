import { WORDS_BY_VERSION } from '#kernel/clarityWords.ts'
import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'

const WORDS = WORDS_BY_VERSION.map(([version, word]) => `(${version}, ${sqlString(word)})`).join(', ')

/** A word stands between blanks and brackets; remarks and texts are taken out before it is looked for. */
export const stxClarityWords: View = view('stx_clarity_words', {
  doc: 'One row per contract and word of Clarity 4 or 6 that its source uses, outside of remarks and texts.',
  columns: {
    contract: 'the contract, as `address.name`',
    deployer: 'who made it',
    height: 'block that made it',
    block_time: 'its time, UTC',
    clarity_version: 'version of Clarity that it is in',
    word: 'the word',
    since_version: 'version of Clarity that brought it',
  },
  sql: `SELECT
  contract, deployer, height, block_time, assumeNotNull(clarity_version) AS clarity_version, found.2 AS word, found.1 AS since_version
FROM (
  SELECT
    contract, deployer, height, block_time, clarity_version,
    arrayMap(
      w -> assumeNotNull(w),
      splitByRegexp('[\\\\s()]+', replaceRegexpAll(source_code, ';;[^\\n]*|"(\\\\\\\\.|[^"\\\\\\\\])*"', ' '))
    ) AS words
  FROM stx_contracts
  WHERE clarity_version >= 4
)
ARRAY JOIN arrayFilter(w -> w.1 <= clarity_version AND has(words, w.2), [${WORDS}]) AS found`,
})

export const CLARITY_VIEWS: readonly View[] = [stxClarityWords]
