import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '#ingest/testing.ts'
import { TOKEN, transferInput } from '#tests/evm/contracts.ts'
import { type Anvil, openAnvil, skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import type { OurAnswer } from './evm/child.ts'
import { type PonderAnswer, runPonder, whyNoPonder } from './evm/ponder.ts'
import { interleave, median } from './measure.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const PEER = 'ponder'
const CHAIN_ID = 4200
const TRANSFERS_A_BLOCK = 5
/** ponder counts what lies below as final and lets it be indexed before it is ready. */
const UNFINAL_BLOCKS = 70
const TARGET = 5
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Blocks and transfers of one node and range as rows that can be asked, against `ponder`. */
export const evm: Suite = {
  name: 'evm',
  about: 'blocks and transfers of a real EVM node to queryable rows, from the start of the process on',
  skipReason: () => skipWithoutAnvil.skip || whyNoPonder(),
  async run(context) {
    await using anvil = await openAnvil({ chainId: CHAIN_ID })
    const made = await makeChain(anvil, context.isQuick ? 300 : 1000)
    context.say(`${made.end + 1} blocks with ${TRANSFERS_A_BLOCK} transfers each on anvil`)
    const rounds = await interleave<PonderAnswer>(
      {
        ours: () => inFolder(context, folder => runOurs(folder, anvil, made.end, 'stated')),
        proved: () => inFolder(context, folder => runOurs(folder, anvil, made.end, 'recovered')),
        [PEER]: () =>
          inFolder(context, folder =>
            runPonder(folder, { rpc: anvil.url, token: made.token, end: made.end }),
          ),
      },
      context.isQuick ? 1 : 3,
    )
    for (const name of ['ours', 'proved']) demandSameRows(rounds[name]![0]!, rounds[PEER]![0]!)
    return figuresOf(rounds, made.end + 1)
  },
}

/** One contract, and blocks of transfers by it. */
async function makeChain(anvil: Anvil, blocks: number): Promise<{ token: string; end: number }> {
  const random = createRandom(4200)
  const id = await anvil.transact({ data: TOKEN })
  await anvil.mine()
  const receipt = (await anvil.send('eth_getTransactionReceipt', id)) as { contractAddress: string }
  for (let i = 0; i < blocks; i++) {
    for (let n = 0; n < TRANSFERS_A_BLOCK; n++)
      await anvil.transact({
        to: receipt.contractAddress,
        data: transferInput(FRIEND, 1 + Math.floor(random() * 1e6)),
      })
    await anvil.mine()
  }
  await anvil.mine(UNFINAL_BLOCKS)
  return { token: receipt.contractAddress, end: blocks + 1 }
}

async function inFolder<T>(context: BenchContext, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(context.folder, 'round-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `stated`: senders are taken from the node's answer, as the peer takes all of it; hashes and roots are recomputed. */
async function runOurs(
  folder: string,
  anvil: Anvil,
  end: number,
  senders: 'stated' | 'recovered',
): Promise<PonderAnswer> {
  const began = performance.now()
  const child = fork(
    fileURLToPath(new URL('evm/child.ts', import.meta.url)),
    [folder, anvil.url, String(CHAIN_ID), String(end), senders],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  const exited = once(child, 'exit')
  const [answer] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => {
      throw new Error(`our ingest ended with ${code}`)
    }),
  ])) as [OurAnswer]
  const seconds = (performance.now() - began) / 1000
  await exited
  return { ...answer, seconds }
}

/** A speed is worth nothing where the rows differ. */
function demandSameRows(ours: PonderAnswer, peer: PonderAnswer): void {
  for (let i = 0; i < Math.max(ours.lines.length, peer.lines.length); i++)
    if (ours.lines[i] !== peer.lines[i])
      throw new Error(`row ${i} is "${ours.lines[i]}" for us and "${peer.lines[i]}" for ${PEER}`)
}

function figuresOf(
  rounds: Readonly<Record<string, readonly PonderAnswer[]>>,
  blocks: number,
): readonly Figure[] {
  const middle = (name: string, of: 'seconds' | 'processorS'): number =>
    median(rounds[name]!.map(answer => answer[of]))
  const line = (figure: string, name: string, of: 'seconds' | 'processorS'): Figure => ({
    figure,
    ours: `${rounded(middle(name, of))} s`,
    against: `${PEER} ${rounded(middle(PEER, of))} s`,
    ...atLeast(middle(PEER, of) / middle(name, of), TARGET),
  })
  return [
    line(`${blocks} blocks and their transfers, processor time with the store`, 'ours', 'processorS'),
    line('the same with every sender recovered, which the peer does not', 'proved', 'processorS'),
    line('the same by the clock; the peer paces itself, from 20 requests a second on', 'proved', 'seconds'),
  ]
}
