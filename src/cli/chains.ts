import { InvalidArgumentError, Option } from 'commander'
import { EVM_LAYERS, type EvmLayer } from '#kernel/evm.ts'

/** The chains that commands take by name. */
export const CHAINS = ['bitcoin', 'stacks', ...EVM_LAYERS] as const
export type Chain = (typeof CHAINS)[number]

/** `--chain <chain>`, Bitcoin unless given. */
export const chainOption = (): Option =>
  new Option('--chain <chain>', 'the chain').choices(CHAINS).default('bitcoin')

/** `--chain <chains>`, one or several with commas between. */
export const chainsOption = (): Option =>
  new Option('--chain <chains>', `chains to follow, with commas between: ${CHAINS.join(', ')}`)
    .argParser((text): Chain[] =>
      text.split(',').map(name => {
        const chain = CHAINS.find(each => each === name.trim())
        if (chain === undefined)
          throw new InvalidArgumentError(`"${name}" is no chain; there are ${CHAINS.join(', ')}.`)
        return chain
      }),
    )
    .default(['bitcoin'], 'bitcoin')

export const isLayer = (chain: Chain): chain is EvmLayer => chain !== 'bitcoin' && chain !== 'stacks'
