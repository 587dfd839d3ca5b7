import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sharedPath } from '#tests/shared.ts'
import { type Answer, type BlockFacts, MODES, type Mode, type Request } from './codec/contestant.ts'
import { type Helper, openHelper } from './helper.ts'
import { interleave, median } from './measure.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const HEIGHTS = [413_567, 540_107, 702_861, 831_124] as const
const PEERS = ['bcoin', 'bitcoinjs-lib'] as const
const LIMIT = 'node:crypto'
const TARGETS: Readonly<Record<Mode, number>> = { program: 5, address: 3 }
const SHOWN: Readonly<Record<Mode, string>> = { program: 'decode', address: 'decode with addresses' }

/** Decoding to ingest form on one thread, against bitcoinjs-lib and bcoin asked for the same facts. */
export const codec: Suite = {
  name: 'codec',
  about: 'bytes of a block to txids, script types and address programs, one thread',
  skipReason: () =>
    sharedPath('data/bitcoin/blocks') === undefined
      ? 'the recorded blocks (../shared) are not beside this clone'
      : undefined,
  async run(context) {
    const folder = sharedPath('data/bitcoin/blocks')!
    const names = readdirSync(folder)
    const files = HEIGHTS.map(height => `${folder}/${names.find(name => name.startsWith(`${height}-`))}`)
    const path = fileURLToPath(new URL('codec/child.ts', import.meta.url))
    using children = new DisposableStack()
    const contestants: Contestants = Object.fromEntries(
      ['ours', ...PEERS, LIMIT].map(name => [name, children.use(openHelper(path, [name, ...files]))]),
    )
    await demandSameFacts(contestants)
    const figures: Figure[] = []
    for (const mode of MODES) figures.push(...(await race(contestants, mode, context)))
    return figures
  },
}

type Contestants = Readonly<Record<string, Helper<Request, Answer>>>

async function race(contestants: Contestants, mode: Mode, { isQuick, say }: BenchContext): Promise<Figure[]> {
  const names = Object.keys(contestants)
  say(`racing ${names.join(', ')}: ${SHOWN[mode]}`)
  const msOf = async (name: string, repeats: number): Promise<readonly number[]> => {
    const answer = await contestants[name]!.ask({ mode, repeats })
    if (!('ms' in answer)) throw new TypeError(`${name} answered with facts where times were asked for`)
    return answer.ms
  }
  for (const name of names) await msOf(name, 12)
  const rounds = await interleave(
    Object.fromEntries(names.map(name => [name, () => msOf(name, 4)])),
    isQuick ? 7 : 25,
  )
  const ms = (name: string, block: number | undefined): number =>
    median(rounds[name]!.map(row => (block === undefined ? row.reduce((a, b) => a + b) : row[block]!)))

  const figureOf = (title: string, block: number | undefined): Figure => {
    const ours = ms('ours', block)
    const [peer, peerMs] = PEERS.map(name => [name, ms(name, block)] as const).reduce((a, b) =>
      a[1] <= b[1] ? a : b,
    )
    return {
      figure: title,
      ours: `${rounded(ours)} ms`,
      against: `${peer} ${rounded(peerMs)} ms`,
      ...atLeast(peerMs / ours, TARGETS[mode]),
    }
  }
  const limit = ms(LIMIT, undefined)
  return [
    ...HEIGHTS.map((height, block) => figureOf(`${SHOWN[mode]}, block ${height}`, block)),
    figureOf(`${SHOWN[mode]}, all four`, undefined),
    {
      figure: `${SHOWN[mode]}, all four, against the limit`,
      ours: `${rounded(ms('ours', undefined))} ms`,
      against: `node:crypto, same bytes in one call ${rounded(limit)} ms`,
      ratio: limit / ms('ours', undefined),
    },
  ]
}

/** What a peer is known to say otherwise: bcoin knows no taproot and gives bare multisig an address that it does not have. */
const NOT_COMPARED: Readonly<Record<(typeof PEERS)[number], readonly string[]>> = {
  bcoin: ['v1_p2tr', 'anchor', 'p2ms', 'op_return', 'unknown', 'p2pk'],
  'bitcoinjs-lib': ['anchor', 'p2ms', 'p2pk'],
}

/** Throws where a peer says something else than we do: a speed is worth nothing then. */
async function demandSameFacts(contestants: Contestants): Promise<void> {
  const factsOf = async (name: string, block: number): Promise<BlockFacts> => {
    const answer = await contestants[name]!.ask({ factsOf: block })
    if (!('facts' in answer) || answer.facts === null) throw new TypeError(`${name} gave no facts`)
    return answer.facts
  }
  for (const [block, height] of HEIGHTS.entries()) {
    const ours = await factsOf('ours', block)
    for (const peer of PEERS) {
      const theirs = await factsOf(peer, block)
      const differs = (what: string, got: unknown, expected: unknown) =>
        new Error(
          `block ${height}: ${what} is ${JSON.stringify(got)} for us and ${JSON.stringify(expected)} for ${peer}`,
        )
      if (ours.txids.join() !== theirs.txids.join())
        throw differs('the list of txids', ours.txids.length, theirs.txids.length)
      if (ours.outputs.length !== theirs.outputs.length)
        throw differs('the number of outputs', ours.outputs.length, theirs.outputs.length)
      for (const [o, output] of ours.outputs.entries()) {
        const other = theirs.outputs[o]!
        if (NOT_COMPARED[peer].includes(output.type)) continue
        if (
          output.type !== other.type ||
          output.program !== other.program ||
          output.address !== other.address
        )
          throw differs(`output ${o}`, output, other)
      }
    }
  }
}
