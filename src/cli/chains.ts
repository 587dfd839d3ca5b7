import process from 'node:process'
import { InvalidArgumentError, Option } from 'commander'
import { readEvmLayers } from '#catalog/index.ts'
import { catalogOf } from '../config.ts'
import { catalogDir } from '../main.ts'

/** `bitcoin`, `stacks`, or an EVM layer of the catalogue. */
export type Chain = string

/** The chains that commands take by name. */
export const chainNames = async (): Promise<readonly Chain[]> => [
  'bitcoin',
  'stacks',
  ...(await readEvmLayers(catalogDir({ catalog: catalogOf(process.env) }))).map(({ id }) => id),
]

/** `--chain <chain>`, Bitcoin unless given. */
export const chainOption = (chains: readonly Chain[]): Option =>
  new Option('--chain <chain>', 'the chain').choices(chains).default('bitcoin')

/** `--chain <chains>`, one or several with commas between. */
export const chainsOption = (chains: readonly Chain[]): Option =>
  new Option('--chain <chains>', `chains to follow, with commas between: ${chains.join(', ')}`)
    .argParser((text): Chain[] =>
      text.split(',').map(name => {
        const chain = chains.find(each => each === name.trim())
        if (chain === undefined)
          throw new InvalidArgumentError(`"${name}" is no chain; there are ${chains.join(', ')}.`)
        return chain
      }),
    )
    .default(['bitcoin'], 'bitcoin')

export const isLayer = (chain: Chain): boolean => chain !== 'bitcoin' && chain !== 'stacks'
