import type { Catalog, StacksApp } from '#catalog/index.ts'
import { type ChainFigures, RANGE } from '../chainFigures.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'

/** What contracts answer when they are asked. */
export const READS = 'stacks.reads'

export const NEEDS_READS =
  'No contract data yet. With internet, or a node in STACKS_RPC_URL, contracts are polled hourly.'

/** What entries from answers of contracts share. */
export const fromReads = {
  entityKind: 'protocol',
  sources: [READS],
  cadence: 'day',
  calendar: 'reported',
  aggregate: 'last',
  needs: NEEDS_READS,
} as const

/** What entries from what contracts print share. */
export const fromPrints = {
  ...fromStacks,
  entityKind: 'protocol',
} as const

/** Applications that print rows of a table. */
export const appsWith = (
  { stacksApps }: Catalog,
  table: StacksApp['events'][number]['table'],
): readonly StacksApp[] => stacksApps.filter(({ events }) => events.some(group => group.table === table))

/** A sum by day and key from typed prints, 0 on held days that have none. `moves` selects `day`, `key`, `value`. */
export const perPrintDay = (
  moves: string,
  keys: readonly string[],
  ctes: readonly string[] = [],
): ChainFigures => ({
  ctes: [...ctes, `moves AS (\n    ${moves}\n  )`],
  select: `SELECT
      h.bucket AS day, h.key AS key, if(m.day = h.bucket, m.value, 0) AS value,
      if(value IS NULL, 'incomplete', ${stacksState('h.bucket', 'events')}) AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM (SELECT *, arrayJoin([${keys.map(key => `'${key}'`).join(', ')}]) AS key FROM stx_block_days) AS h
    LEFT JOIN moves AS m ON m.day = h.bucket AND m.key = h.key
    WHERE h.bucket ${RANGE}`,
  isRatio: false,
})

export const contractSources = {
  title: 'Sources of deployed contracts (boomcrypto/clarity-deployed-contracts)',
  url: 'https://github.com/boomcrypto/clarity-deployed-contracts',
}

const SOURCES_OF = {
  zest: {
    title: 'Zest-Protocol/zest-v2-contracts',
    url: 'https://github.com/Zest-Protocol/zest-v2-contracts',
  },
  granite: { title: 'Granite: documentation', url: 'https://docs.granite.world' },
  arkadiko: { title: 'arkadiko-dao/arkadiko', url: 'https://github.com/arkadiko-dao/arkadiko' },
  'stacking-dao': { title: 'StackingDAO: documentation', url: 'https://docs.stackingdao.com' },
  lisa: { title: 'LISA: application', url: 'https://app.lisalab.io' },
  hermetica: { title: 'Hermetica: documentation', url: 'https://docs.hermetica.fi' },
} as const

/** Where to read on about an application: its own documentation, else the sources of deployed contracts. */
export const referenceOf = (protocol: string): { title: string; url: string } =>
  SOURCES_OF[protocol as keyof typeof SOURCES_OF] ?? contractSources
