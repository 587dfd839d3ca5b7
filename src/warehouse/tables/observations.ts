import { date, f64, nullable, type RowOf, table, text, time, u64 } from '#kernel/table.ts'

/** Rows that whoever runs a site takes out are taken out of what is kept beside them too. */
const KEPT_BESIDE = { lightweight_mutation_projection_mode: "'rebuild'" }

/**
 * What outside publishers say. A row is never changed: a revision is a further row with a later `observedAt`, so the old
 * figure stays beside the new one.
 */
export const observations = table('observations', {
  doc: 'One row per figure that an outside source published for an entity and a day, revisions included.',
  columns: {
    metric: text('metric id, as in the registry'),
    entity: text('entity the figure is about, as in the catalog'),
    breakdown: text('value of the metric’s dimension; empty without one'),
    day: date('UTC day the figure is for'),
    amount: nullable(u64('the figure where its unit is an integer amount or a count')),
    value: nullable(f64('the figure where its unit is a price or a ratio; else null')),
    source: text('source id, as in `sources`'),
    observedAt: time('when we (or the recording) saw it, UTC'),
  },
  orderBy: ['metric', 'entity', 'breakdown', 'day', 'source', 'observed_at'],
  // Revisions pile up; nearly every reader asks for the newest, by these very words or by fewer of them.
  projections: {
    newest: `SELECT metric, entity, breakdown, day, source,
    argMax(tuple(amount), observed_at), argMax(tuple(value), observed_at), max(observed_at)
    GROUP BY metric, entity, breakdown, day, source`,
  },
  settings: KEPT_BESIDE,
})

export const prices = table('prices', {
  doc: 'One row per daily price of an asset from a named feed.',
  columns: {
    asset: text('asset, as in the catalog: `BTC`'),
    quote: text('currency: `USD`'),
    day: date('UTC day'),
    open: nullable(f64('first price of the day')),
    high: nullable(f64('highest price of the day')),
    low: nullable(f64('lowest price of the day')),
    close: f64('last price of the UTC day'),
    source: text('feed id, as in `sources`'),
    observedAt: time('when it was recorded, UTC'),
  },
  orderBy: ['asset', 'quote', 'day', 'source', 'observed_at'],
  projections: {
    newest: `SELECT asset, quote, day, source, argMaxIf(close, observed_at, close > 0), maxIf(observed_at, close > 0)
    GROUP BY asset, quote, day, source`,
  },
  settings: KEPT_BESIDE,
})

export const sources = table('sources', {
  doc: 'One row per source of figures: who publishes it, under which license, how far we trust it.',
  columns: {
    id: text('source id'),
    name: text('name as its publisher writes it'),
    url: text('where a reader finds it'),
    licence: text('license as stated; `none stated` holds facts'),
    rank: u64('order of trust: a lower one wins a day'),
    cadenceSeconds: nullable(u64('how often it publishes, seconds; null for a recording')),
    recordedAt: nullable(
      time('when a recording was made, or a publisher answered last, UTC; null for one that never did'),
    ),
    about: text('what it holds and its known defects'),
  },
  orderBy: ['id'],
  engine: 'ReplacingMergeTree',
})

export type Observation = RowOf<typeof observations>
export type Price = RowOf<typeof prices>
export type Source = RowOf<typeof sources>
