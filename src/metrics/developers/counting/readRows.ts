import { readBlocks } from '#warehouse/decode.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import type { Scope } from '../scope.ts'
import { type Authors, PLACE_WORDS } from './authors.ts'
import { aboutOf, changedMeanwhile, type Range, type Rows, rowsBefore, WAITING_WORDS } from './rows.ts'
import { partsSql, placesSql } from './scopeSql.ts'

/**
 * All rows with a day of these people, in one pass over the table as it lies: each is put behind those of its batch that came
 * before. Nothing is sorted, and memory is written in as many places at once as there are batches, not as there are addresses.
 * Throws `metrics.commits_changed` where the rows are not those that were numbered.
 */
export async function readRows(
  { writer }: Pick<Warehouse, 'writer'>,
  scope: Scope,
  authors: Authors,
  batches: readonly Range[],
): Promise<Rows> {
  const { places, mask } = authors
  const first = rowsBefore(authors, batches[0]![0])
  const ends = batches.map(([, to]) => rowsBefore(authors, to) - first)
  const words = new Uint32Array(new SharedArrayBuffer(ends.at(-1)! * WAITING_WORDS * 4))
  const next = Float64Array.from(batches, ([from]) => rowsBefore(authors, from) - first)
  noteBatches(authors, batches)
  const sql = `SELECT
  c.address AS address, c.work AS work, c.day AS day, toUInt16(${placesSql(scope)}) AS place,
  toUInt8(NOT c.is_merge AND c.bot = '') AS is_clean, c.commits AS commits
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${partsSql(scope)}) AND NOT c.is_off_clock`
  const types = {
    address: 'UInt64',
    work: 'UInt64',
    day: 'Date',
    place: 'UInt16',
    is_clean: 'UInt8',
    commits: 'UInt32',
  } as const
  for await (const { rowCount, columns } of readBlocks(writer, sql, types)) {
    const { day, place, is_clean, commits } = columns
    const addresses = new Uint32Array(columns.address.buffer)
    const works = new Uint32Array(columns.work.buffer)
    for (let row = 0; row < rowCount; row += 1) {
      const low = addresses[row * 2]!
      const high = addresses[row * 2 + 1]!
      let at = ((low ^ high) & mask) * PLACE_WORDS
      while (places[at] !== low || places[at + 1] !== high) {
        if (places[at + 2] === 0) throw changedMeanwhile()
        at = (at + PLACE_WORDS) & (places.length - 1)
      }
      const batch = places[at + 3]! - 1
      if (batch < 0) continue
      const word = next[batch]! * WAITING_WORDS
      next[batch]! += 1
      words[word] = places[at + 2]! - 1
      words[word + 1] = works[row * 2]!
      words[word + 2] = works[row * 2 + 1]!
      words[word + 3] = aboutOf(day[row]!, place[row]!, is_clean[row]!)
      words[word + 4] = commits[row]!
    }
  }
  // Within a batch, whoever walks through it finds whether each address has its rows.
  if (ends.some((end, batch) => next[batch] !== end)) throw changedMeanwhile()
  return { words, batches }
}

/** Writes down for each address in which of the batches its rows are, from 1; 0 for those of other people. */
function noteBatches({ places, firstAddress, addresses }: Authors, batches: readonly Range[]): void {
  const batchOf = new Uint32Array(addresses)
  for (const [index, [from, to]] of batches.entries())
    batchOf.fill(index + 1, firstAddress[from]!, firstAddress[to]!)
  for (let at = 0; at < places.length; at += PLACE_WORDS)
    if (places[at + 2] !== 0) places[at + 3] = batchOf[places[at + 2]! - 1]!
}
