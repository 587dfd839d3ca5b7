import type { BlockWriter } from './blockWriter.ts'
import { TOGETHER } from './groups.ts'
import { complete, findRest, type Prepared, prepareAgain, type RunState, refuse } from './prepare.ts'
import type { Run, RunDeps, RunEnd } from './run.ts'

/** Completes groups in order, a few together, and hands them to the writer. */
export type Completion = {
  /** `done` unless the run has ended: with this group, or with one before it. */
  add(prepared: Prepared): Promise<RunEnd>
  /** Returns once everything that was added is committed, or the run has ended before that. */
  finish(): Promise<RunEnd>
  /** Waits for what is being staged or loaded, and drops the rest. Throws nothing. */
  abandon(): Promise<void>
}

const isWanting = ({ recalled }: Prepared): boolean => recalled.wanted.length > 0

const DONE: RunEnd = { type: 'done' }

export function createCompletion(deps: RunDeps, run: Run, state: RunState, writer: BlockWriter): Completion {
  const { cache } = deps
  let waiting: Prepared[] = []
  let replaces = run.replaces
  let staging: Promise<void> = Promise.resolve()

  async function settle(): Promise<void> {
    await staging
    await writer.settle()
  }

  async function stage({ recalled, firstTx }: Prepared): Promise<void> {
    await staging
    if (recalled.chunk.placed.length === 0) return
    staging = writer.add(recalled.chunk, firstTx, replaces)
    // Reported by the next `await`; until then a failure must not count as unhandled.
    staging.catch(() => {})
    replaces = []
  }

  async function completeWaiting(): Promise<RunEnd> {
    const groups = waiting
    waiting = []
    if (!groups.some(isWanting)) return completeEach(groups, [])
    const found = await findRest(deps, run, groups, async () => {
      // Groups before may not be in the engine yet: they must still be whole in memory, or be waited for.
      if (cache.wholeFrom > writer.firstUnwritten) await settle()
    })
    return completeEach(groups, found)
  }

  async function completeEach(
    groups: readonly Prepared[],
    found: Awaited<ReturnType<typeof findRest>>,
  ): Promise<RunEnd> {
    for (const [i, group] of groups.entries()) {
      const failed = complete(state, group, found[i])
      if (failed) {
        // What the failed block made must not answer for others: it and all behind it are done again, one by one.
        cache.clear()
        await settle()
        const end = await refuse(deps, run, group.group, group.without, group.recalled.chunk, failed)
        const again = end.type === 'done' ? groups.slice(i) : [{ ...group, end }]
        return completeAgain(again)
      }
      await stage(group)
      if (group.end.type !== 'done') {
        await settle()
        return group.end
      }
    }
    return DONE
  }

  async function completeAgain(groups: readonly Prepared[]): Promise<RunEnd> {
    for (const group of groups) {
      waiting = [await prepareAgain(deps, group)]
      const end = await completeWaiting()
      if (end.type !== 'done') return end
    }
    return DONE
  }

  return {
    async add(prepared) {
      const [first] = waiting
      // The cache had to drop outputs of groups that still wait here: those first, so that the engine knows them.
      if (first !== undefined && cache.wholeFrom > first.firstTx) {
        const end = await completeWaiting()
        if (end.type !== 'done') return end
        await settle()
      }
      waiting.push(prepared)
      const isDue = waiting.length >= TOGETHER || prepared.end.type !== 'done' || !waiting.some(isWanting)
      return isDue ? completeWaiting() : DONE
    },
    async finish() {
      const end = await completeWaiting()
      await settle()
      return end
    },
    async abandon() {
      // What is still being staged may begin a load: nothing of this run may reach the engine once it has ended.
      await staging.catch(() => {})
      await writer.abandon()
    },
  }
}
