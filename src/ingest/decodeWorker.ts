import { parentPort, workerData } from 'node:worker_threads'
import { type MiningPool, openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { Arena } from '#kernel/arena.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { buffersOf, type ChunkJob } from './rows/chunk.ts'
import { decodeChunk } from './rows/decodeChunk.ts'

/** What a worker thread is started with. */
export type DecodeWorkerData = { readonly network: Network; readonly pools: readonly MiningPool[] }

/** The body of a decoding thread: raw blocks in, columns out, all by transfer. */
function serve(port: NonNullable<typeof parentPort>, { network, pools }: DecodeWorkerData): void {
  // Rows are copies: what one job decoded is done with when the next one comes.
  const arena = new Arena()
  const codec = openBitcoinCodec({ network, arena })
  port.on('message', (job: ChunkJob) => {
    arena.reset()
    try {
      const chunk = decodeChunk(codec, pools, job)
      port.postMessage({ chunk }, [...buffersOf(chunk)])
    } catch (thrown) {
      port.postMessage({ failure: sentenceOf(thrown) })
    }
  })
}

if (parentPort) serve(parentPort, workerData as DecodeWorkerData) // written by `openDecodePool` alone
