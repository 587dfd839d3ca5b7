import { readBlocks } from '#warehouse/decode.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import type { Scope } from '../scope.ts'
import { type Identity, personsOf } from './people.ts'
import { partsSql } from './scopeSql.ts'

/**
 * Who committed. Addresses have numbers from 0, in an order in which those of a person follow each other, and so do their
 * rows: those of address `n` are rows `starts[n]` up to `starts[n + 1]`.
 */
export type Authors = {
  readonly addresses: number
  readonly people: number
  /** Of a person, the number of the first address; one more at the end. */
  readonly firstAddress: Uint32Array
  readonly starts: Uint32Array
  /** The places of addresses, and the bits of the first one to look at. */
  readonly places: Uint32Array
  readonly mask: number
}

type Found = { address: bigint; rows: number }

/** Addresses, how many rows with a day each has, and which belong together. */
export async function readAuthors({ writer }: Pick<Warehouse, 'writer'>, scope: Scope): Promise<Authors> {
  const rowsOf = new Map<bigint, number>()
  const identities: Identity[] = []
  const sql = `SELECT
  c.address AS address, c.alias AS alias, c.name AS name, toUInt8(max(c.bot = '')) AS is_person,
  toUInt32(countIf(NOT c.is_off_clock)) AS rows
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${partsSql(scope)})
GROUP BY c.address, c.alias, c.name`
  const types = {
    address: 'UInt64',
    alias: 'UInt64',
    name: 'UInt64',
    is_person: 'UInt8',
    rows: 'UInt32',
  } as const
  for await (const { rowCount, columns } of readBlocks(writer, sql, types))
    for (let row = 0; row < rowCount; row += 1) {
      const address = columns.address[row]!
      const [alias, name] = [columns.alias[row]!, columns.name[row]!]
      rowsOf.set(address, (rowsOf.get(address) ?? 0) + columns.rows[row]!)
      if (columns.is_person[row] === 1 && (alias !== address || name !== 0n))
        identities.push({ address, alias, name })
    }
  return numbered(rowsOf, personsOf(identities))
}

function numbered(rowsOf: ReadonlyMap<bigint, number>, persons: ReadonlyMap<bigint, bigint>): Authors {
  const byPerson = new Map<bigint, Found[]>()
  for (const [address, rows] of rowsOf) {
    const person = persons.get(address) ?? address
    const own = byPerson.get(person)
    if (own === undefined) byPerson.set(person, [{ address, rows }])
    else own.push({ address, rows })
  }
  const firstAddress = new Uint32Array(byPerson.size + 1)
  const starts = new Uint32Array(rowsOf.size + 1)
  const { places, mask, set } = placesOf(rowsOf.size)
  let [person, number, start] = [0, 0, 0]
  for (const own of byPerson.values()) {
    for (const { address, rows } of own) {
      set(address)
      start += rows
      number += 1
      starts[number] = start
    }
    person += 1
    firstAddress[person] = number
  }
  return { addresses: rowsOf.size, people: byPerson.size, firstAddress, starts, places, mask }
}

/** What stands of an address: its halves, its number from 1, and a word for whoever reads rows; so one look finds all. */
export const PLACE_WORDS = 4

/**
 * Addresses in open places by hash: asked for ten million rows, a map of bigints would take most of the time. The first place
 * to look at is that of the halves' bits.
 */
function placesOf(addresses: number): { places: Uint32Array; mask: number; set(address: bigint): void } {
  const mask = 2 ** Math.ceil(Math.log2(addresses * 1.5 + 1)) - 1
  const places = new Uint32Array((mask + 1) * PLACE_WORDS)
  let number = 0
  return {
    places,
    mask,
    set(address) {
      const [low, high] = [Number(address & 0xffff_ffffn), Number(address >> 32n)]
      let place = (low ^ high) & mask
      while (places[place * PLACE_WORDS + 2] !== 0) place = (place + 1) & mask
      number += 1
      places.set([low, high, number], place * PLACE_WORDS)
    },
  }
}
