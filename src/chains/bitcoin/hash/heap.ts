import { FREE } from './sha256Module.ts'

/** The part of a WebAssembly memory that jobs may use, and views of the whole. */
export type Heap = {
  /** Replaced when the memory grows: take it after `layOut`. */
  readonly u8: Uint8Array<ArrayBuffer>
  readonly u32: Uint32Array<ArrayBuffer>
  /** Places for bytes, jobs and results, one behind the other; the memory grows to hold them. */
  layOut(byteCount: number, jobBytes: number, outBytes: number): { bytes: number; jobs: number; out: number }
}

const PAGE_BYTES = 65_536
/** Vectors are read and written whole: so much may lie behind the last byte in use. */
const SLACK_BYTES = 256

export function openHeap(memory: WebAssembly.Memory): Heap {
  const heap = {
    u8: new Uint8Array(memory.buffer),
    u32: new Uint32Array(memory.buffer),
    layOut(byteCount: number, jobBytes: number, outBytes: number) {
      const bytes = aligned(FREE)
      const jobs = aligned(bytes + byteCount + SLACK_BYTES)
      const out = aligned(jobs + jobBytes + SLACK_BYTES)
      const missing = out + outBytes + SLACK_BYTES - memory.buffer.byteLength
      if (missing > 0) {
        memory.grow(Math.ceil(missing / PAGE_BYTES))
        heap.u8 = new Uint8Array(memory.buffer)
        heap.u32 = new Uint32Array(memory.buffer)
      }
      return { bytes, jobs, out }
    },
  }
  return heap
}

const aligned = (n: number): number => (n + 15) & ~15
