import { readBlocks } from '#warehouse/decode.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import type { Scope } from '../scope.ts'
import { type Authors, changedMeanwhile, PLACE_WORDS } from './authors.ts'
import { partsSql, placesSql } from './scopeSql.ts'

/** Words that a row takes. */
export const ROW_WORDS = 4
const PLACE_BIT = 16
/** Repositories have places below this one. */
export const MOST_PLACES = 2 ** 15
const CLEAN = 0x8000_0000

/** Rows of some people, by address: of each row the two halves of its work, its day, place and kind, its commits. Threads share them. */
export type Rows = { readonly words: Uint32Array; readonly firstRow: number }

export const dayOf = (word: number): number => word & 0xffff
export const placeOf = (word: number): number => (word >>> PLACE_BIT) & (MOST_PLACES - 1)
/** Of somebody, no merge, of a day that is known. */
export const isClean = (word: number): boolean => word >= CLEAN
export const withoutClean = (word: number): number => word - CLEAN

/** Rows that wait in memory at once: 16 bytes each. */
const MOST_ROWS = 16_000_000

/** Ranges of people whose rows are in memory at once; who has more than all of it is alone. */
export function rangesOf({ people, firstAddress, starts }: Authors, most = MOST_ROWS): [number, number][] {
  const ranges: [number, number][] = []
  const rowOf = (person: number): number => starts[firstAddress[person]!]!
  for (let from = 0, person = 1; person <= people; person += 1)
    if (person === people || rowOf(person + 1) - rowOf(from) > most) {
      ranges.push([from, person])
      from = person
    }
  return ranges
}

/**
 * All rows with a day of these people, in one pass over the table as it lies: each goes to where those of its address are. So
 * nothing is sorted. Throws `metrics.commits_changed` where the rows are not those that were numbered.
 */
export async function readRows(
  { writer }: Pick<Warehouse, 'writer'>,
  scope: Scope,
  { starts, firstAddress, places, mask }: Authors,
  [from, to]: readonly [number, number],
): Promise<Rows> {
  const [firstRow, lastRow] = [starts[firstAddress[from]!]!, starts[firstAddress[to]!]!]
  const words = new Uint32Array(new SharedArrayBuffer((lastRow - firstRow) * ROW_WORDS * 4))
  startAt(places, starts)
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
      const [low, high] = [addresses[row * 2]!, addresses[row * 2 + 1]!]
      let at = ((low ^ high) & mask) * PLACE_WORDS
      while (places[at] !== low || places[at + 1] !== high) {
        if (places[at + 2] === 0) throw changedMeanwhile()
        at = (at + PLACE_WORDS) & (places.length - 1)
      }
      // Of others than these people the word lies outside, where nothing is written.
      const word = (places[at + 3]! - firstRow) * ROW_WORDS
      places[at + 3]! += 1
      if (word < 0 || word >= words.length) continue
      words[word] = works[row * 2]!
      words[word + 1] = works[row * 2 + 1]!
      words[word + 2] = day[row]! | (place[row]! << PLACE_BIT) | (is_clean[row]! << 31)
      words[word + 3] = commits[row]!
    }
  }
  if (!endAt(places, starts)) throw changedMeanwhile()
  return { words, firstRow }
}

/** Each address has its first row next. */
function startAt(places: Uint32Array, starts: Uint32Array): void {
  for (let at = 0; at < places.length; at += PLACE_WORDS)
    if (places[at + 2] !== 0) places[at + 3] = starts[places[at + 2]! - 1]!
}

/** Whether each address had as many rows as were counted: else some lie where those of others should. */
function endAt(places: Uint32Array, starts: Uint32Array): boolean {
  for (let at = 0; at < places.length; at += PLACE_WORDS)
    if (places[at + 2] !== 0 && places[at + 3] !== starts[places[at + 2]!]) return false
  return true
}
