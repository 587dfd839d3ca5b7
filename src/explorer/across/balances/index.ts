import type { Network } from '#kernel/bitcoin.ts'
import { type Reader, readRows } from '../../readRows.ts'
import { type ChainHeld, type ChainId, isEvm, readHeld } from '../chains.ts'
import { type Asked, type AskedLine, parseAddresses } from './parse.ts'
import { type Held, readChangeDays, readChanges } from './rows.ts'
import { readWholeness } from './wholeness.ts'

/** One asset of one address. */
export type Balance = {
  address: string
  chain: ChainId
  /** `native`, or what names the token, as it is shown. */
  asset: string
  tokenId: string | null
  /** As the token says of itself, else as the catalogue has it; null where neither does. */
  symbol: string | null
  decimals: number | null
  /** The catalogue lists this very token: anybody may call one by a known name. */
  isListed: boolean
  /** null: it does not follow from what is held; `why` says so, and `change` is what the blocks held did to it. */
  balance: string | null
  change: string
  why: string | null
  source: 'rows' | 'node'
  /** Block as of which it is told. */
  height: number
}

/** What happened to an asset by day: balances where they are known, else sums of what the blocks held did. */
export type BalanceHistory = {
  chain: ChainId
  asset: string
  tokenId: string | null
  isBalance: boolean
  points: { day: string; value: string }[]
}

export type Balances = {
  lines: { line: number; input: string; address: string | null; problem: string | null }[]
  balances: Balance[]
  /** Of a single address; empty for many. */
  history: BalanceHistory[]
  held: ChainHeld[]
  /** Nodes that were to be asked and did not answer, each as a sentence. */
  unanswered: string[]
}

/** Coin balances as a node of a chain has them now. Answers what it can in the time that it has; never throws. */
export type NodeBalances = {
  readonly chain: ChainId
  /** Most addresses that it is asked for at once. */
  readonly most: number
  /** By key: smallest units, and the block as of which. */
  read(
    keys: readonly string[],
  ): Promise<{ height: number; amounts: ReadonlyMap<string, string> } | { problem: string }>
}

export type BalanceDeps = {
  readonly reader: Reader
  /** All that are covered. */
  readonly chains: readonly ChainId[]
  readonly network: Network
  /** What the catalogue lists, by chain and asset as it is shown. */
  readonly tokenOf: (chain: string, asset: string) => { symbol: string; decimals: number | null } | null
  readonly nodes: readonly NodeBalances[]
}

/** Balances of up to a thousand addresses, one a line. Lines that are no address say why. */
export async function readBalances(deps: BalanceDeps, lines: readonly string[]): Promise<Balances> {
  const { reader, network, nodes, chains: covered } = deps
  const read = await parseAddresses(lines, network)
  const asked = read.flatMap(line => line.asked ?? [])
  const single = asked.length === 1 ? asked[0] : undefined
  const [chains, changes, told, days] = await Promise.all([
    readHeld(reader, covered),
    asked.length === 0 ? [] : readChanges(reader, covered, asked),
    Promise.all(nodes.map(node => askNode(node, asked))),
    single === undefined ? [] : readChangeDays(reader, covered, single),
  ])
  const [whyNot, words] = await Promise.all([
    readWholeness(reader, chains, changes),
    readTokenWords(reader, changes),
  ])
  const byKey = new Map(asked.map(one => [`${one.kind} ${one.key}`, one]))
  const addressOf = (chain: ChainId, key: string): string =>
    byKey.get(`${chain === 'bitcoin' || chain === 'stacks' ? chain : 'evm'} ${key}`)?.address ?? key
  const runs = new Map(chains.map(one => [one.chain, one]))
  const shownAsset = (chain: ChainId, asset: string): string =>
    isEvm(chain) && asset !== 'native' ? `0x${asset}` : asset
  const fromNodes = told.flatMap(answer => answer.balances)
  const known = new Set(fromNodes.map(one => `${one.chain} ${one.key}`))
  const ofRows = changes
    .filter(one => !(one.asset === 'native' && known.has(`${one.chain} ${one.key}`)))
    .map((one): Balance => {
      const why = whyNot(one)
      return {
        address: addressOf(one.chain, one.key),
        chain: one.chain,
        asset: shownAsset(one.chain, one.asset),
        tokenId: one.tokenId,
        ...wordsOf(deps, words, one.chain, one.asset),
        balance: why === null ? one.change : null,
        change: one.change,
        why,
        source: 'rows',
        height: runs.get(one.chain)?.height ?? 0,
      }
    })
    // What was passed on whole is no holding, and what is not known stays.
    .filter(one => one.balance !== '0' || one.asset === 'native')
  const ofNodes = fromNodes.map(
    (one): Balance => ({
      address: addressOf(one.chain, one.key),
      chain: one.chain,
      asset: 'native',
      tokenId: null,
      ...wordsOf(deps, words, one.chain, 'native'),
      balance: one.amount,
      change:
        changes.find(c => c.chain === one.chain && c.key === one.key && c.asset === 'native')?.change ?? '0',
      why: null,
      source: 'node',
      height: one.height,
    }),
  )
  const order = new Map(asked.map((one, index) => [one.address, index]))
  return {
    lines: read.map(lineOf),
    balances: [...ofRows, ...ofNodes].sort(
      (a, b) =>
        (order.get(a.address) ?? 0) - (order.get(b.address) ?? 0) ||
        a.chain.localeCompare(b.chain, 'en') ||
        (a.asset === 'native' ? -1 : b.asset === 'native' ? 1 : a.asset.localeCompare(b.asset, 'en')),
    ),
    history: historyOf(days, one => whyNot(one) === null, shownAsset, changes),
    held: chains,
    unanswered: told.flatMap(({ problem }) => problem ?? []),
  }
}

