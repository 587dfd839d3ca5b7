import type { Arena } from '#kernel/arena.ts'
import { FREE } from './sha256Module.ts'

/** The part of a WebAssembly memory that jobs may use, and views of the whole. */
export type Heap = {
  /** Replaced when the memory grows: take it after `layOut`. */
  readonly u8: Uint8Array<ArrayBuffer>
  readonly u32: Uint32Array<ArrayBuffer>
  /**
   * Copies bytes in and returns where they are; at no cost while they are those held last. They stay until others are
   * held. The same object must hold the same bytes as long as it is given.
   */
  hold(bytes: Uint8Array): number
  /** Places for jobs and results behind the bytes held, for one call; the memory grows to hold them. */
  layOut(jobBytes: number, outBytes: number): { jobs: number; out: number }
  /** A copy of some bytes, in the arena. */
  copy(from: number, byteCount: number): Uint8Array
}

const PAGE_BYTES = 65_536
/** Vectors are read and written whole: so much may lie behind the last byte in use. */
const SLACK_BYTES = 256

export function openHeap(memory: WebAssembly.Memory, arena: Arena): Heap {
  let held: Uint8Array | undefined
  let heldEnd = aligned(FREE)

  function demand(end: number): void {
    const missing = end + SLACK_BYTES - memory.buffer.byteLength
    if (missing <= 0) return
    memory.grow(Math.ceil(missing / PAGE_BYTES))
    heap.u8 = new Uint8Array(memory.buffer)
    heap.u32 = new Uint32Array(memory.buffer)
  }

  const heap = {
    u8: new Uint8Array(memory.buffer),
    u32: new Uint32Array(memory.buffer),
    hold(bytes: Uint8Array) {
      const at = aligned(FREE)
      if (held === bytes) return at
      heldEnd = aligned(at + bytes.length + SLACK_BYTES)
      demand(heldEnd)
      heap.u8.set(bytes, at)
      held = bytes
      return at
    },
    layOut(jobBytes: number, outBytes: number) {
      const jobs = heldEnd
      const out = aligned(jobs + jobBytes + SLACK_BYTES)
      demand(out + outBytes)
      return { jobs, out }
    },
    copy(from: number, byteCount: number) {
      const bytes = arena.u8(byteCount, 'overwritten')
      bytes.set(heap.u8.subarray(from, from + byteCount))
      return bytes
    },
  }
  return heap
}

const aligned = (n: number): number => (n + 15) & ~15
