import { workOfBits } from './header.ts'

/** Where a block lies in a set of `blk*.dat` files. */
export type BlockPlace = { readonly file: number; readonly offset: number; readonly sizeBytes: number }

/**
 * The headers of a set of block files in typed arrays (about 100 bytes a block), found by hash. After `link()` each
 * block has a height where its root has one, and the work of its branch.
 */
export class BlkIndex {
  count = 0
  #capacity = 1024
  #hashes = new Uint8Array(32 * 1024)
  #prevHashes = new Uint8Array(32 * 1024)
  #timeS = new Uint32Array(1024)
  #bits = new Uint32Array(1024)
  #file = new Uint16Array(1024)
  #offset = new Float64Array(1024)
  #sizeBytes = new Uint32Array(1024)
  /** Open addressing by four bytes of the hash; the hash itself is compared. */
  #slots = new Int32Array(4096).fill(-1)
  /** −1 for a root. */
  parents = new Int32Array(0)
  /** Blocks between it and its root. */
  depths = new Int32Array(0)
  /** Work of the branch from its root, the block itself included. */
  readonly work: bigint[] = []

  /** Keeps a block; false for one that is there already. Hashes in hex, display order. */
  add(header: { hash: string; prevHash: string; timeS: number; bits: number }, place: BlockPlace): boolean {
    if (this.find(header.hash) >= 0) return false
    if (this.count === this.#capacity) this.#grow()
    const at = this.count++
    this.#hashes.set(Buffer.from(header.hash, 'hex'), at * 32)
    this.#prevHashes.set(Buffer.from(header.prevHash, 'hex'), at * 32)
    this.#timeS[at] = header.timeS
    this.#bits[at] = header.bits
    this.#file[at] = place.file
    this.#offset[at] = place.offset
    this.#sizeBytes[at] = place.sizeBytes
    this.#place(at)
    return true
  }

  /** Index of the block with this hash, or −1. */
  find(hash: string): number {
    const wanted = Buffer.from(hash, 'hex')
    const mask = this.#slots.length - 1
    for (let slot = wanted.readUInt32BE(28) & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]!
      if (at < 0) return -1
      if (wanted.equals(this.#hashes.subarray(at * 32, at * 32 + 32))) return at
    }
  }

  hash = (at: number): string => Buffer.from(this.#hashes.subarray(at * 32, at * 32 + 32)).toString('hex')
  prevHash = (at: number): string =>
    Buffer.from(this.#prevHashes.subarray(at * 32, at * 32 + 32)).toString('hex')
  timeS = (at: number): number => this.#timeS[at]!
  place = (at: number): BlockPlace => ({
    file: this.#file[at]!,
    offset: this.#offset[at]!,
    sizeBytes: this.#sizeBytes[at]!,
  })

  /** Finds each block's parent and the work of its branch, whatever the order of the files. */
  link(): void {
    const workByBits = new Map<number, bigint>()
    this.parents = new Int32Array(this.count)
    this.depths = new Int32Array(this.count)
    for (let at = 0; at < this.count; at++) this.parents[at] = this.find(this.prevHash(at))
    const pending: number[] = []
    for (let first = 0; first < this.count; first++) {
      for (let at = first; at >= 0 && this.work[at] === undefined; at = this.parents[at]!) pending.push(at)
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        const bits = this.#bits[at]!
        const own = workByBits.get(bits) ?? workOfBits(bits)
        workByBits.set(bits, own)
        const parent = this.parents[at]!
        this.work[at] = own + (parent < 0 ? 0n : this.work[parent]!)
        this.depths[at] = parent < 0 ? 0 : this.depths[parent]! + 1
      }
    }
  }

  /**
   * The branch of most work of every tree, each from its root to its tip, the tree of most work first; equal work goes
   * to the block that lies first in the files. `stale` are the blocks of a tree off that branch.
   */
  branches(): { readonly chain: Int32Array; readonly stale: number[] }[] {
    const rootOf = new Int32Array(this.count)
    const bestTip = new Map<number, number>()
    const seen = new Uint8Array(this.count)
    for (let at = 0; at < this.count; at++) {
      const path: number[] = []
      let up = at
      while (!seen[up] && this.parents[up]! >= 0) {
        path.push(up)
        up = this.parents[up]!
      }
      const root = seen[up] ? rootOf[up]! : up
      for (const one of [up, ...path]) {
        rootOf[one] = root
        seen[one] = 1
      }
      const best = bestTip.get(root)
      if (best === undefined || this.work[at]! > this.work[best]!) bestTip.set(root, at)
    }
    const isOnChain = new Uint8Array(this.count)
    const branches = [...bestTip].map(([root, tip]) => {
      const path: number[] = []
      for (let at = tip; at >= 0; at = this.parents[at]!) path.push(at)
      for (const at of path) isOnChain[at] = 1
      return { root, chain: Int32Array.from(path.reverse()), stale: [] as number[] }
    })
    const byRoot = new Map(branches.map(branch => [branch.root, branch]))
    for (let at = 0; at < this.count; at++) if (!isOnChain[at]) byRoot.get(rootOf[at]!)?.stale.push(at)
    const workOf = (chain: Int32Array): bigint => this.work[chain.at(-1)!]!
    return branches.sort((a, b) => (workOf(a.chain) > workOf(b.chain) ? -1 : 1))
  }

  #place(at: number): void {
    const mask = this.#slots.length - 1
    const hash = this.#hashes
    const start = at * 32 + 28
    const key =
      ((hash[start]! << 24) | (hash[start + 1]! << 16) | (hash[start + 2]! << 8) | hash[start + 3]!) >>> 0
    let slot = key & mask
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask
    this.#slots[slot] = at
  }

  #grow(): void {
    const more = this.#capacity * 2
    this.#hashes = copyTo(new Uint8Array(32 * more), this.#hashes)
    this.#prevHashes = copyTo(new Uint8Array(32 * more), this.#prevHashes)
    this.#timeS = copyTo(new Uint32Array(more), this.#timeS)
    this.#bits = copyTo(new Uint32Array(more), this.#bits)
    this.#file = copyTo(new Uint16Array(more), this.#file)
    this.#offset = copyTo(new Float64Array(more), this.#offset)
    this.#sizeBytes = copyTo(new Uint32Array(more), this.#sizeBytes)
    this.#slots = new Int32Array(4 * more).fill(-1)
    this.#capacity = more
    for (let at = 0; at < this.count; at++) this.#place(at)
  }
}

function copyTo<A extends { set(from: A): void }>(larger: A, from: A): A {
  larger.set(from)
  return larger
}