const lineOf = ({ line, input, asked, problem }: AskedLine) => ({
  line,
  input,
  address: asked?.address ?? null,
  problem,
})

type Told = { chain: ChainId; key: string; amount: string; height: number }

async function askNode(
  node: NodeBalances,
  asked: readonly Asked[],
): Promise<{ balances: Told[]; problem: string | undefined }> {
  const kind = isEvm(node.chain) ? 'evm' : node.chain
  const keys = asked.filter(one => one.kind === kind).map(({ key }) => key)
  if (keys.length === 0) return { balances: [], problem: undefined }
  if (keys.length > node.most)
    return {
      balances: [],
      problem: `The source of ${node.chain} accepts at most ${node.most} addresses at once. Balances of these ${keys.length} come from indexed blocks only.`,
    }
  const answer = await node.read(keys)
  if ('problem' in answer) return { balances: [], problem: answer.problem }
  return {
    problem: undefined,
    balances: keys.flatMap(key => {
      const amount = answer.amounts.get(key)
      return amount === undefined ? [] : [{ chain: node.chain, key, amount, height: answer.height }]
    }),
  }
}

type Words = { symbol: string | null; decimals: number | null }

/** What tokens say of themselves, by chain and asset. */
async function readTokenWords(reader: Reader, changes: readonly Held[]): Promise<ReadonlyMap<string, Words>> {
  const stacks = [
    ...new Set(changes.flatMap(one => (one.chain === 'stacks' && one.asset !== 'native' ? [one.asset] : []))),
  ]
  const evm = [
    ...new Set(changes.flatMap(one => (isEvm(one.chain) && one.asset !== 'native' ? [one.asset] : []))),
  ]
  type Row = Words & { chain: string; asset: string }
  const list = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ')
  const [ofStacks, ofLayers] = await Promise.all([
    stacks.length === 0
      ? []
      : readRows<Row>(
          reader,
          `SELECT 'stacks' AS chain, contract AS asset, symbol, decimals
FROM stx_tokens
WHERE contract IN (SELECT arrayJoin([${list(stacks.map(asset => asset.split('::')[0] ?? ''))}]))`,
        ),
    evm.length === 0
      ? []
      : readRows<Row>(
          reader,
          `SELECT toString(chain) AS chain, lower(hex(token)) AS asset, symbol, decimals
FROM evm_tokens
WHERE token IN (SELECT toFixedString(unhex(arrayJoin([${list(evm)}])), 20))`,
        ),
  ])
  return new Map([...ofStacks, ...ofLayers].map(({ chain, asset, ...words }) => [`${chain} ${asset}`, words]))
}

function wordsOf(
  { tokenOf }: BalanceDeps,
  words: ReadonlyMap<string, Words>,
  chain: ChainId,
  asset: string,
): Words & { isListed: boolean } {
  if (asset === 'native') return { symbol: null, decimals: null, isListed: true }
  const contract = asset.split('::')[0] ?? asset
  const said = words.get(`${chain} ${contract}`)
  const listed = tokenOf(chain, isEvm(chain) ? `0x${contract}` : contract)
  return {
    symbol: said?.symbol ?? listed?.symbol ?? null,
    decimals: said?.decimals ?? listed?.decimals ?? null,
    isListed: listed !== null,
  }
}

/** Running sums by day. */
function historyOf(
  days: Awaited<ReturnType<typeof readChangeDays>>,
  isBalance: (held: Pick<Held, 'chain' | 'asset' | 'change'>) => boolean,
  shownAsset: (chain: ChainId, asset: string) => string,
  changes: readonly Held[],
): BalanceHistory[] {
  const groups = Map.groupBy(days, one => `${one.chain} ${one.asset} ${one.tokenId ?? ''}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (first === undefined) return []
    const whole = changes.find(
      one => one.chain === first.chain && one.asset === first.asset && one.tokenId === first.tokenId,
    )
    let sum = 0n
    return [
      {
        chain: first.chain,
        asset: shownAsset(first.chain, first.asset),
        tokenId: first.tokenId,
        isBalance: whole !== undefined && isBalance(whole),
        points: group.map(({ day, change }) => {
          sum += BigInt(change)
          return { day, value: String(sum) }
        }),
      },
    ]
  })
}
