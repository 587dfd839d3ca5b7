/** Longest text that is searched for; what is longer is cut. */
export const LONGEST_ASKED = 200
/** Words of it that count: the rest of a long text changes nothing that a reader sees. */
const MOST_WORDS = 8
const LONGEST_WORD = 40

/** Text as it is compared: without accents and case, a number without zeros before it (`SIP-031` is called sip 31 too). */
const plainOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<!\d)0+(?=\d)/g, '')

/** The words of a text in their order: runs of letters and digits. */
export const wordsOf = (text: string): string[] => plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A name in one piece, so that `stacking dao`, `StackingDAO` and `stacking-dao` are the same. */
export const keyOf = (text: string): string => wordsOf(text).join('')

/** What a reader has typed, as words that may be looked up: never more than a page of them. */
export const askedWords = (text: string): string[] =>
  wordsOf(text.slice(0, LONGEST_ASKED))
    .slice(0, MOST_WORDS)
    .map(word => word.slice(0, LONGEST_WORD))

/** A word as it stands and in the singular: a reader who types `treasury` means treasuries too. */
export function formsOf(word: string): string[] {
  if (word.length > 4 && word.endsWith('ies')) return [word, `${word.slice(0, -3)}y`]
  if (word.length > 3 && /[^us]s$/.test(word)) return [word, word.slice(0, -1)]
  return [word]
}

/** A part of a label, from one UTF-16 unit up to and without another. */
export type Mark = { readonly from: number; readonly to: number }

/**
 * The parts of a label that answer what was typed: of each word the letters that were typed, or the whole word where it was only meant
 * (`meant` are such words). In their order, none over another.
 */
export function marksOf(label: string, typed: readonly string[], meant: ReadonlySet<string>): Mark[] {
  const whole = keyOf(label).startsWith(typed.join('')) && typed.length === 1 ? typed.join('') : undefined
  const marks: Mark[] = []
  for (const { 0: part, index } of label.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = keyOf(part)
    const start = typed.filter(asked => word.startsWith(asked)).toSorted((a, b) => b.length - a.length)[0]
    if (start !== undefined) marks.push({ from: index, to: index + lengthOf(part, start) })
    else if (formsOf(word).some(form => meant.has(form) || typed.some(asked => form.startsWith(asked))))
      marks.push({ from: index, to: index + part.length })
    // `stackingdao` begins the words Stacking and DAO together.
    else if (whole?.startsWith(word) && marks.length === 0)
      marks.push({ from: index, to: index + part.length })
  }
  return marks
}

/** How many units of a written word its first plain letters take: `SIP031` begins with sip31. */
function lengthOf(written: string, plain: string): number {
  for (let end = 1; end < written.length; end += 1)
    if (keyOf(written.slice(0, end)).length >= plain.length && keyOf(written.slice(0, end)) === plain)
      return end
  return written.length
}
