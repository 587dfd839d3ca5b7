/** A piece of a sentence; `principal` is the address or contract that it names, `asset` the token (`STX`, or `contract::asset`). */
export type SentencePart = {
  readonly text: string
  readonly principal?: string
  readonly asset?: string
}

/** What a transaction, a call or a print says, for people. */
export type Sentence = {
  readonly text: string
  readonly parts: SentencePart[]
  /** `pattern`: the catalogue has a sentence for it; `standard`: a standard has; `name`: made of the words of the function’s and its arguments’ names; `generic`: the function with its arguments. */
  readonly from: 'pattern' | 'standard' | 'name' | 'generic' | 'kind'
  /** Slug of the protocol whose contract it is; null where the catalogue knows none. */
  readonly protocol: string | null
}

export const plain = (text: string): SentencePart => ({ text })

/** One part for neighbours that are plain text. */
export function sentenceOfParts(
  parts: readonly SentencePart[],
  rest: Pick<Sentence, 'from' | 'protocol'>,
): Sentence {
  const joined: SentencePart[] = []
  let text = ''
  for (const part of parts) {
    text += part.text
    const last = joined.at(-1)
    if (isPlain(part) && last !== undefined && isPlain(last))
      joined[joined.length - 1] = plain(last.text + part.text)
    else joined.push(part)
  }
  return { text, parts: joined, ...rest }
}

const isPlain = (part: SentencePart): boolean => part.principal === undefined && part.asset === undefined

/** The same with a capital at its beginning. */
export function capitalised(parts: readonly SentencePart[]): SentencePart[] {
  const [first, ...rest] = parts
  if (first === undefined) return []
  return [{ ...first, text: `${first.text.charAt(0).toUpperCase()}${first.text.slice(1)}` }, ...rest]
}
