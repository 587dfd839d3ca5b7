import { type Explorer, STACKS_TABLES, type StacksExplorer } from '#explorer/index.ts'
import { familiesOf } from '#metrics/index.ts'
import { headOf, type Part, restsOn } from './cache/parts.ts'
import type { AsOf, Series, SeriesQuery, SourceRef, StacksApi } from './contract.ts'
import { NO_BLOCK, readsBlocks, tableAnswer, tableNamed } from './tableAnswer.ts'
import { withNetworkYields } from './yields.ts'

type Deps = {
  readonly explorer: StacksExplorer
  readonly rows: Explorer['appTable']
  readonly sources: () => Promise<readonly SourceRef[]>
  readonly series: (query: SeriesQuery) => Promise<Pick<Series, 'points'>>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** Blocks of Stacks, and those of Bitcoin under them. */
export const STACKS_PARTS = [headOf('stacks'), 'bitcoin'] as const satisfies readonly Part[]

/** The answers about Stacks, each with the age of the newest block. */
export function createStacksApi({ explorer, rows, sources, series, ask }: Deps): StacksApi {
  const asOf = () => ask(['stacks', 'asOf'], STACKS_PARTS, () => readStacksAsOf(explorer, sources))
  const answer = <T extends object>(
    question: unknown[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['stacks', ...question], STACKS_PARTS, async () => ({ ...(await read()), asOf: await asOf() }))
  // Statements over both chains: kept while figures by day are, not only until the next block.
  const follow = <T extends object>(
    question: unknown[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['stacks', ...question], ['stacks', 'bitcoin'], async () => ({
      ...(await read()),
      asOf: await readStacksAsOf(explorer, sources),
    }))
  return {
    blocks: query => answer(['blocks', query.before, query.limit], () => explorer.blocks(query)),
    block: id => answer(['block', id.toLowerCase()], () => explorer.block(id)),
    blockTxs: (id, query) =>
      answer(['blockTxs', id.toLowerCase(), query.after, query.limit], () => explorer.blockTxs(id, query)),
    tx: txid => answer(['tx', txid.toLowerCase()], () => explorer.tx(txid)),
    contract: contract => answer(['contract', contract], () => explorer.contract(contract)),
    address: address => answer(['address', address], () => explorer.address(address)),
    name: name => answer(['name', name.toLowerCase()], () => explorer.name(name)),
    // Both are kept by the explorer itself, which reads them anew.
    namesOf: async address => (await explorer.namesOf(address)).map(({ name }) => name),
    coins: async kind => ({ ...(await explorer.coins(kind)), asOf: await asOf() }),
    burnBlocks: query => answer(['burnBlocks', query.before, query.limit], () => explorer.burnBlocks(query)),
    table: async id => {
      const table = tableNamed(STACKS_TABLES, id, { code: 'http.stacks_table', whose: 'Stacks has' })
      return ask(['stacks', 'table', id], [], async () => {
        const { sql } = table
        restsOn(familiesOf(sql))
        const [found, age] = await Promise.all([rows(sql), readsBlocks(sql) ? asOf() : NO_BLOCK])
        return tableAnswer(id, table, { sql, rows: found, asOf: age })
      })
    },
    yield: address =>
      follow(['yield', address], async () => {
        restsOn(['prices', 'outside'])
        return withNetworkYields(await explorer.yield(address), series)
      }).then(answer => ({ ...answer, asOf: newestOf(answer.asOf, answer.rows) })),
    sbtc: {
      summary: () => follow(['sbtc'], () => explorer.sbtc.summary()),
      deposits: query =>
        follow(['sbtcDeposits', query.origin, query.of, query.before, query.limit], () =>
          explorer.sbtc.deposits(query),
        ),
      withdrawals: query =>
        follow(['sbtcWithdrawals', query.status, query.of, query.before, query.limit], () =>
          explorer.sbtc.withdrawals(query),
        ),
      deposit: (id, query) =>
        follow(['sbtcDeposit', id.toLowerCase(), query.throughContracts], () =>
          explorer.sbtc.deposit(id, query),
        ),
      withdrawal: requestId =>
        follow(['sbtcWithdrawal', requestId], () => explorer.sbtc.withdrawal(requestId)),
    },
  }
}

/** What a recording tells of a payment after the newest block is the newer of the two. */
function newestOf(tip: AsOf, rows: readonly { endDay: string | null; paidUstx: string | null }[]): AsOf {
  const paid = rows.flatMap(({ endDay, paidUstx }) => (endDay !== null && paidUstx !== null ? [endDay] : []))
  const time = `${paid.sort().at(-1) ?? '1970-01-01'}T00:00:00.000Z`
  return time > tip.time ? { time, height: null, state: 'recorded' } : tip
}

/** How old the newest block of Stacks is, and whether its source still publishes. */
export async function readStacksAsOf(explorer: StacksExplorer, sources: Deps['sources']): Promise<AsOf> {
  const [tip, known] = await Promise.all([explorer.tip(), sources()])
  const source = known.find(({ id }) => id === 'stacks.chain')
  if (tip === undefined) return { time: new Date(0).toISOString(), height: null, state: 'recorded' }
  const state =
    source === undefined || source.cadenceSeconds === null || source.state === 'never'
      ? 'recorded'
      : source.state
  return { time: tip.time, height: tip.height, state }
}
