import type { ChainHeldView } from '#http/contract.ts'
import type { ChoiceRow } from '../../blocks/Choices.tsx'
import { type SiteLayer, useLayers } from '../../shell/layers.ts'
import { shortAddress } from '../layers/words.ts'
import { principalPath, principalText } from '../stacks/principal.ts'

export type AnyChain = ChainHeldView['chain']

type ChainWords = {
  readonly name: string
  readonly coin: string
  readonly unit: string
  readonly variable: string
}

/** Every chain that is covered. */
export type Covered = {
  readonly all: readonly AnyChain[]
  /** Those that have contracts. */
  readonly ofContracts: readonly AnyChain[]
  /** A chain’s name, its coin and the unit of it, and what lets it be followed. */
  of(chain: AnyChain): ChainWords
  /** Whether it has pages: rows that are held outlive the file of their chain. */
  has(chain: AnyChain): boolean
}

const BITCOIN: ChainWords = { name: 'Bitcoin', coin: 'BTC', unit: 'sat', variable: 'BITCOIN_RPC_URL' }
const STACKS: ChainWords = { name: 'Stacks', coin: 'STX', unit: 'uSTX', variable: 'STACKS_RPC_URL' }

/** The chains of a site with these EVM layers. Rows of a layer that its catalogue no longer has stay: they were counted; they are told by its id, and lead nowhere. */
export function coveredWith(layers: readonly SiteLayer[]): Covered {
  const words = new Map<AnyChain, ChainWords>([
    ['bitcoin', BITCOIN],
    ['stacks', STACKS],
    ...layers.map(({ id, name, coin, variable }): [AnyChain, ChainWords] => [
      id,
      { name, coin, unit: `wei.${coin}`, variable: `${variable}=public` },
    ]),
  ])
  const all = [...words.keys()]
  return {
    all,
    ofContracts: all.filter(chain => chain !== 'bitcoin'),
    of: chain =>
      words.get(chain) ?? {
        name: `${chain} (no longer in the catalog)`,
        coin: '',
        unit: 'wei',
        variable: '',
      },
    has: chain => words.has(chain),
  }
}

export const useCovered = (): Covered => coveredWith(useLayers())

const isLayer = (chain: AnyChain): boolean => chain !== 'bitcoin' && chain !== 'stacks'

/** A chain that the address names, if it is one of these. */
export const chainIn = <Chain extends AnyChain>(
  chains: readonly Chain[],
  text: string | null,
): Chain | undefined => chains.find(chain => chain === text)

/** Where a contract opens. */
export const contractPath = (chain: AnyChain, contract: string): string =>
  isLayer(chain) ? `/${chain}/contract/${contract}` : principalPath(contract)

/** Where an account opens; null where it has no page. */
export function accountPath(chain: AnyChain, account: string): string | null {
  if (isLayer(chain)) return `/${chain}/address/${account}`
  return chain === 'stacks' ? principalPath(account) : null
}

export const accountText = (chain: AnyChain, account: string): string =>
  chain === 'stacks' ? principalText(account) : isLayer(chain) ? shortAddress(account) : account

export const txPath = (chain: AnyChain, hash: string): string => `/${chain}/tx/${hash}`

/** One chain that has contracts or all of them, as a row of choices. */
export const chainRow = ({ ofContracts, of }: Covered, current: AnyChain | undefined): ChoiceRow => ({
  label: 'Chain',
  name: 'chain',
  current,
  choices: [
    { value: undefined, label: 'All chains' },
    ...ofContracts.map(chain => ({ value: chain, label: of(chain).name })),
  ],
})

/** The chain that the address asks about, as the API takes it. */
export function chainAsked(query: URLSearchParams, layers: readonly SiteLayer[]): { chain?: AnyChain } {
  const { ofContracts } = coveredWith(layers)
  const chain = chainIn(ofContracts, query.get('chain'))
  return chain === undefined ? {} : { chain }
}
