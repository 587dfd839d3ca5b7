import type { Catalog } from '#catalog/index.ts'
import { isPerPublisher, type Part, ratioSql, sourcesOf } from '../combined.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, type MetricDeclaration, metric } from '../metric.ts'
import { seriesSql } from '../seriesSql.ts'
import { REFERENCES } from './published.ts'

type Named = { readonly id: string; readonly isUsd?: boolean }
type Texts = Pick<
  MetricDeclaration,
  'id' | 'name' | 'unit' | 'definition' | 'why' | 'how' | 'misleads' | 'direction'
>

const RATIOS: readonly { readonly texts: Texts; readonly of: Named; readonly by: Named }[] = [
  {
    of: { id: 'rev.total' },
    by: { id: 'addresses.senders' },
    texts: {
      id: 'users.fees_per_user',
      name: 'Fees per sender',
      unit: 'USD',
      definition:
        'Fees that users paid on the layer in the bucket, in US dollars, ÷ distinct senders of the same bucket.',
      why: 'Average cost per user. In totals, many cheap bots and few high-paying users look alike.',
      how: 'rev.total ÷ addresses.senders, each of the bucket. Weekly senders are counted directly.',
      misleads:
        'A mean, so one large payer hides many who pay nothing. A relayer is one sender for many people.',
      direction: 'neither',
    },
  },
  {
    of: { id: 'tx.count' },
    by: { id: 'addresses.senders' },
    texts: {
      id: 'users.tx_per_user',
      name: 'Transactions per sender',
      unit: 'tx/sender',
      definition: 'Transactions on the layer in the bucket ÷ distinct senders of the same bucket.',
      why: 'Whether many come once or few come often.',
      how: 'tx.count ÷ addresses.senders, each of the bucket. Weekly senders are counted directly.',
      misleads: 'One bot lifts it as much as a hundred faithful users.',
      direction: 'neither',
    },
  },
  {
    of: { id: 'tvl.total' },
    by: { id: 'addresses.senders' },
    texts: {
      id: 'tvl.per_user',
      name: 'TVL per sender',
      unit: 'USD',
      definition: 'TVL of the layer at the end of the bucket ÷ distinct senders of the bucket.',
      why: 'Whether the money on a layer belongs to many or to a few.',
      how: 'tvl.total of the bucket’s last day ÷ addresses.senders of the bucket.',
      misleads: 'Passive holders count in the value but not in the senders.',
      direction: 'neither',
    },
  },
  {
    of: { id: 'dex.volume' },
    by: { id: 'tvl.total' },
    texts: {
      id: 'tvl.turnover',
      name: 'TVL turnover',
      unit: 'ratio',
      definition: 'Volume on the layer’s decentralized exchanges in the bucket ÷ TVL at its end.',
      why: 'Whether the money works or waits.',
      how: 'dex.volume of the bucket ÷ tvl.total of its last day.',
      misleads: 'Volume rewards raise it. Lending has no volume.',
      direction: 'up',
    },
  },
]

/** Chain fees in US dollars: our rows at the day’s close where they are held, a publisher’s figure otherwise and beside. */
function revenueTotals({ layers }: Catalog, known: readonly Metric[]): Metric[] {
  const published = new Set(
    known
      .filter(({ id, entityKind }) => id === 'fees.chain_usd' && entityKind === 'layer')
      .flatMap(({ entities }) => entities),
  )
  const shared = {
    id: 'rev.total',
    name: 'Fees for block space',
    unit: 'USD',
    entityKind: 'layer',
    observedAs: 'fees.chain_usd',
    definition:
      'Value in US dollars of all that users paid on the UTC day to have transactions included on the layer.',
    why: 'The value of demand for the layer’s block space, comparable across chains with different coins.',
    misleads: 'Out-of-protocol tips belong to it but are not measured on these layers.',
    aggregate: 'sum',
    direction: 'up',
    references: [REFERENCES.defillamaFees],
  } as const
  const outside = ['defillama.fees', 'cryptofees.recorded']
  const ofRows = known.filter(
    ({ id, entityKind, unit }) => id === 'fees.total' && entityKind === 'layer' && unit !== 'USD',
  )
  const withRows = new Set(ofRows.flatMap(({ entities }) => entities))
  const others = layers.flatMap(({ slug }) => (published.has(slug) && !withRows.has(slug) ? [slug] : []))
  return [
    ...ofRows.map(fees =>
      metric({
        ...shared,
        entities: fees.entities,
        how: `fees.total × the close of the day of ${fees.unit.split('.')[1] ?? 'STX'}; on days without full indexed data, DefiLlama’s figure is used, otherwise it is shown for comparison.`,
        ...figuresSql({
          metric: 'fees.chain_usd',
          type: 'Float64',
          chain: {
            ctes: [`fees AS (\n${seriesSql(fees, 'day', 'usd').sql}\n  )`],
            select:
              'SELECT f.day AS day, f.key AS key, f.value AS value, f.state AS state, f.source AS source, f.from_height AS from_height, f.to_height AS to_height, f.as_of AS as_of\n    FROM fees AS f',
            isRatio: false,
          },
          outside,
        }),
        sources: [...fees.sources, ...outside],
        cadence: fees.cadence,
        since: fees.since,
        needs: `${fees.needs} With internet, DefiLlama is polled automatically.`,
      }),
    ),
    ...(others.length === 0
      ? []
      : [
          metric({
            ...shared,
            entities: others,
            how: 'As DefiLlama gives it by chain.',
            ...figuresSql({ metric: 'fees.chain_usd', type: 'Float64', outside }),
            sources: outside,
            cadence: 'day',
            calendar: 'reported',
            since: { day: '2021-01-01' },
            needs: 'No source data yet. With internet, DefiLlama is polled automatically.',
          }),
        ]),
  ]
}

