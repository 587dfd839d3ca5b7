import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { STACKS_ARCHIVES } from '#tests/recordedStacks.ts'
import { shared, sharedPath } from '#tests/shared.ts'
import { type Helper, openHelper } from './helper.ts'
import { interleave, median } from './measure.ts'
import type { Answer, Request } from './stacksArchive/child.ts'
import { atLeast, type Figure, rounded, type Suite } from './suite.ts'

const PEER = 'JSON.parse alone'
const TARGET = 0.3
const BYTES = 128 * 2 ** 20

/** Which recordings make the archive that is read, again and again until it is long enough. */
const MADE_OF = {
  'main network of 2021 and 2022': STACKS_ARCHIVES.filter(
    name => name.startsWith('mainnet') && name.includes('.tsv'),
  ),
  'Nakamoto with messages of signers': ['devnet-nakamoto-with-signer-messages.tsv.gz'],
} as const

/** An archive of events to rows ready for the engine, a thread a core, against parsing the JSON of the same archive. */
export const stacksArchive: Suite = {
  name: 'archive',
  about: 'archives of a Stacks node’s events to rows, a thread a core; the peer parses on one',
  skipReason: () =>
    sharedPath('data/stacks/events') === undefined
      ? 'the recorded archives (../shared) are not beside this clone'
      : undefined,
  async run({ isQuick, folder, say }) {
    const child = fileURLToPath(new URL('stacksArchive/child.ts', import.meta.url))
    using helpers = new DisposableStack()
    const ours: Helper<Request, Answer> = helpers.use(openHelper(child, ['rows']))
    const peer: Helper<Request, Answer> = helpers.use(openHelper(child, ['parse']))
    const figures: Figure[] = []
    for (const [what, names] of Object.entries(MADE_OF))
      for (const isPacked of [false, true]) {
        const archive = join(folder, `${figures.length}.tsv${isPacked ? '.gz' : ''}`)
        const bytes = writeArchive(archive, names, isPacked)
        say(`reading ${rounded(bytes / 1e6)} MB: ${what}${isPacked ? ', gzip' : ''}`)
        for (const helper of [ours, peer]) await helper.ask({ archive })
        const rounds = await interleave(
          { ours: () => ours.ask({ archive }), [PEER]: () => peer.ask({ archive }) },
          isQuick ? 3 : 7,
        )
        const msOf = (name: string): number => median(rounds[name]!.map(({ ms }) => ms))
        const rate = (name: string): number => bytes / 1e3 / msOf(name)
        figures.push({
          figure: `${what}, ${isPacked ? 'gzip' : 'plain'}`,
          ours: `${rounded(rate('ours'))} MB/s, ${rounded((1000 * rounds.ours![0]!.count) / msOf('ours'))} rows/s`,
          against: `${PEER} ${rounded(rate(PEER))} MB/s`,
          ...atLeast(rate('ours') / rate(PEER), TARGET),
        })
      }
    return figures
  },
}

/** Writes recordings one behind the other until there are enough of them. Returns the bytes before packing. */
function writeArchive(path: string, names: readonly string[], isPacked: boolean): number {
  const texts = names.map(name => gunzipSync(readFileSync(shared(`data/stacks/events/${name}`))))
  // Not every recording ends its last line.
  const once = Buffer.concat(texts.flatMap(text => [text, Buffer.from('\n')]))
  const plain = Buffer.concat(new Array<Buffer>(Math.ceil(BYTES / once.length)).fill(once))
  writeFileSync(path, isPacked ? gzipSync(plain, { level: 6 }) : plain)
  return isPacked ? plain.length : statSync(path).size
}
