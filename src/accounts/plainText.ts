/** Characters without a shape of their own: control and bidi characters, unassigned ones, and fillers that draw nothing. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u
/** Longest name of a person, in characters. */
export const NAME_LENGTH = 80
const LONGEST_EMAIL = 254
const EMAIL =
  /^[^\s@<>"'\\,;:()[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Whether a text is an email as we take it: no quoted forms, no hidden characters, an ASCII domain. */
export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && !HIDDEN.test(text) && EMAIL.test(text)

/** A text as one line without hidden characters, at most `length` characters: it looks in a page and a mail as it is. */
export const oneLine = (text: string, length = Infinity): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .trim(),
  ]
    .slice(0, length)
    .join('')
    .trim()