/**
 * What follows from two metrics of one layer, of each layer that has both; layers whose parts have the same statements share
 * one. `known` are the metrics to draw from.
 */
export function ratioMetrics(catalog: Catalog, known: readonly Metric[]): Metric[] {
  const revenue = revenueTotals(catalog, known)
  const all = [...known, ...revenue]
  const find = ({ id, isUsd = false }: Named, entity: string): Part | undefined => {
    const entry = all.find(
      one => one.id === id && one.entityKind === 'layer' && one.entities.includes(entity),
    )
    return entry && { entry, isUsd }
  }
  const ratios = RATIOS.flatMap(({ texts, of, by }) => {
    const pairs = catalog.layers.flatMap(({ slug }) => {
      const [numerator, denominator] = [find(of, slug), find(by, slug)]
      return numerator === undefined || denominator === undefined ? [] : [{ slug, numerator, denominator }]
    })
    return [
      ...Map.groupBy(
        pairs,
        ({ numerator, denominator }) => `${numerator.entry.sql}\n${denominator.entry.sql}`,
      ).values(),
    ].map(group => {
      const { numerator, denominator } = group[0]!
      return metric({
        ...texts,
        entityKind: 'layer',
        entities: group.map(({ slug }) => slug),
        sql: ratioSql(numerator, denominator),
        sources: sourcesOf(numerator, denominator),
        isPerPublisher: isPerPublisher(numerator, denominator),
        cadence: 'day',
        calendar: 'reported',
        aggregate: 'recompute',
        since: numerator.entry.since,
        needs: `Needs both of a day: ${of.id} and ${by.id}. ${denominator.entry.needs}`,
        references: [...numerator.entry.references, ...denominator.entry.references],
      })
    })
  })
  return [...revenue, ...ratios, ...capOverValue(catalog, known)]
}

/** Market cap of a layer’s token over the layer’s TVL. */
function capOverValue({ layers }: Catalog, known: readonly Metric[]): Metric[] {
  const cap = known.find(({ id }) => id === 'token.mcap')
  const value = known.find(({ id, entityKind }) => id === 'tvl.total' && entityKind === 'layer')
  if (cap === undefined || value === undefined) return []
  const owned = layers.filter(
    ({ slug, token }, at) =>
      token !== undefined &&
      cap.entities.includes(token) &&
      value.entities.includes(slug) &&
      layers.findIndex(other => other.token === token && value.entities.includes(other.slug)) === at,
  )
  if (owned.length === 0) return []
  const list = (texts: readonly string[]) => `[${texts.map(text => `'${text}'`).join(', ')}]`
  const layerOfToken = `transform({entity:String}, ${list(owned.map(({ token }) => token!))}, ${list(owned.map(({ slug }) => slug))}, '')`
  const [numerator, denominator] = [
    { entry: cap },
    { entry: { ...value, sql: value.sql.replaceAll('{entity:String}', layerOfToken) } },
  ]
  return [
    metric({
      id: 'token.mcap_tvl',
      name: 'Market cap / TVL',
      unit: 'x',
      entityKind: 'token',
      entities: owned.map(({ token }) => token!),
      definition: 'Market cap of the layer’s token ÷ TVL of the layer, both of the same day.',
      why: 'What the market pays for each dollar that the layer holds.',
      how: 'token.mcap ÷ tvl.total of the token’s layer, both at the end of the bucket.',
      misleads:
        'TVL can be attracted with rewards, and a token can belong to several layers. Below 1 can mean cheap or distrusted.',
      sql: ratioSql(numerator, denominator),
      sources: sourcesOf(numerator, denominator),
      isPerPublisher: isPerPublisher(numerator, denominator),
      cadence: 'day',
      calendar: 'reported',
      aggregate: 'recompute',
      since: cap.since,
      needs: 'Requires the token’s market cap and the layer’s TVL for the same day.',
      direction: 'down',
      references: [...cap.references, ...value.references],
    }),
  ]
}
