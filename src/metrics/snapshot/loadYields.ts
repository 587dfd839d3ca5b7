import {
  type Catalog,
  type CatalogBitcoin,
  type CatalogOpportunity,
  type CatalogProtocol,
  CUSTODIES,
  type Custody,
  type YieldFacts,
} from '#catalog/index.ts'
import { yieldsStated } from '#sources/yieldsStated.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { sources } from '#warehouse/tables/observations.ts'
import { yieldLoads } from '#warehouse/tables/yields.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'
import { sourceRow } from './sourceRow.ts'

type Facts = YieldFacts & Pick<Catalog, 'protocols' | 'tokens'>

/**
 * Brings the catalogue's ways to earn with bitcoin in where it says of them what it did not say when it was loaded last:
 * all of them anew, since readers see the latest load alone. Opportunities are written last: by them a load is there.
 * Returns how many came in.
 */
export async function loadYields(warehouse: Warehouse, facts: Facts): Promise<number> {
  const bitcoins = facts.bitcoins.map(each => bitcoinRowOf(each, facts))
  const rows = facts.opportunities.map(each => rowOf(each, facts))
  const catalogHash = sha256Of(Buffer.from(JSON.stringify([bitcoins, rows])))
  const [last] = await ask<{ loaded: number; hash: string }>(
    warehouse.reader,
    `SELECT toUInt32(toUnixTimestamp(loaded_at)) AS loaded, catalog_hash AS hash
FROM yield_opportunity_loads
ORDER BY loaded_at DESC
LIMIT 1`,
  )
  if (last?.hash === catalogHash || rows.length === 0) return 0
  // Two loads within a second would be one.
  const loadedAt = Math.max(Math.floor(Date.now() / 1000), Number(last?.loaded ?? 0) + 1)
  await warehouse.insertRows(
    yieldLoads.bitcoins,
    bitcoins.map(row => ({ ...row, loadedAt })),
  )
  const read = [...rows.map(({ exitDay }) => exitDay), ...bitcoins.map(({ redeemDay }) => redeemDay)]
  const newest = read.flatMap(day => (day === null ? [] : [Date.parse(day) / 1000]))
  await warehouse.insertRows(sources, [
    sourceRow(yieldsStated, newest.length === 0 ? null : Math.max(...newest)),
  ])
  await warehouse.insertRows(
    yieldLoads.opportunities,
    rows.map(row => ({ ...row, catalogHash, loadedAt })),
  )
  return rows.length
}

function bitcoinRowOf(bitcoin: CatalogBitcoin, facts: Facts) {
  const { symbol, name, custodyKind, redeem, isRedeemMeasured = false } = bitcoin
  return {
    symbol,
    name,
    custody: custodyOf(bitcoin, facts),
    custodyKind,
    redeem: redeem?.how ?? '',
    redeemUrl: redeem?.evidence.url ?? '',
    redeemDay: redeem?.evidence.date ?? null,
    redeemWaitDays: redeem?.waitDays ?? null,
    redeemFeeBps: redeem?.feeBps ?? null,
    isRedeemMeasured,
  }
}

/** The way from all coins of an opportunity to bitcoin is as long and as dear as that of the worst, and known where each is. */
function redeemOf(bitcoins: readonly CatalogBitcoin[], coins: number) {
  const ways = bitcoins.flatMap(({ redeem }) => redeem ?? [])
  const most = (values: readonly (number | undefined)[]): number | null => {
    const told = values.filter(value => value !== undefined)
    return told.length === 0 || told.length < coins ? null : Math.max(...told)
  }
  const days = ways.map(({ evidence }) => evidence.date).sort()
  return {
    redeemDay: ways.length < coins ? null : (days[0] ?? null),
    redeemWaitDays: most(ways.map(({ waitDays }) => waitDays)),
    redeemFeeBps: most(ways.map(({ feeBps }) => feeBps)),
  }
}

/** Who holds the bitcoin behind a token, in words: by its own file, else by that of the token. */
const custodyOf = ({ custody, token }: CatalogBitcoin, { tokens }: Facts): string =>
  custody ?? tokens.find(({ id }) => id === token)?.custody ?? ''

const weakest = (kinds: readonly Custody[]): Custody =>
  kinds.reduce<Custody>(
    (worst, kind) => (CUSTODIES.indexOf(kind) > CUSTODIES.indexOf(worst) ? kind : worst),
    'own key',
  )

function rowOf(opportunity: CatalogOpportunity, facts: Facts) {
  const { id, name, layer, coins, pool, listed, contract, share, rate, size } = opportunity
  const project = facts.yieldProjects.find(each => each.id === opportunity.project)
  const protocol = facts.protocols.find(({ slug }) => slug === project?.protocol)
  const bitcoins = coins.flatMap(symbol => facts.bitcoins.find(each => each.symbol === symbol) ?? [])
  const exit = opportunity.exit ?? project?.exit
  const { audits, auditsUrl, incidents } = judged(project, protocol)
  const incident = [...incidents].sort((a, b) => b.day.localeCompare(a.day))[0]
  return {
    entity: id,
    name,
    project: opportunity.project,
    projectName: project?.name ?? opportunity.project,
    layer,
    coins: coins.join('-'),
    strategy: project?.strategy ?? '',
    isBitcoinOnly: bitcoins.length === coins.length,
    pool: pool ?? '',
    listed: (listed?.projects ?? [])
      .map(name => `${name}|${listed?.chain}|${listed?.symbol.toUpperCase()}`)
      .join(),
    contract: contract ?? '',
    shareMetric: share?.metric ?? '',
    shareEntity: share?.entity ?? '',
    shareKey: share?.key ?? '',
    rateMetric: rate?.metric ?? '',
    rateKey: rate?.key ?? '',
    sizeMetric: size?.metric ?? '',
    sizeKey: size?.key ?? '',
    rewardAsset: project?.rewardAsset ?? '',
    custody: bitcoins.map(each => `${each.name}: ${custodyOf(each, facts) || 'not recorded'}`).join('; '),
    custodyKind: weakest(bitcoins.map(({ custodyKind }) => custodyKind)),
    audits,
    auditsUrl,
    incidents: incidents.length,
    incident: incident === undefined ? '' : `${incident.day}: ${incident.what}`,
    incidentUrl: incident?.url ?? '',
    exit: exit?.how ?? '',
    exitUrl: exit?.evidence.url ?? '',
    exitDay: exit?.evidence.date ?? null,
    exitWaitDays: exit?.waitDays ?? null,
    exitFeeBps: exit?.feeBps ?? null,
    isExitMeasured: bitcoins.length > 0 && bitcoins.every(each => each.isRedeemMeasured === true),
    ...redeemOf(bitcoins, coins.length),
    capacityBtc: opportunity.capacity?.btc ?? null,
    rewardsEndDay: opportunity.rewardsEnd?.day ?? null,
    rewardsEndUrl: opportunity.rewardsEnd?.evidence.url ?? '',
  }
}

/** Audits and incidents of its own and of the application of the catalogue that it is. */
function judged(
  project: YieldFacts['yieldProjects'][number] | undefined,
  protocol: CatalogProtocol | undefined,
) {
  const audits = [...(project?.audits ?? []), ...(protocol?.audits ?? [])]
  const newest = [...audits].sort((a, b) => (b.when ?? '').localeCompare(a.when ?? ''))
  return {
    audits: audits.length,
    auditsUrl: newest.find(({ url }) => url !== undefined)?.url ?? '',
    incidents: [...(project?.incidents ?? []), ...(protocol?.incidents ?? [])],
  }
}
