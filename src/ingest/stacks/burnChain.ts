/** A Bitcoin block as Stacks nodes report it. */
export type BurnNode = { readonly hash: string; readonly parentHash: string | null; readonly height: number }

/**
 * Bitcoin as Stacks nodes tell it. A height that is told again with a hash that was never seen is a reorg: everything from
 * there on is lost until it is told again. A block that was seen before comes back only as an ancestor of a new one, so a
 * message that arrives twice changes nothing.
 */
export class BurnChain {
  readonly #seen = new Map<string, BurnNode>()
  readonly #canonical = new Map<number, string>()
  /** What was told last of each height, new or not. */
  readonly #told = new Map<number, string>()

  /** Heights below this one are settled. */
  #floor = 0

  get floor(): number {
    return this.#floor
  }

  reset(nodes: readonly BurnNode[], canonical: ReadonlySet<string>): void {
    this.#seen.clear()
    this.#canonical.clear()
    this.#told.clear()
    for (const node of nodes) {
      this.#seen.set(node.hash, node)
      if (canonical.has(node.hash)) this.#canonical.set(node.height, node.hash)
    }
    this.#floor = nodes.length === 0 ? 0 : Math.min(...nodes.map(({ height }) => height))
  }

  has(hash: string): boolean {
    return this.#seen.has(hash)
  }

  nodes(): IterableIterator<BurnNode> {
    return this.#seen.values()
  }

  get canonical(): ReadonlySet<string> {
    return new Set(this.#canonical.values())
  }

  /** Height of the newest Bitcoin block that stands; undefined before the first. */
  get tip(): number | undefined {
    return this.#canonical.size === 0 ? undefined : Math.max(...this.#canonical.keys())
  }

  /** Whether this Bitcoin block is known to have lost. One that was never told of stands. */
  isOrphaned = (hash: string): boolean => {
    const node = this.#seen.get(hash)
    return node !== undefined && this.#canonical.get(node.height) !== hash
  }

  /** Takes in a block; false where it was known. */
  add({ hash, height, ...told }: BurnNode): boolean {
    const known = this.#seen.get(hash)
    // Older nodes do not name the parent: it is what they told of the height below.
    const below = height - 1
    const guessed = this.#told.get(below) ?? this.#canonical.get(below) ?? null
    const node = { hash, height, parentHash: told.parentHash ?? known?.parentHash ?? guessed }
    this.#told.set(height, hash)
    this.#seen.set(hash, node)
    if (known !== undefined) return false
    const before = this.#canonical.get(node.height)
    if (before !== undefined) this.#dropFrom(node.height, node.hash)
    this.#canonical.set(node.height, node.hash)
    this.#restoreBelow(node)
    return true
  }

  /** Forgets what lies below a height. Returns the blocks that had lost. */
  settle(belowHeight: number): BurnNode[] {
    const lost: BurnNode[] = []
    this.#floor = Math.max(this.#floor, belowHeight)
    for (const node of this.#seen.values()) {
      if (node.height >= belowHeight) continue
      if (this.isOrphaned(node.hash)) lost.push(node)
      this.#seen.delete(node.hash)
      this.#told.delete(node.height)
      if (this.#canonical.get(node.height) === node.hash) this.#canonical.delete(node.height)
    }
    return lost
  }

  /** Blocks from this height on lose, but for those that are told to stand on `hash`. */
  #dropFrom(height: number, hash: string): void {
    let parent = hash
    for (const at of [...this.#canonical.keys()].sort((a, b) => a - b)) {
      if (at < height) continue
      const above = this.#seen.get(this.#canonical.get(at)!)!
      if (at > height && above.parentHash === parent) parent = above.hash
      else this.#canonical.delete(at)
    }
  }

  /** Ancestors that had lost come back with their descendant. */
  #restoreBelow({ parentHash }: BurnNode): void {
    for (let hash = parentHash; hash !== null; ) {
      const parent = this.#seen.get(hash)
      if (parent === undefined || this.#canonical.get(parent.height) === hash) return
      this.#canonical.set(parent.height, hash)
      hash = parent.parentHash
    }
  }
}
