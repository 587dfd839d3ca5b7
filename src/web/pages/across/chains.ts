import type { ChainHeldView } from '#http/contract.ts'
import type { ChoiceRow } from '../../blocks/Choices.tsx'
import { isLayer, LAYERS, type LayerId } from '../layers/layers.ts'
import { shortAddress } from '../layers/words.ts'
import { principalPath, principalText } from '../stacks/words.ts'

export type AnyChain = ChainHeldView['chain']

/** Every chain that is covered: its name, the unit of its coin, and what lets it be followed. */
export const CHAINS: Readonly<Record<AnyChain, { name: string; unit: string; variable: string }>> = {
  bitcoin: { name: 'Bitcoin', unit: 'sat', variable: 'BITCOIN_RPC_URL' },
  stacks: { name: 'Stacks', unit: 'uSTX', variable: 'STACKS_RPC_URL' },
  ...(Object.fromEntries(
    Object.entries(LAYERS).map(([layer, { name, coin, variable }]) => [
      layer,
      { name, unit: `wei.${coin}`, variable: `${variable}=public` },
    ]),
  ) as Record<LayerId, { name: string; unit: string; variable: string }>),
}
export const CHAIN_IDS = Object.keys(CHAINS) as AnyChain[]
/** Those that have contracts. */
export type ContractChain = Exclude<AnyChain, 'bitcoin'>
export const CONTRACT_CHAINS = CHAIN_IDS.filter((chain): chain is ContractChain => chain !== 'bitcoin')

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

/** One chain or all of them, as a row of choices. */
export const chainRow = (chains: readonly AnyChain[], current: AnyChain | undefined): ChoiceRow => ({
  label: 'Chain',
  name: 'chain',
  current,
  choices: [
    { value: undefined, label: 'All chains' },
    ...chains.map(chain => ({ value: chain, label: CHAINS[chain].name })),
  ],
})

/** The chain that the address asks about, as the API takes it. */
export function chainAsked(query: URLSearchParams): { chain?: ContractChain } {
  const chain = chainIn(CONTRACT_CHAINS, query.get('chain'))
  return chain === undefined ? {} : { chain }
}
