import { firstSigns, PART_OF_A_SIGN } from '#kernel/hiddenCharacters.ts'

/** Characters without a shape of their own: control and bidi characters, unassigned ones, and fillers that draw nothing. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u
const GAP = '[\\p{C}\\p{Z}\\s]+'
const GAPS_AND_HIDDEN = new RegExp(
  `(?<kept>${PART_OF_A_SIGN})|(?<gap>${GAP})|\\p{Default_Ignorable_Code_Point}`,
  'gu',
)
/** Empty lines in a row that a text keeps. */
const MANY_BREAKS = /\n{3,}/g
/** Longest name of a person, in characters. */
export const NAME_LENGTH = 80
const LONGEST_EMAIL = 254
const EMAIL =
  /^[^\s@<>"'\\,;:()[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Whether a text is an email as we take it: no quoted forms, no hidden characters, an ASCII domain. */
export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && !HIDDEN.test(text) && EMAIL.test(text)

/**
 * A text as one line without hidden characters, at most `length` characters: it looks in a page and a mail as it is. Joiners stay
 * where they make one sign or word of several; no sign is cut in two.
 */
export const oneLine = (text: string, length = Infinity): string => {
  const line = text.normalize('NFC').replace(GAPS_AND_HIDDEN, (match, ...more) => {
    const { kept, gap } = more.at(-1) as { kept?: string; gap?: string }
    return kept !== undefined ? match : gap !== undefined ? ' ' : ''
  })
  return firstSigns(line.trim(), length).trim()
}

/** A text of several lines without hidden characters: it looks in a page as it is. */
export const severalLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => oneLine(line))
    .join('\n')
    .replace(MANY_BREAKS, '\n\n')
    .trim()
