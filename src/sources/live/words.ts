import { firstSigns, replaceHidden } from '#kernel/hiddenCharacters.ts'

const LONGEST_WORD = 128
const LONGEST_URL = 500
const LINKS: ReadonlySet<string> = new Set(['https:', 'http:', 'ipfs:', 'ar:'])

/** Words that anyone may write: without characters that cannot be seen or turn the direction of others; null for none. */
export function wordOf(text: string | null | undefined): string | null {
  return firstSigns(replaceHidden(text ?? '', '').trim(), LONGEST_WORD) || null
}

/** An address of a picture, kept as text: nothing here ever loads it. Null for what is no link. */
export function linkOf(text: string | null | undefined): string | null {
  const url = URL.parse(text?.trim() ?? '')
  return url !== null && LINKS.has(url.protocol) && url.href.length <= LONGEST_URL ? url.href : null
}
