import { z } from 'zod'
import { SourceError } from '#sources/errors.ts'
import type { Checked } from './checkAnswer.ts'
import { FIGURES } from './figures.ts'
import { type Held, priceSeries, seriesKey } from './heldFigures.ts'

/** Figures that were refused as too far off, and how often the publisher has said them by now. */
export const Suspects = z.object({ times: z.int().positive(), figures: z.record(z.string(), z.number()) })
export type Suspects = z.infer<typeof Suspects>

const JUMP = 100
/** Said this often in a row it is believed: a wrong unit or a lost digit is mended within a few answers, a real step stays. */
const BELIEVED_AT = 3
/** Later answers confirm a figure that is this near to it, as a ratio. */
const ALIKE = 2

/**
 * Looks for a figure of the newest day that is more than a hundred times what was held last, or less than a hundredth.
 * Returns what is to be remembered: nothing where all is well or confirmed.
 * @throws JumpError with the suspects to remember.
 */
export function demandNoJump(checked: Checked, held: Held, before: Suspects | null): void {
  const jumps = jumpsOf(checked, held)
  const [first] = jumps
  if (first === undefined) return
  const isConfirmed = jumps.every(({ series, figure }) => {
    const known = before?.figures[series]
    return known !== undefined && isAlike(known, figure)
  })
  const times = isConfirmed && before !== null ? before.times + 1 : 1
  if (times >= BELIEVED_AT) return
  throw new JumpError(first, {
    times,
    figures: Object.fromEntries(jumps.map(({ series, figure }) => [series, figure])),
  })
}

type Jump = { readonly series: string; readonly name: string; readonly last: number; readonly figure: number }

export class JumpError extends SourceError {
  readonly suspects: Suspects

  constructor({ name, last, figure }: Jump, suspects: Suspects) {
    super(
      'sources.jump',
      `${name}: ${figure} is more than ${JUMP} times off the last figure, ${last}; it is taken once ${BELIEVED_AT} answers in a row say so (${suspects.times} by now).`,
      { facts: { field: name } },
    )
    this.suspects = suspects
  }
}

function jumpsOf({ observations, prices }: Checked, held: Held): Jump[] {
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
    const isJump =
      last !== undefined &&
      day >= last.day &&
      Math.max(figure, last.figure) >= from &&
      Math.max(figure, last.figure) > JUMP * Math.min(figure, last.figure)
    return isJump ? [{ series, name, last: last.figure, figure }] : []
  })
}

const isAlike = (one: number, other: number): boolean => Math.max(one, other) <= ALIKE * Math.min(one, other)
