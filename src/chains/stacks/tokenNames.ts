import { firstSigns, replaceHidden } from '#kernel/hiddenCharacters.ts'

/** Letters of other alphabets, and digits, that read like Latin ones in most typefaces. */
const TWINS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  а: 'a',
  в: 'b',
  с: 'c',
  ѕ: 's',
  е: 'e',
  н: 'h',
  і: 'i',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  т: 't',
  х: 'x',
  у: 'y',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}

/** A symbol as an eye reads it: without case, marks, spaces and hidden characters, letters of other alphabets as Latin ones. */
export function symbolAsRead(symbol: string): string {
  let read = ''
  for (const character of symbol.normalize('NFKD').toLowerCase()) {
    if (/[\p{L}\p{N}]/u.test(character)) read += TWINS[character] ?? character
  }
  // A capital I and a small l are one stroke.
  return read.replaceAll('i', 'l')
}

/** Text of the chain for people: what controls the direction or is not seen is shown as `�`, and what is long is cut. */
export function visibleText(text: string, most = 80): string {
  const shown = replaceHidden(text, '\ufffd').trim()
  return firstSigns(shown, most) === shown ? shown : `${firstSigns(shown, most - 1)}…`
}
