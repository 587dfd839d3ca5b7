import { z } from 'zod'
import { SourceError } from '#sources/errors.ts'
import type { RefusedValue } from '#sources/parts.ts'
import type { Checked } from './checkAnswer.ts'
import { FIGURES } from './figures.ts'
import { type Held, priceSeries, seriesKey } from './heldFigures.ts'

/** Figures that were refused as too far off, by series, and how often in a row the publisher has given them. */
export const Suspects = z.record(z.string(), z.object({ figure: z.number(), times: z.int().positive() }))
export type Suspects = z.infer<typeof Suspects>

const JUMP = 100
/** Given this often in a row it is accepted: a wrong unit or a lost digit is corrected within a few answers, a real step stays. */
const ACCEPTED_AT = 3
/** Later answers confirm a figure that is this near to it, as a ratio. */
const ALIKE = 2

export type WithoutJumps = {
  readonly checked: Checked
  /** To be remembered until the next answer; null where nothing is in doubt. */
  readonly suspects: Suspects | null
}

/**
 * Leaves out every series whose newest figure is more than a hundred times the last one, or less than a hundredth, until
 * three answers in a row give it. The whole series goes, since its older days may be in the same wrong unit.
 * @throws JumpError where every series that can be judged is off: then the unit of the whole answer may have changed.
 */
export function withoutJumps(checked: Checked, held: Held, before: Suspects | null): WithoutJumps {
  const judged = judgedOf(checked, held)
  const suspects: Record<string, Suspects[string]> = {}
  const refused = new Map<string, RefusedValue>()
  let error: JumpError | undefined
  for (const jump of judged.filter(({ isJump }) => isJump)) {
    const known = before?.[jump.series]
    const times = known !== undefined && isAlike(known.figure, jump.figure) ? known.times + 1 : 1
    if (times >= ACCEPTED_AT) continue
    suspects[jump.series] = { figure: jump.figure, times }
    const each = new JumpError(jump, times)
    error ??= each
    refused.set(jump.series, { field: jump.name, reason: each.message })
  }
  if (error === undefined) return { checked, suspects: null }
  if (refused.size === judged.length) throw error.with(suspects)
  return {
    suspects,
    checked: {
      ...checked,
      observations: checked.observations.filter(
        ({ metric, entity, breakdown }) => !refused.has(seriesKey(metric, entity, breakdown)),
      ),
      prices: checked.prices.filter(({ asset, quote }) => !refused.has(priceSeries(asset, quote))),
      refused: [...checked.refused, ...refused.values()],
    },
  }
}

type Judged = {
  readonly series: string
  readonly name: string
  readonly last: number
  readonly figure: number
  readonly isJump: boolean
}

export class JumpError extends SourceError {
  suspects: Suspects = {}

  constructor({ name, last, figure }: Judged, times: number) {
    super(
      'sources.jump',
      `${name}: ${figure} is more than ${JUMP} times off the last figure, ${last}. It is accepted once ${ACCEPTED_AT} answers in a row give it (${times} so far).`,
      { facts: { field: name } },
    )
  }

  with(suspects: Suspects): this {
    this.suspects = suspects
    return this
  }
}

/** The newest figure of each series that has an earlier one to compare with. */
function judgedOf({ observations, prices }: Checked, held: Held): Judged[] {
  const newest = new Map<string, { day: string; name: string; figure: number; from: number }>()
  const note = (series: string, name: string, day: string, figure: number, from: number): void => {
    if (day >= (newest.get(series)?.day ?? '')) newest.set(series, { day, name, figure, from })
  }
  for (const { metric, entity, breakdown, day, amount, value } of observations) {
    const from = FIGURES[metric]?.jumpFrom
    if (from !== undefined)
      note(
        seriesKey(metric, entity, breakdown),
        `${metric} ${entity} ${day}`,
        day,
        Number(amount ?? value),
        from,
      )
  }
  for (const { asset, quote, day, close } of prices)
    note(priceSeries(asset, quote), `price ${asset} ${quote} ${day}`, day, close, 0)
  return [...newest].flatMap(([series, { day, name, figure, from }]) => {
    const last = held.newest.get(series)
    const isKnown = last !== undefined && day >= last.day && Math.max(figure, last.figure) >= from
    if (!isKnown) return []
    const isJump = Math.max(figure, last.figure) > JUMP * Math.min(figure, last.figure)
    return [{ series, name, last: last.figure, figure, isJump }]
  })
}

const isAlike = (one: number, other: number): boolean => Math.max(one, other) <= ALIKE * Math.min(one, other)
