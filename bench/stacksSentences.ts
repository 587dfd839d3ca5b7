import { fileURLToPath } from 'node:url'
import { type ClarityValue, encodeValue, openStacksCodec } from '#chains/stacks/index.ts'
import { readSentences, type Sentences } from '#explorer/index.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from '#tests/recordedStacks.ts'
import { sharedPath } from '#tests/shared.ts'
import { interleave, median } from './measure.ts'
import { type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const CATALOG = fileURLToPath(new URL('../catalog', import.meta.url))
const FILES = ['tx-mainnet-decoded', 'tx-mainnet-version-misc'] as const
/** Calls a second, on one thread. */
const TARGET = 50_000

type Call = {
  readonly contract: string
  readonly functionName: string
  readonly sender: string
  readonly raw: readonly Uint8Array[]
}

/** Recorded calls from the bytes of their arguments to their sentence, against the decoding of those bytes alone. */
export const stacksSentences: Suite = {
  name: 'sentences',
  about: 'bytes of recorded Stacks calls to sentences, one thread',
  skipReason: () =>
    sharedPath('data/stacks/vectors') === undefined
      ? 'the recorded transactions (../shared) are not beside this clone'
      : undefined,
  async run({ isQuick }: BenchContext): Promise<readonly Figure[]> {
    const sentences = await readSentences(CATALOG)
    const codec = openStacksCodec()
    const calls = recordedCalls()
    const rounds = isQuick ? 60 : 400
    const decode = (call: Call): ClarityValue[] => call.raw.map(bytes => codec.decodeValue(bytes))
    const timed = (each: (call: Call) => unknown): number => {
      const before = performance.now()
      for (let round = 0; round < rounds; round++) for (const call of calls) each(call)
      return (calls.length * rounds * 1000) / (performance.now() - before)
    }
    const runs = await interleave(
      {
        decoded: async () => timed(decode),
        spoken: async () => timed(call => speak(sentences, call, decode(call))),
      },
      isQuick ? 3 : 7,
    )
    const spoken = median(runs.spoken!)
    const decoded = median(runs.decoded!)
    return [
      {
        figure: `${calls.length} recorded calls to sentences`,
        ours: `${rounded(spoken)} calls/s`,
        against: `their arguments decoded alone: ${rounded(decoded)} calls/s`,
        ratio: spoken / decoded,
        target: `≥ ${TARGET.toLocaleString('en-US')} calls/s`,
        isMet: spoken >= TARGET,
      },
    ]
  },
}

const speak = (
  sentences: Sentences,
  { contract, functionName, sender }: Call,
  args: readonly ClarityValue[],
): string => sentences.call({ contract, functionName, args, sender, isSuccess: true, moves: null }).text

function recordedCalls(): Call[] {
  const codec = openStacksCodec()
  return FILES.flatMap(name => stacksVectors<StacksVector<unknown>>(name)).flatMap(({ input }) => {
    const { auth, payload } = codec.decodeTransaction(bytesOfHex(input))
    if (payload.kind !== 'contract_call') return []
    const { contract, functionName, args } = payload
    return [{ contract, functionName, sender: auth.origin.address, raw: args.map(encodeValue) }]
  })
}
