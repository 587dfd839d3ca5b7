import { Worker } from 'node:worker_threads'
import type { BitcoinCodec, MiningPool } from '#chains/bitcoin/index.ts'
import type { DecodeWorkerData } from './decodeWorker.ts'
import { IngestError } from './errors.ts'
import { groupsHeld } from './groups.ts'
import { buffersOf, type Chunk, type ChunkJob } from './rows/chunk.ts'
import { decodeChunk } from './rows/decodeChunk.ts'

export type DecodePool = AsyncDisposable & {
  readonly threads: number
  /** Takes the memory of the job with it; the chunk brings it back. */
  decode(job: ChunkJob): Promise<Chunk>
  /** Memory for so many raw bytes: what a chunk that is done with has given back, or new. */
  rawMemory(byteCount: number): SharedArrayBuffer
  /** The same for the columns of so many raw bytes. */
  columnMemory(rawBytes: number): SharedArrayBuffer
  /** Takes the memory of a chunk back; nothing of it may be used any more. */
  release(chunk: Chunk): void
}

type Waiting = {
  readonly job: ChunkJob
  readonly resolve: (chunk: Chunk) => void
  readonly reject: (error: Error) => void
}
type Lane = { readonly worker: Worker; busy: Waiting | undefined }

/** Decodes on threads of their own, started at the first job. With 0 threads it decodes in place. */
export function openDecodePool(
  config: DecodeWorkerData & {
    readonly threads: number
    readonly codec: BitcoinCodec
    readonly pools: readonly MiningPool[]
  },
): DecodePool {
  const { threads, codec, network, pools } = config
  const store = createMemoryStore(groupsHeld(threads))
  if (threads === 0)
    return {
      threads,
      ...store,
      decode: async job => decodeChunk(codec, pools, job),
      [Symbol.asyncDispose]: async () => {},
    }

  const lanes: Lane[] = []
  const queue: Waiting[] = []

  function start(): Lane {
    const data: DecodeWorkerData = { network, pools }
    const lane: Lane = {
      worker: new Worker(new URL('./decodeWorker.ts', import.meta.url), { workerData: data }),
      busy: undefined,
    }
    // A thread keeps no process alive: whoever waits for a chunk does.
    lane.worker.unref()
    lane.worker.on('message', ({ chunk, failure }: { chunk?: Chunk; failure?: string }) => {
      const done = lane.busy
      lane.busy = undefined
      if (queue.length > 0) run(lane, queue.shift()!)
      else lane.worker.unref()
      if (chunk) done?.resolve(chunk)
      else done?.reject(new IngestError('ingest.worker', `A decoding thread failed: ${failure}`))
    })
    lane.worker.on('error', cause => {
      lanes.splice(lanes.indexOf(lane), 1)
      lane.busy?.reject(new IngestError('ingest.worker', 'A decoding thread stopped.', { cause }))
    })
    lanes.push(lane)
    return lane
  }

  function run(lane: Lane, waiting: Waiting): void {
    lane.busy = waiting
    lane.worker.ref()
    lane.worker.postMessage(waiting.job, [...buffersOf(waiting.job)])
  }

  return {
    threads,
    ...store,
    decode: job =>
      new Promise((resolve, reject) => {
        const waiting = { job, resolve, reject }
        const idle = lanes.find(lane => lane.busy === undefined)
        if (idle) run(idle, waiting)
        else if (lanes.length < threads) run(start(), waiting)
        else queue.push(waiting)
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all(lanes.map(lane => lane.worker.terminate()))
    },
  }
}

/** Columns take about so many bytes for each raw byte. */
const COLUMN_BYTES = 4

function createMemoryStore(most: number): Pick<DecodePool, 'rawMemory' | 'columnMemory' | 'release'> {
  const raw: SharedArrayBuffer[] = []
  const columns: SharedArrayBuffer[] = []
  let columnBytes = 0
  return {
    rawMemory(byteCount) {
      const held = raw.pop()
      return held !== undefined && held.byteLength >= byteCount ? held : new SharedArrayBuffer(byteCount)
    },
    columnMemory: rawBytes =>
      columns.pop() ?? new SharedArrayBuffer(Math.max(columnBytes, rawBytes * COLUMN_BYTES)),
    release({ bytes, memory, neededBytes }) {
      // Small ones are not worth keeping: the next group may be a large one.
      if (raw.length < most) raw.push(bytes.buffer)
      columnBytes = Math.max(columnBytes, Math.ceil(neededBytes * 1.1))
      if (columns.length < most && memory.byteLength >= neededBytes) columns.push(memory)
    },
  }
}
