/**
 * Works side by side in lanes; what is done is handed to `commit` in groups, whenever `isDue` and at the end, each work
 * once. Throws what the first failure threw.
 */
export async function runInLanes<Work, Done>(given: {
  readonly works: readonly Work[]
  readonly lanes: number
  readonly compute: (work: Work) => Promise<Done>
  readonly commit: (group: readonly Done[]) => Promise<void>
  readonly isDue: () => boolean
}): Promise<void> {
  const waiting = given.works.values()
  let finished: Done[] = []
  const commitAll = async (): Promise<void> => {
    const group = finished
    finished = []
    await given.commit(group)
  }
  const lane = async (): Promise<void> => {
    for (const work of waiting) {
      // Before the list is looked up: meanwhile another lane may have begun a new one.
      const done = await given.compute(work)
      finished.push(done)
      if (given.isDue()) await commitAll()
    }
  }
  await Promise.all(Array.from({ length: given.lanes }, lane))
  await commitAll()
}
