import { ExplorerError } from '../errors.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import type { Sentence } from './sentences/index.ts'

export type StacksName = {
  name: string
  owner: string
  /** Of BNS: 1 or 2. */
  version: number
  /** It stands beside the address of its owner. */
  isPrimary: boolean
  /** Block in which it got there, and its time. */
  height: number
  time: string
}

/** Names as they were read last. */
export type NameBook = {
  /** The name that stands beside an address. */
  primary(address: string): string | undefined
  /** All names of an address, the primary one first. */
  of(address: string): readonly StacksName[]
  /** Throws `explorer.name_not_found`. */
  find(name: string): StacksName
}

/** How old names may be before they are read anew; pages never wait for that. */
const FRESH_MS = 30_000

/**
 * Keeps the names of BNS in memory: nearly every page of Stacks names many addresses, and who has which name rests on the
 * movements of all of them.
 */
export function createNameBooks(reader: Reader, now: () => number = Date.now): () => Promise<NameBook> {
  let held: NameBook | undefined
  let readAt = 0
  let reading: Promise<NameBook> | undefined
  const read = async (): Promise<NameBook> => {
    try {
      held = bookOf(await readNames(reader))
      readAt = now()
      return held
    } finally {
      reading = undefined
    }
  }
  return async () => {
    if (held === undefined || now() - readAt > FRESH_MS) reading ??= read()
    if (held === undefined) return (await reading)!
    // The next page has them; a failure leaves those that are held.
    reading?.catch(() => undefined)
    return held
  }
}

async function readNames(reader: Reader): Promise<StacksName[]> {
  const rows = await readRows<Omit<StacksName, 'time'> & { timeS: number }>(
    reader,
    `SELECT name, owner, version, is_primary AS isPrimary, height, toUnixTimestamp(block_time) AS timeS
FROM stx_names
ORDER BY owner, is_primary DESC, version DESC, name`,
  )
  return rows.map(({ timeS, ...row }) => ({ ...row, time: isoOf(timeS) }))
}

function bookOf(names: readonly StacksName[]): NameBook {
  const byOwner = Map.groupBy(names, ({ owner }) => owner)
  const byName = new Map<string, StacksName>()
  // A name that both versions know is that of the second.
  for (const name of names)
    if ((byName.get(name.name)?.version ?? 0) < name.version) byName.set(name.name, name)
  return {
    primary: address => byOwner.get(address)?.find(({ isPrimary }) => isPrimary)?.name,
    of: address => byOwner.get(address) ?? [],
    find(asked) {
      const name = asked.trim().toLowerCase()
      const found = byName.get(name)
      if (found !== undefined) return found
      throw new ExplorerError(
        'explorer.name_not_found',
        `No indexed block mentions the name ${name.slice(0, 80)}.`,
        {
          hint: 'Names come from transfers of their tokens in indexed blocks. See /status for indexed heights.',
          facts: { name: name.slice(0, 80) },
        },
      )
    },
  }
}

/** A sentence in which addresses with a name are called by it, beside their own letters. */
export function withNames(sentence: Sentence, book: NameBook): Sentence {
  let isChanged = false
  const parts = sentence.parts.map(part => {
    const name = part.principal === undefined ? undefined : book.primary(part.principal)
    if (name === undefined) return part
    isChanged = true
    return { ...part, text: `${name} (${part.text})` }
  })
  return isChanged ? { ...sentence, parts, text: parts.map(({ text }) => text).join('') } : sentence
}
