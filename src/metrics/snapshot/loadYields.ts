import {
  type Catalog,
  type CatalogBitcoin,
  type CatalogOpportunity,
  type CatalogProtocol,
  CUSTODIES,
  type Custody,
  type YieldFacts,
} from '#catalog/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { yieldLoads } from '#warehouse/tables/yields.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'

type Facts = YieldFacts & Pick<Catalog, 'protocols' | 'tokens'>

/**
 * Brings the catalogue's ways to earn with bitcoin in where it says of them what it did not say when it was loaded last:
 * all of them anew, since readers see the latest load alone. Opportunities are written last: by them a load is there.
 * Returns how many came in.
 */
export async function loadYields(warehouse: Warehouse, facts: Facts): Promise<number> {
  const bitcoins = facts.bitcoins.map(each => ({ ...each, custody: custodyOf(each, facts) }))
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
    bitcoins.map(({ symbol, name, custody, custodyKind }) => ({
      symbol,
      name,
      custody,
      custodyKind,
      loadedAt,
    })),
  )
  await warehouse.insertRows(
    yieldLoads.opportunities,
    rows.map(row => ({ ...row, catalogHash, loadedAt })),
  )
  return rows.length
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
    capacityBtc: opportunity.capacity?.btc ?? null,
    rewardsEndDay: opportunity.rewardsEnd?.day ?? null,
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
