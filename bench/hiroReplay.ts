import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { shared, sharedPath } from '#tests/shared.ts'
import { chainedBlocks } from './hiroReplay/chained.ts'
import type { OurAnswer } from './hiroReplay/child.ts'
import { type ReplayAnswer, runReplay, whyNoReplay } from './hiroReplay/replay.ts'
import { interleave, median } from './measure.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const PEER = 'Hiro’s event replay'
const TARGET = 10
/** Lines at the start of a test network: genesis with its contracts, and the Bitcoin blocks before the next one. */
const START_LINES = 200

/** The start of an archive and all of it: what the rest takes is the difference, free of what a start costs. */
type Archives = {
  readonly what: string
  readonly chainId: string
  readonly start: Buffer
  readonly whole: Buffer
}

/** An archive of events to rows that can be asked, in our warehouse and in the Postgres of Hiro's API. */
export const hiroReplay: Suite = {
  name: 'replay',
  about: 'archives of a Stacks node’s events to queryable rows, ours and Hiro’s event replay beside it',
  skipReason: () =>
    sharedPath('data/stacks/events') === undefined
      ? 'the recorded archives (../shared) are not beside this clone'
      : whyNoReplay(),
  async run(context) {
    // Postgres may have to run as another user.
    chmodSync(context.folder, 0o755)
    const figures: Figure[] = []
    for (const archives of archivesOf(context.isQuick)) figures.push(...(await compare(context, archives)))
    return figures
  },
}

function archivesOf(isQuick: boolean): readonly Archives[] {
  const recorded = (name: string): Buffer =>
    gunzipSync(readFileSync(shared(`data/stacks/events/${name}.tsv.gz`)))
  const full = recorded('mainnet-poison-microblock-760063').toString().split('\n')[0]!.split('\t')[3]!
  // Its lines do not lie in the order of their numbers, in which the replay takes them.
  const nakamoto = recorded('devnet-nakamoto-with-signer-messages')
    .toString()
    .trimEnd()
    .split('\n')
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const ofNode = nakamoto.filter(line => !/\t\/(?:stackerdb_chunks|proposal_response)\t/.test(line))
  const startOf = (lines: readonly string[], count: number): Buffer =>
    Buffer.from(`${lines.slice(0, count).join('\n')}\n`)
  const ofTestNetwork = (what: string, lines: readonly string[]): Archives => ({
    what,
    chainId: '0x80000000',
    start: startOf(lines, START_LINES),
    whole: startOf(lines, lines.length),
  })
  const [few, many] = isQuick ? [20, 120] : [100, 600]
  return [
    {
      what: 'full blocks of 2022',
      chainId: '0x00000001',
      start: chainedBlocks(full, few),
      whole: chainedBlocks(full, many),
    },
    ofTestNetwork('Nakamoto, without messages of signers', ofNode),
    ofTestNetwork('Nakamoto, with messages of signers', nakamoto),
  ]
}

async function compare(
  context: BenchContext,
  { what, chainId, start, whole }: Archives,
): Promise<readonly Figure[]> {
  const paths = { start: join(context.folder, 'start.tsv'), whole: join(context.folder, 'whole.tsv') }
  writeFileSync(paths.start, start)
  writeFileSync(paths.whole, whole)
  const bytes = whole.length - start.length
  context.say(`${what}: ${rounded(bytes / 1e6)} MB behind a start of ${rounded(start.length / 1e6)} MB`)
  const ours = (archive: string) => () => inFolder(context, folder => runOurs(folder, archive))
  const peer = (archive: string) => () => inFolder(context, folder => runReplay(folder, { archive, chainId }))
  const rounds = await interleave<ReplayAnswer>(
    {
      oursStart: ours(paths.start),
      peerStart: peer(paths.start),
      ours: ours(paths.whole),
      peer: peer(paths.whole),
    },
    context.isQuick ? 1 : 3,
  )
  demandSameRows(rounds.ours![0]!, rounds.peer![0]!)
  return [
    lineOf(`${what}, processor time with the store`, bytes, rounds, 'processorS'),
    lineOf(`${what}, by the clock`, bytes, rounds, 'seconds'),
  ]
}

function lineOf(
  figure: string,
  bytes: number,
  rounds: Readonly<Record<string, readonly ReplayAnswer[]>>,
  of: 'seconds' | 'processorS',
): Figure {
  const middle = (name: string): number => median(rounds[name]!.map(answer => answer[of]))
  const rate = (name: 'ours' | 'peer'): number => bytes / 1e6 / (middle(name) - middle(`${name}Start`))
  const [ours, peer] = [rate('ours'), rate('peer')]
  // Where others take the machine, a start may take longer than all of it: that is no rate.
  if (!(ours > 0 && peer > 0)) return { figure, ours: 'lost in the load of this machine' }
  return {
    figure,
    ours: `${rounded(ours)} MB/s`,
    against: `${PEER} ${rounded(peer)} MB/s`,
    ...atLeast(ours / peer, TARGET),
  }
}

async function inFolder<T>(context: BenchContext, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(context.folder, 'round-'))
  chmodSync(folder, 0o755)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runOurs(folder: string, archive: string): Promise<ReplayAnswer> {
  const began = performance.now()
  const child = fork(fileURLToPath(new URL('hiroReplay/child.ts', import.meta.url)), [folder, archive], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const told = async (): Promise<unknown> =>
    await Promise.race([
      once(child, 'message').then(([message]) => message as unknown),
      exited.then(([code]) => {
        throw new Error(`our ingest ended with ${code}`)
      }),
    ])
  await told()
  const seconds = (performance.now() - began) / 1000
  const answer = (await told()) as OurAnswer
  await exited
  return { ...answer, seconds }
}

/** A speed is worth nothing where the rows differ. */
function demandSameRows(ours: ReplayAnswer, peer: ReplayAnswer): void {
  if (ours.lines.length === 0) throw new Error('no block to compare')
  for (let i = 0; i < Math.max(ours.lines.length, peer.lines.length); i++)
    if (ours.lines[i] !== peer.lines[i])
      throw new Error(`block ${i} is "${ours.lines[i]}" for us and "${peer.lines[i]}" for ${PEER}`)
}
