import { type Reader, readRows } from '../readRows.ts'

/** Contracts on Stacks whose sources are alike. */
export type ContractFamily = {
  /** The oldest of them. */
  head: string
  headTime: string
  contractCount: number
  deployerCount: number
  /** Least likeness of a member to the head, 0 to 1. */
  leastLikeness: number
  members: { contract: string; likeness: number }[]
}

export type ContractFamilies = {
  families: ContractFamily[]
  /** Contracts that were compared, the newest that are held. */
  comparedCount: number
  /** From this likeness on contracts count as of one family. */
  threshold: number
}

/** Sources that are compared: each with those of the same sketch places alone, so it stays a matter of milliseconds. */
const COMPARED = 1500
/** Hashes that stand for a source: the likeness has a standard error of about 4 %. */
const SKETCH = 128
const THRESHOLD = 0.8
const MEMBERS_SHOWN = 20

/**
 * What of a source counts: its words without comments, with texts, numbers, bytes and principals taken as one of their kind,
 * so that a token made from a form is like the next one. Five words in a row make a shingle; the smallest hashes of all
 * shingles are its sketch (bottom-k MinHash: Broder 1997, Cohen 2007).
 */
const SKETCHES = String.raw`SELECT
  contract, deployer, toUnixTimestamp(block_time) AS timeS,
  arraySlice(arraySort(arrayDistinct(arraySlice(arrayMap(
    (a, b, c, d, e) -> sipHash64(a, b, c, d, e),
    words, arrayShiftLeft(words, 1), arrayShiftLeft(words, 2), arrayShiftLeft(words, 3), arrayShiftLeft(words, 4)
  ), 1, greatest(length(words) - 4, 1)))), 1, ${SKETCH}) AS sketch
FROM (
  SELECT
    contract, deployer, block_time,
    arrayMap(word -> sipHash64(word), extractAll(
      replaceRegexpAll(
        replaceRegexpAll(
          replaceRegexpAll(
            replaceRegexpAll(source_code, 'u?"(?:[^"\\\\]|\\\\.)*"', '"t"'),
            ';[^\n]*', ' '
          ),
          '\'S[0-9A-Z]{20,}(?:\\.[a-zA-Z][a-zA-Z0-9-]*)?', 'principal'
        ),
        '\\b(?:u?[0-9]+|0x[0-9a-fA-F]*)\\b', '0'
      ),
      '[(){}]|[^(){}\\s]+'
    )) AS words
  FROM (
    SELECT contract, deployer, block_time, source_code
    FROM stx_contracts
    WHERE source_code != ''
    ORDER BY height DESC, contract
    LIMIT ${COMPARED}
  )
)
ORDER BY timeS, contract`

type Row = { contract: string; deployer: string; timeS: number; sketch: string[] }

/** Families of the newest contracts that are held, the largest first; contracts that are like no other are left out. */
export async function readFamilies(reader: Reader): Promise<ContractFamilies> {
  const rows = await readRows<Row>(reader, SKETCHES)
  type Growing = { head: Row; members: { row: Row; likeness: number }[] }
  const growing: Growing[] = []
  // Heads by each hash of their sketch: a source is compared with heads that share one of its smallest.
  const byHash = new Map<string, Set<Growing>>()
  for (const row of rows) {
    const near = new Set(row.sketch.slice(0, SKETCH / 4).flatMap(hash => [...(byHash.get(hash) ?? [])]))
    let best: { family: Growing; likeness: number } | undefined
    for (const family of near) {
      const likeness = likenessOf(family.head.sketch, row.sketch)
      if (likeness >= THRESHOLD && likeness > (best?.likeness ?? 0)) best = { family, likeness }
    }
    if (best !== undefined) {
      best.family.members.push({ row, likeness: best.likeness })
      continue
    }
    const family: Growing = { head: row, members: [{ row, likeness: 1 }] }
    growing.push(family)
    for (const hash of row.sketch.slice(0, SKETCH / 2)) {
      const known = byHash.get(hash)
      if (known === undefined) byHash.set(hash, new Set([family]))
      else known.add(family)
    }
  }
  return {
    comparedCount: rows.length,
    threshold: THRESHOLD,
    families: growing
      .filter(({ members }) => members.length > 1)
      .sort((a, b) => b.members.length - a.members.length || (a.head.contract < b.head.contract ? -1 : 1))
      .map(({ head, members }) => ({
        head: head.contract,
        headTime: new Date(head.timeS * 1000).toISOString().replace('.000Z', 'Z'),
        contractCount: members.length,
        deployerCount: new Set(members.map(({ row }) => row.deployer)).size,
        leastLikeness: Math.min(...members.map(({ likeness }) => likeness)),
        members: members
          .slice(0, MEMBERS_SHOWN)
          .map(({ row, likeness }) => ({ contract: row.contract, likeness })),
      })),
  }
}

/** Share of common shingles, estimated: of the smallest hashes of both together, those that both have. */
export function likenessOf(a: readonly string[], b: readonly string[]): number {
  const own = new Set(a)
  const other = new Set(b)
  const union = [...new Set([...a, ...b])]
    .map(BigInt)
    .sort((one, two) => (one < two ? -1 : one > two ? 1 : 0))
    .slice(0, SKETCH)
  if (union.length === 0) return 0
  return union.filter(hash => own.has(String(hash)) && other.has(String(hash))).length / union.length
}
