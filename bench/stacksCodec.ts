import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStacksCodec } from '#chains/stacks/index.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from '#tests/recordedStacks.ts'
import { sharedPath } from '#tests/shared.ts'
import { type Helper, openHelper } from './helper.ts'
import { interleave, median } from './measure.ts'
import {
  type Answer,
  type Corpus,
  isLostOnPeer,
  MODES,
  type Mode,
  type Request,
  type TransactionFacts,
} from './stacksCodec/contestant.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const PEER = '@stacks/transactions'
const FILES = ['tx-mainnet-decoded', 'tx-devnet-nakamoto-decoded', 'tx-mainnet-version-misc'] as const
const TARGET = 5
const SHOWN: Readonly<Record<Mode, string>> = {
  decode: 'decode, the peer without txid and addresses',
  decodeWithTxid: 'decode with txid and sender',
  valueText: 'Clarity value to readable text',
}

/** Decoding recorded transactions and values on one thread, against `@stacks/transactions`. */
export const stacksCodec: Suite = {
  name: 'stacks',
  about: 'bytes of Stacks transactions and Clarity values to their fields, one thread',
  skipReason: () =>
    sharedPath('data/stacks/vectors') === undefined
      ? 'the recorded transactions (../shared) are not beside this clone'
      : undefined,
  async run(context) {
    const path = join(context.folder, 'corpus.json')
    const corpus = recordedCorpus()
    writeFileSync(path, JSON.stringify(corpus))
    const child = fileURLToPath(new URL('stacksCodec/child.ts', import.meta.url))
    using children = new DisposableStack()
    const contestants: Contestants = {
      ours: children.use(openHelper(child, ['ours', path])),
      [PEER]: children.use(openHelper(child, [PEER, path])),
    }
    await demandSameFacts(contestants)
    const figures: Figure[] = []
    for (const mode of MODES) figures.push(await race(contestants, mode, corpus, context))
    return figures
  },
}

type Contestants = Readonly<Record<'ours' | typeof PEER, Helper<Request, Answer>>>

/** Recorded transactions without those of which the peer loses bytes, and the arguments of recorded calls. */
function recordedCorpus(): Corpus {
  const codec = openStacksCodec()
  const isKept = (input: string): boolean => !isLostOnPeer(codec.decodeTransaction(bytesOfHex(input)).payload)
  const transactions = FILES.flatMap(name => stacksVectors<StacksVector<unknown>>(name))
    .map(({ input }) => input)
    .filter(isKept)
  const values = stacksVectors<StacksVector<{ hex: string }[]>>('clarity-call-args-mainnet')
    .flatMap(({ expected }) => expected)
    .map(({ hex }) => hex)
  const bare = (hex: string): string => hex.replace(/^0x/, '')
  return { transactions: transactions.map(bare), values: values.map(bare) }
}

async function race(
  contestants: Contestants,
  mode: Mode,
  corpus: Corpus,
  { isQuick, say }: BenchContext,
): Promise<Figure> {
  const inputs = mode === 'valueText' ? corpus.values : corpus.transactions
  say(`racing ours and ${PEER}: ${SHOWN[mode]}, ${inputs.length} recorded ones`)
  const msOf = async (name: keyof Contestants, repeats: number): Promise<number> => {
    const answer = await contestants[name].ask({ mode, repeats })
    if (!('ms' in answer)) throw new TypeError(`${name} answered with facts where times were asked for`)
    return answer.ms
  }
  for (const name of ['ours', PEER] as const) await msOf(name, 30)
  const rounds = await interleave(
    { ours: () => msOf('ours', 10), [PEER]: () => msOf(PEER, 4) },
    isQuick ? 7 : 25,
  )
  const microseconds = (name: string): number => (1000 * median(rounds[name]!)) / inputs.length
  const [ours, peer] = [microseconds('ours'), microseconds(PEER)]
  return {
    figure: SHOWN[mode],
    ours: `${rounded(ours)} µs`,
    against: `${PEER} ${rounded(peer)} µs`,
    ...atLeast(peer / ours, TARGET),
  }
}

/** Throws where the peer says something else than we do: a speed is worth nothing then. */
async function demandSameFacts(contestants: Contestants): Promise<void> {
  const factsOf = async (name: keyof Contestants): Promise<readonly TransactionFacts[]> => {
    const answer = await contestants[name].ask({ facts: true })
    if (!('facts' in answer)) throw new TypeError(`${name} gave no facts`)
    return answer.facts
  }
  const [ours, theirs] = [await factsOf('ours'), await factsOf(PEER)]
  for (const [i, mine] of ours.entries()) {
    const [got, expected] = [JSON.stringify(mine), JSON.stringify(theirs[i])]
    if (got !== expected)
      throw new Error(`transaction ${mine.txid} is ${got} for us and ${expected} for ${PEER}`)
  }
}
