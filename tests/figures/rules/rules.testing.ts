import { pageParts } from '../pageParts.ts'
import type { Rule, RuleContext } from '../rule.ts'

/** The day on which the made pages are read. */
export const TODAY = '2026-08-06'

export const dayBefore = (days: number): string =>
  new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10)

export type Made = Readonly<Record<string, unknown>>

/** An API that answers series from a list, and nothing else. */
export const context = (
  points: readonly { day: string; value: number | null; state: string; source: string }[] = [],
): RuleContext =>
  ({
    api: { series: async () => ({ metric: { breakdown: null }, points }) },
    rows: async () => [],
    today: TODAY,
  }) as unknown as RuleContext

/** Problems that a rule finds in pages made of loader answers. */
export async function problems(rule: Rule, pages: Readonly<Record<string, Made>>, given = context()) {
  const parts = Object.entries(pages).map(([address, answer]) =>
    pageParts({ address, data: { page: answer } }),
  )
  return (await rule.check(parts, given)).map(({ address, problem }) => `${address}: ${problem}`)
}

export const kpi = (assay: string, value: number | string, day = '2026-08-05') => ({
  assay,
  label: assay,
  value,
  unit: 'sat',
  day,
  spark: [],
})

export const sumOf = (value: number, from: string, ...addends: [string, number, string][]) => ({
  value,
  unit: 'sat',
  from,
  to: addends
    .map(([, , day]) => day)
    .sort()
    .at(-1),
  addends: addends.map(([entity, amount, day]) => ({
    entity,
    value: amount,
    unit: 'sat',
    day,
    assay: `btc.bridged@${entity}`,
  })),
})

export const plot = (values: (number | null)[]) => ({
  start: '2026-08-01',
  grain: 'day',
  count: values.length,
  unit: 'USD',
  lines: [{ key: 'a', label: 'A', colour: '', values, incomplete: [], assay: 'dex.volume@alex' }],
})
