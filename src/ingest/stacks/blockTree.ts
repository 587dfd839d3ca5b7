/** A block of which rows are held or about to be written, as far as choosing the canonical chain goes. */
export type TreeNode = {
  readonly id: string
  readonly parentId: string
  readonly height: number
  readonly burnHeight: number
  readonly burnHash: string
}

/** Heights that are settled for good: no reorg is looked for in them. */
export type FinalRange = { readonly fromHeight: number; readonly toHeight: number; readonly topId: string }

/**
 * The blocks of the last Bitcoin blocks, with their competitors. The canonical chain is the highest one whose Bitcoin blocks
 * all stand; of two at the same height the one that is canonical already stays, else the one that came first. Where a block's
 * parent is not here, the chain goes on below it with the highest block that is left: a gap is a gap, not an end.
 */
export class BlockTree {
  readonly #nodes = new Map<string, TreeNode & { readonly order: number }>()
  #finals: FinalRange[] = []
  #canonical: ReadonlySet<string> = new Set()
  #order = 0

  get size(): number {
    return this.#nodes.size
  }

  get canonical(): ReadonlySet<string> {
    return this.#canonical
  }

  nodes(): IterableIterator<TreeNode> {
    return this.#nodes.values()
  }

  get(id: string): TreeNode | undefined {
    return this.#nodes.get(id)
  }

  /** The canonical block of the greatest height. */
  tip(): TreeNode | undefined {
    let tip: TreeNode | undefined
    for (const id of this.#canonical) {
      const node = this.#nodes.get(id)!
      if (tip === undefined || node.height > tip.height) tip = node
    }
    return tip
  }

  /** Starts anew with what is held. */
  reset(finals: readonly FinalRange[], nodes: readonly TreeNode[], canonical: ReadonlySet<string>): void {
    this.#nodes.clear()
    this.#order = 0
    this.#finals = [...finals]
    for (const node of nodes) this.add(node)
    this.#canonical = canonical
  }

  add(node: TreeNode): void {
    this.#nodes.set(node.id, { ...node, order: this.#order++ })
  }

  remove(id: string): void {
    this.#nodes.delete(id)
  }

  /** Whether a height is settled. */
  isFinal(height: number): boolean {
    return this.#finals.some(({ fromHeight, toHeight }) => height >= fromHeight && height <= toHeight)
  }

  /** Chooses the canonical blocks; `isOrphaned` says that a Bitcoin block has lost. */
  choose(isOrphaned: (burnHash: string) => boolean): ReadonlySet<string> {
    const isValid = this.#validity(isOrphaned)
    const best = [...this.#nodes.values()]
      .filter(({ id }) => isValid(id))
      .sort(
        (a, b) =>
          b.height - a.height ||
          Number(this.#canonical.has(b.id)) - Number(this.#canonical.has(a.id)) ||
          a.order - b.order,
      )
    const chosen = new Set<string>()
    let below = Number.POSITIVE_INFINITY
    for (const top of best) {
      if (top.height >= below) continue
      for (let node: TreeNode | undefined = top; node !== undefined; node = this.#nodes.get(node.parentId)) {
        chosen.add(node.id)
        below = node.height
      }
    }
    this.#canonical = chosen
    return chosen
  }

  /**
   * Lets go of what lies below a Bitcoin height: canonical blocks become final. Returns the others, whose rows can go: a
   * reorg that deep is not followed.
   */
  settle(belowBurnHeight: number): TreeNode[] {
    const tip = this.tip()
    const settled: TreeNode[] = []
    const lost: TreeNode[] = []
    for (const node of this.#nodes.values()) {
      if (node.burnHeight >= belowBurnHeight || node.id === tip?.id) continue
      if (this.#canonical.has(node.id)) settled.push(node)
      else lost.push(node)
    }
    settled.sort((a, b) => a.height - b.height)
    for (const node of settled) this.#finalise(node)
    for (const { id } of [...settled, ...lost]) this.#nodes.delete(id)
    this.#canonical = new Set([...this.#canonical].filter(id => this.#nodes.has(id)))
    return lost
  }

  #finalise({ height, id }: TreeNode): void {
    const below = this.#finals.findIndex(({ toHeight }) => toHeight === height - 1)
    if (below < 0) this.#finals.push({ fromHeight: height, toHeight: height, topId: id })
    else this.#finals[below] = { ...this.#finals[below]!, toHeight: height, topId: id }
  }

  /** A block counts where its Bitcoin block and all its ancestors' stand, and where it does not contradict what is final. */
  #validity(isOrphaned: (burnHash: string) => boolean): (id: string) => boolean {
    const known = new Map<string, boolean>()
    const judge = (node: TreeNode): boolean => {
      if (this.isFinal(node.height) || isOrphaned(node.burnHash)) return false
      if (this.#nodes.has(node.parentId)) return known.get(node.parentId)!
      const final = this.#finals.find(
        ({ fromHeight, toHeight }) => node.height > fromHeight && node.height <= toHeight + 1,
      )
      return final === undefined || final.topId === node.parentId
    }
    return id => {
      const path: TreeNode[] = []
      for (let node = this.#nodes.get(id); node !== undefined && !known.has(node.id); ) {
        path.push(node)
        node = this.#nodes.get(node.parentId)
      }
      for (const node of path.reverse()) known.set(node.id, judge(node))
      return known.get(id) ?? false
    }
  }
}
