import type { Api, SearchResult } from './contract.ts'

/** What ids are asked of. */
export type IdDeps = {
  readonly api: Pick<Api, 'block' | 'tx' | 'stacks' | 'layer'>
  readonly layers: readonly { readonly id: string; readonly name: string }[]
  /** Ids of the chains that hold a block of a height. */
  readonly blocksAt: (height: number) => Promise<readonly string[]>
}

const HEIGHT = /^\d{1,9}$/
const HASH = /^(0x)?[0-9a-f]{64}$/i
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i
const STACKS_ADDRESS = /^S[0-9A-Z]{20,50}$/i
const STACKS_CONTRACT = /^S[0-9A-Z]{20,50}\.[\w-]+$/i
/** Base58 and bech32 of the main network: the page of balances says what is held of it. */
const BITCOIN_ADDRESS = /^(?:bc1[02-9ac-hj-np-z]{11,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/
/** As both versions of BNS let a name be. */
const BNS_NAME = /^[a-z0-9_-]{1,48}\.[a-z0-9_-]{1,20}$/i

/** Whether a text has the form of an id that is nothing else: its letters are no words. */
export const isId = (asked: string): boolean =>
  [HASH, EVM_ADDRESS, BITCOIN_ADDRESS, STACKS_ADDRESS, STACKS_CONTRACT].some(form => form.test(asked.trim()))

const exists = (ask: () => Promise<unknown>): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  )

const counted = (height: string): string => Number(height).toLocaleString('en-US')

const result = (kind: SearchResult['kind'], label: string, detail: string, path: string): SearchResult => ({
  kind,
  label,
  detail,
  path,
  marks: [],
})

/** What is held under an id: the blocks of a height on all chains, else the one thing. Empty where the text is no id, or nothing is held under it. */
export async function findIds(deps: IdDeps, asked: string): Promise<SearchResult[]> {
  const text = asked.trim()
  const bare = text.replaceAll(/[,\s]/g, '')
  if (HEIGHT.test(bare)) return blocksAt(deps, String(Number(bare)))
  if (HASH.test(bare)) return underHash(deps, bare.toLowerCase().replace(/^0x/, ''))
  if (EVM_ADDRESS.test(text)) return accounts(deps, text)
  if (BITCOIN_ADDRESS.test(text))
    return [result('address', text, 'Address of Bitcoin, and its balance', `/addressbalance?address=${text}`)]
  return onStacks(deps, text)
}

async function blocksAt({ blocksAt: heldAt, layers }: IdDeps, height: string): Promise<SearchResult[]> {
  const held = new Set(await heldAt(Number(height)))
  return [{ id: 'bitcoin', name: 'Bitcoin' }, { id: 'stacks', name: 'Stacks' }, ...layers]
    .filter(({ id }) => held.has(id))
    .map(({ id, name }) =>
      result('block', `Block ${counted(height)} of ${name}`, 'By its height', `/${id}/block/${height}`),
    )
}

/** The first chain that holds a transaction or a block of this hash. */
async function underHash({ api, layers }: IdDeps, hash: string): Promise<SearchResult[]> {
  const { stacks } = api
  const places = [
    { chain: 'bitcoin', name: 'Bitcoin', tx: () => api.tx(hash), block: () => api.block(hash), prefix: '' },
    {
      chain: 'stacks',
      name: 'Stacks',
      tx: () => stacks.tx(hash),
      block: () => stacks.block(hash),
      prefix: '',
    },
    ...layers.map(({ id, name }) => {
      const own = api.layer(id)
      return {
        chain: id,
        name,
        tx: () => own.tx(`0x${hash}`),
        block: () => own.block(`0x${hash}`),
        prefix: '0x',
      }
    }),
  ]
  const found = await Promise.all(
    places.map(async ({ chain, name, tx, block, prefix }) => {
      const id = `${prefix}${hash}`
      const [isTx, isBlock] = await Promise.all([exists(tx), exists(block)])
      if (isTx) return result('transaction', id, `Transaction on ${name}`, `/${chain}/tx/${id}`)
      return isBlock ? result('block', id, `Block of ${name}`, `/${chain}/block/${id}`) : undefined
    }),
  )
  return found.filter(one => one !== undefined).slice(0, 1)
}

/** An address may be another account on each layer; the first that knows it is meant, as a link of it would be. */
async function accounts({ api, layers }: IdDeps, address: string): Promise<SearchResult[]> {
  const held = await Promise.all(layers.map(({ id }) => exists(() => api.layer(id).account(address))))
  const layer = layers.find((_, at) => held[at])
  return layer === undefined
    ? []
    : [result('address', address, `Address on ${layer.name}`, `/${layer.id}/address/${address}`)]
}

async function onStacks({ api: { stacks } }: IdDeps, text: string): Promise<SearchResult[]> {
  if (STACKS_CONTRACT.test(text)) {
    const dot = text.indexOf('.')
    const contract = `${text.slice(0, dot).toUpperCase()}${text.slice(dot)}`
    return (await exists(() => stacks.contract(contract)))
      ? [result('contract', contract, 'Contract on Stacks', `/stacks/contract/${contract}`)]
      : []
  }
  if (STACKS_ADDRESS.test(text)) {
    const address = text.toUpperCase()
    return (await exists(() => stacks.address(address)))
      ? [result('address', address, 'Address on Stacks', `/stacks/address/${address}`)]
      : []
  }
  if (!BNS_NAME.test(text)) return []
  const owner = await stacks.name(text.toLowerCase()).then(
    ({ owner: found }) => found,
    () => undefined,
  )
  if (owner === undefined || owner === null) return []
  const path = `/stacks/${owner.includes('.') ? 'contract' : 'address'}/${owner}`
  return [result('name', text.toLowerCase(), `Name on Stacks, of ${owner}`, path)]
}
