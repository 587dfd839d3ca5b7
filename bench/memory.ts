import { join } from 'node:path'
import { sharedPath } from '#tests/shared.ts'
import { makeChain } from './chain/child.ts'
import { memoryFigures, watchBackfill } from './memory/watch.ts'
import { rounded, type Suite } from './suite.ts'

const SEED = 20_100_522

/** Memory of the real `assay backfill` over a long chain: all its processes, from the first block to the last rollup. */
export const memory: Suite = {
  name: 'memory',
  about: 'anonymous memory of all processes of ingest over a long chain',
  skipReason() {
    if (process.platform !== 'linux') return 'it reads /proc, which only Linux has'
    return sharedPath('data/bitcoin/blocks') === undefined
      ? 'the recorded blocks (../shared), of which the synthetic chain is made, are not beside this clone'
      : undefined
  },
  async run(context) {
    const { isQuick, folder, say } = context
    say('making a chain')
    const shape = {
      seed: SEED,
      endHeight: isQuick ? 10_000 : 100_100,
      outputsPerBlock: 310,
      unspentShare: 0.3,
      tip: { count: 1, inputs: 4000, outputs: 6500 },
    }
    const chain = await makeChain(shape, join(folder, 'chain'))
    const unspent = chain.outputCount - chain.inputCount + chain.blockCount
    const shown = `${rounded(chain.outputCount / 1e6)} M outputs, ${rounded(unspent / 1e6)} M unspent`
    say(`${chain.blockCount} blocks, ${shown}, ${rounded(chain.byteCount / 1e9)} GB of raw blocks`)
    const start = performance.now()
    const samples = await watchBackfill(
      ['--from-files', chain.blocksDir],
      join(folder, 'home'),
      { BITCOIN_NETWORK: 'regtest' },
      context,
    )
    say(`backfill and rollups took ${Math.round((performance.now() - start) / 1000)} s`)
    return memoryFigures(samples, `${rounded(chain.blockCount / 1000)} k blocks, ${shown}`)
  },
}
