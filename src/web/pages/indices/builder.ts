import { BACKTEST_NUMBERS, type BacktestQuery, INDEX_REBALANCES, INDEX_WEIGHTINGS } from '#http/contract.ts'
import { isDay } from '#kernel/days.ts'

/** How the builder is written in the address: `b.` before each key. Defaults are left out. */
export const NUMBERS = ['cap', 'age', 'floor', 'cost'] as const
export type NumberKey = (typeof NUMBERS)[number]
export const keyOf = (name: string): string => `b.${name}`
export const isBuilderKey = (key: string): boolean => key.startsWith('b.')

export type Chosen = Omit<BacktestQuery, 'tokens'> & { tokens: readonly string[] | undefined }

/** What the address asks for; a number that is none, or out of bounds, is told and its first value taken. */
export function readBuilder(query: URLSearchParams): {
  chosen: Chosen
  faults: Readonly<Partial<Record<NumberKey | 'span', string>>>
} {
  const faults: Partial<Record<NumberKey | 'span', string>> = {}
  const number = (name: NumberKey): number => {
    const { least, most, first } = BACKTEST_NUMBERS[name]
    const text = query.get(keyOf(name))?.trim()
    if (text === undefined || text === '') return first
    const value = Number(text)
    if (Number.isFinite(value) && value >= least && value <= most) return value
    faults[name] =
      `A number from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}; ${first.toLocaleString('en-US')} is taken.`
    return first
  }
  const one = <Name extends string>(name: string, names: readonly [Name, ...Name[]]): Name =>
    names.find(known => known === query.get(keyOf(name))) ?? names[0]
  const day = (name: string): string | undefined => {
    const text = query.get(keyOf(name))
    return isDay(text) ? text : undefined
  }
  let [from, to] = [day('from'), day('to')]
  if (from !== undefined && to !== undefined && from >= to) {
    faults.span = 'The first day must be before the last. Showing the full history.'
    from = to = undefined
  }
  const tokens = query.getAll(keyOf('token')).flatMap(text => text.split(',').filter(Boolean))
  return {
    chosen: {
      tokens: tokens.length === 0 ? undefined : [...new Set(tokens)].slice(0, 60),
      weighting: one('weighting', INDEX_WEIGHTINGS),
      rebalance: one('rebalance', INDEX_REBALANCES),
      cap: number('cap'),
      age: number('age'),
      floor: number('floor'),
      cost: number('cost'),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    },
    faults,
  }
}

/** The same question to the API. */
export function apiHref({ tokens, ...rest }: Chosen, format?: 'csv'): string {
  const query = new URLSearchParams()
  if (tokens !== undefined) query.set('tokens', tokens.join(','))
  for (const [key, value] of Object.entries(rest)) query.set(key, String(value))
  if (format !== undefined) query.set('format', format)
  return `/api/v1/indices/backtest?${query.toString().replaceAll('%2C', ',')}`
}
