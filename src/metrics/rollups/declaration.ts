import { createHash } from 'node:crypto'
import type { Schema } from '#warehouse/index.ts'
import type { BucketGrain } from '#warehouse/tables/rollups.ts'
import type { Rollup } from './rollup.ts'

/**
 * What the run of a bucket is kept under: the fingerprint of its base rows folded with that of the declaration, so that a
 * bucket is stale when either changes. A bucket without base rows has nothing to compute, whatever the declaration: `0`.
 */
export type RunSignature = (rollup: Rollup, grain: BucketGrain, ofRows: string) => string

/** The mark of the declaration of a rollup, by which runs of it are told from those of another one. */
export type DeclarationMark = (rollup: Rollup, grain: BucketGrain) => bigint

const NAME = /\b[a-z][a-z0-9_]*\b/g

/**
 * A declaration is the statement of a rollup with those of the views and rollups that it reads, and that these read: with
 * the same texts, the same base rows give the same figures. A view that only lets the rows of a table through does not
 * belong to it: another column beside those that are read changes nothing, and years would be counted again for it.
 */
export function createDeclarationMark(
  rollups: readonly Rollup[],
  { tables, views }: Pick<Schema, 'tables' | 'views'>,
): DeclarationMark {
  const faces = new Set(tables.map(({ name }) => name))
  const statements = new Map([
    ...views.flatMap(({ name, sql }): [string, string][] => (faces.has(name) ? [] : [[name, sql]])),
    ...rollups.map(({ table, grains, select }): [string, string] => [
      table.name,
      grains.map(grain => select(grain)).join('\n'),
    ]),
  ])
  const marks = new Map<string, bigint>()
  const markOf: DeclarationMark = ({ table, select }, grain) => {
    const key = `${table.name} ${grain}`
    const known = marks.get(key)
    if (known !== undefined) return known
    const mark = markOfText(textOf(select(grain), statements))
    marks.set(key, mark)
    return mark
  }
  return markOf
}

/** What runs are kept under, by the marks of their declarations. */
export const createRunSignature =
  (markOf: DeclarationMark): RunSignature =>
  (rollup, grain, ofRows) =>
    folded(ofRows, markOf(rollup, grain))

/** 64 bits that tell one text from another. */
export const markOfText = (text: string): bigint =>
  createHash('sha256').update(text).digest().readBigUInt64BE()

/** A fingerprint of rows with the mark of what is done with them; `0`, no rows, stays as it is. */
export const folded = (ofRows: string, mark: bigint): string =>
  ofRows === '0' ? '0' : String(BigInt(ofRows) ^ mark)

/** A statement and all that stand beneath it, in an order that follows from their names. */
function textOf(sql: string, statements: ReadonlyMap<string, string>): string {
  const read = new Map<string, string>()
  const add = (statement: string): void => {
    for (const [name] of statement.matchAll(NAME)) {
      const found = statements.get(name)
      if (found === undefined || read.has(name)) continue
      read.set(name, found)
      add(found)
    }
  }
  add(sql)
  return JSON.stringify([sql, ...[...read].sort(([one], [other]) => (one < other ? -1 : 1))])
}
