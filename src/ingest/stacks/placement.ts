/** A block that is held in the warehouse, or about to be. */
export type Placed = {
  readonly id: string
  readonly parentId: string
  readonly height: number
  /** The batch that holds its rows; null while it has none. */
  readonly batch: number | null
}

/** A batch that holds blocks which may still change sides. */
export type HeldBatch = {
  readonly batch: number
  readonly isLive: boolean
  readonly fromHeight: number
  readonly toHeight: number
}

/** Blocks one on the other that share a batch. Of the settled part of a batch no ids are named. */
export type Run = {
  readonly ids: readonly string[]
  readonly fromHeight: number
  readonly toHeight: number
  readonly firstParentId: string
  readonly lastId: string
  readonly isLive: boolean
}

/** What has to be written so that readers see the canonical blocks and no other. */
export type Placement = {
  /** New batches of blocks without rows. */
  readonly written: readonly Run[]
  /** New batches that take over part of the rows of a batch which is given up. */
  readonly moved: readonly (Run & { readonly from: number })[]
  /** Batches that change sides as a whole. */
  readonly shown: readonly number[]
  readonly hidden: readonly number[]
  /** Batches whose rows are in `moved`, or are replaced. */
  readonly givenUp: readonly number[]
}

/**
 * Compares what is canonical with what the batches hold. A batch that is canonical in part is taken apart; its settled part,
 * below the lowest block named here, is canonical. `replaced` are heights of a batch whose rows are not wanted any more, settled
 * or not.
 */
export function placeBlocks(
  blocks: readonly Placed[],
  canonical: ReadonlySet<string>,
  batches: ReadonlyMap<number, HeldBatch>,
  replaced: ReadonlyMap<number, ReadonlySet<number>>,
  mostBlocks: number,
): Placement {
  const byBatch = Map.groupBy(
    blocks.filter(({ batch }) => batch !== null),
    ({ batch }) => batch!,
  )
  const moved: (Run & { from: number })[] = []
  const shown: number[] = []
  const hidden: number[] = []
  const givenUp: number[] = []
  for (const batch of new Set([...byBatch.keys(), ...replaced.keys()])) {
    const held = batches.get(batch)
    if (held === undefined) continue
    const inside = (byBatch.get(batch) ?? []).toSorted((a, b) => a.height - b.height)
    const gone = replaced.get(batch) ?? new Set()
    const settled = settledRuns(held, inside[0]?.height ?? held.toHeight + 1, gone)
    const live = inside.filter(({ id }) => canonical.has(id))
    if (gone.size === 0 && live.length === inside.length) {
      if (!held.isLive) shown.push(batch)
      continue
    }
    if (gone.size === 0 && live.length === 0 && settled.length === 0) {
      if (held.isLive) hidden.push(batch)
      continue
    }
    givenUp.push(batch)
    for (const run of runsOf(inside, canonical, Number.POSITIVE_INFINITY)) moved.push({ ...run, from: batch })
    moved.push(...settled)
  }
  return {
    written: runsOf(
      blocks.filter(({ batch }) => batch === null),
      canonical,
      mostBlocks,
    ),
    moved,
    shown,
    hidden,
    givenUp,
  }
}

/**
 * The parts of a live batch below the blocks that may still change, without the heights that are replaced. Which blocks begin and
 * end them, the warehouse knows.
 */
function settledRuns(
  { batch, fromHeight, toHeight }: HeldBatch,
  open: number,
  gone: ReadonlySet<number>,
): (Run & { from: number })[] {
  const runs: (Run & { from: number })[] = []
  const ends = [...gone].filter(height => height >= fromHeight && height < open).sort((a, b) => a - b)
  let from = fromHeight
  for (const end of [...ends, Math.min(open, toHeight + 1)]) {
    if (end > from)
      runs.push({
        from: batch,
        ids: [],
        fromHeight: from,
        toHeight: end - 1,
        firstParentId: '',
        lastId: '',
        isLive: true,
      })
    from = end + 1
  }
  return runs
}

/** Blocks that follow one another, on one side each. */
function runsOf(blocks: readonly Placed[], canonical: ReadonlySet<string>, mostBlocks: number): Run[] {
  const runs: (Run & { ids: string[] })[] = []
  const open = new Map<string, (typeof runs)[number]>()
  for (const { id, parentId, height } of blocks.toSorted((a, b) => a.height - b.height)) {
    const isLive = canonical.has(id)
    const before = open.get(parentId)
    if (
      before !== undefined &&
      before.isLive === isLive &&
      before.toHeight === height - 1 &&
      before.ids.length < mostBlocks
    ) {
      open.delete(parentId)
      before.ids.push(id)
      Object.assign(before, { toHeight: height, lastId: id })
      open.set(id, before)
      continue
    }
    const run = {
      ids: [id],
      fromHeight: height,
      toHeight: height,
      firstParentId: parentId,
      lastId: id,
      isLive,
    }
    runs.push(run)
    open.set(id, run)
  }
  return runs
}
