import type { z } from 'zod'
import { SourceError } from './errors.ts'
import type { SourceAnswer } from './live.ts'

/** A value of an answer that did not fit and was left out, while the rest of the answer was used. */
export type RefusedValue = {
  /** Its place in the answer, or the figure that it would have been. */
  readonly field: string
  readonly reason: string
}

/** Reads the values of one answer one by one, so that a bad one costs no other. */
export type Parts = {
  /** The value at `at` where it fits; else undefined, and it counts as refused. */
  read<Schema extends z.ZodType>(schema: Schema, json: unknown, at: string): z.infer<Schema> | undefined
  /** The entries of a list that fit, each with its place in the answer. */
  entries<Schema extends z.ZodType>(
    schema: Schema,
    list: readonly unknown[],
    at?: string,
  ): { readonly entry: z.infer<Schema>; readonly at: string }[]
  /** Counts a value as refused that has the right form and cannot be used. */
  refuse(field: string, reason: string): void
  /** How many values are refused so far. */
  readonly count: number
  /** The answer with its refused values. Throws `sources.shape` where values were refused and none is left. */
  answer(answer: Omit<SourceAnswer, 'refused'>): SourceAnswer
}

/** `what` begins the sentence of a refusal: `TVL of rootstock`. */
export function createParts(what: string): Parts {
  const refused: RefusedValue[] = []
  const refuse = (field: string, reason: string): void => {
    refused.push({ field, reason: `${what}: ${field === '' ? 'the answer' : field}: ${reason}` })
  }
  const read: Parts['read'] = (schema, json, at) => {
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    refuse(pathOf(at, ...(issue?.path ?? [])), issue?.message ?? 'it does not fit')
    return undefined
  }
  return {
    read,
    refuse,
    entries(schema, list, at = '') {
      return list.flatMap((json, index) => {
        const place = pathOf(at, index)
        const entry = read(schema, json, place)
        return entry === undefined ? [] : [{ entry, at: place }]
      })
    },
    get count() {
      return refused.length
    },
    answer(answer) {
      const lists = [answer.observations, answer.prices, answer.tokenWords, answer.poolListings]
      const [first] = refused
      if (first !== undefined && lists.every(list => list === undefined || list.length === 0))
        throw new SourceError('sources.shape', first.reason, { facts: { field: first.field } })
      return { ...answer, refused }
    },
  }
}

/** `data.3.tvl`. */
export const pathOf = (...parts: readonly PropertyKey[]): string =>
  parts
    .map(String)
    .filter(part => part !== '')
    .join('.')

/** The sum of values; undefined where one of them was refused, since a sum over some of them is no figure. */
export const sumOfAll = (values: readonly (number | undefined)[]): number | undefined =>
  values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
