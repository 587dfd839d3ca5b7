/** Scripts whose spelling uses the zero-width joiner and non-joiner. */
const JOINED_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Khmer', 'Myanmar', 'Tibetan', 'Sinhala'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
]
const JOINED = `[${JOINED_SCRIPTS.map(script => `\\p{Script=${script}}`).join('')}]`

/**
 * Characters without a shape that are part of a visible sign: joined emoji and their look, joined letters, flags of regions.
 * For regular expressions with the flag `u`.
 */
export const PART_OF_A_SIGN = [
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)\\ufe0f|(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Marks that several scripts share belong to none of them, as the vowels of Arabic.
  `(?<=${JOINED}\\p{M}{0,4})[\\u200c\\u200d](?=${JOINED})`,
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f}',
].join('|')
const HIDDEN = new RegExp(`(?<kept>${PART_OF_A_SIGN})|[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029]`, 'gu')

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Replaces characters that cannot be seen or that turn the direction of others. Joiners stay between the signs that they
 * join (UTS #51 for emoji; Unicode 23.2 for letters), since without them one sign falls apart into several.
 */
export const replaceHidden = (text: string, by: string): string =>
  text.replace(HIDDEN, (match, ...more) => {
    const { kept } = more.at(-1) as { kept?: string }
    return kept === undefined ? by : match
  })

/** The first signs of a text, at most so many code points; no sign is cut in two. */
export function firstSigns(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  let [kept, count] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    count += [...segment].length
    if (count > maxCodePoints) break
    kept += segment
  }
  return kept
}
