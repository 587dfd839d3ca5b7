/** How old a figure is against the time in which the next one is due. */
export type Freshness = 'live' | 'stale' | 'overdue'

/** Stale beyond twice the cadence, overdue beyond four times it; age and cadence in one unit. */
export const freshnessOf = (age: number, cadence: number): Freshness =>
  age > 4 * cadence ? 'overdue' : age > 2 * cadence ? 'stale' : 'live'

/** A key figure of a page: the UTC days of its oldest and its newest part, one and the same unless it is a sum. */
export type Headline = { readonly from: string; readonly to: string; readonly cadenceDays: number }

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** A figure is as old as its oldest part. */
const freshnessOn = (today: string, { from, cadenceDays }: Headline): Freshness =>
  freshnessOf(daysBetween(from, today), cadenceDays)

const STATES: readonly Freshness[] = ['live', 'stale', 'overdue']

/** Oldest and newest day of a page's key figures, and the worst of their states on the UTC day `today`. */
export function headlineSpan(
  headlines: readonly Headline[],
  today: string,
): { from: string; to: string; state: Freshness } | undefined {
  const from = headlines.map(headline => headline.from).sort()[0]
  const to = headlines
    .map(headline => headline.to)
    .sort()
    .at(-1)
  if (from === undefined || to === undefined) return undefined
  const states = headlines.map(headline => freshnessOn(today, headline))
  return { from, to, state: STATES.findLast(state => states.includes(state)) ?? 'live' }
}

/**
 * Key figures in the order of their freshness on the UTC day `today`, else in the given order: a stale figure never
 * leads, and one without a value comes last. Where all are old, those go first that keep up with the newest of them.
 */
export function freshestFirst<Figure>(
  figures: readonly Figure[],
  headlineOf: (figure: Figure) => Headline | undefined,
  today: string,
): Figure[] {
  const newest = figures
    .flatMap(figure => headlineOf(figure)?.to ?? [])
    .sort()
    .at(-1)
  const rank = (figure: Figure): number => {
    const headline = headlineOf(figure)
    if (headline === undefined || newest === undefined) return STATES.length ** 2
    const [now, beside] = [today, newest].map(day => STATES.indexOf(freshnessOn(day, headline)))
    return (now ?? 0) * STATES.length + (beside ?? 0)
  }
  return figures.toSorted((a, b) => rank(a) - rank(b))
}
