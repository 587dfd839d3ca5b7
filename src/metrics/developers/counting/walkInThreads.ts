import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type Range, rowsBefore } from './rows.ts'
import { addCounts, type Counts, type People, walkPeople } from './walkPeople.ts'

/** Threads at most: each has counters of its own. */
const MOST_THREADS = 4
/** Rows that are worth a thread. */
const ROWS_A_THREAD = 250_000

/**
 * The same counts as `walkPeople` gives, from as many threads as there are processors: millions of rows would keep this one
 * from answering anybody for seconds.
 */
export async function walkInThreads(people: People, rowsAThread = ROWS_A_THREAD): Promise<Counts> {
  const [from, to] = people.batches
  const rows = rowsUpTo(people, to) - rowsUpTo(people, from)
  const threads = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(rows / rowsAThread))
  if (rows < rowsAThread) return walkPeople(people)
  const counts = await Promise.all(
    sharesOf(people, threads).map(batches => walkInThread({ ...people, batches })),
  )
  return counts.reduce(addCounts)
}

async function walkInThread(people: People): Promise<Counts> {
  const worker = new Worker(new URL('./walkThread.ts', import.meta.url), { workerData: people })
  // An error in the thread rejects this too.
  const [counts] = (await once(worker, 'message')) as [Counts]
  return counts
}

/** How many rows there are in the batches before this one. */
const rowsUpTo = ({ authors, rows: { batches } }: People, batch: number): number =>
  rowsBefore(authors, batch === batches.length ? batches.at(-1)![1] : batches[batch]![0])

/** The batches in so many stretches of about as many rows. */
function sharesOf(people: People, shares: number): Range[] {
  const [from, to] = people.batches
  const first = rowsUpTo(people, from)
  const rows = rowsUpTo(people, to) - first
  const ranges: Range[] = []
  let start = from
  for (let batch = from + 1; batch <= to; batch += 1) {
    if (batch < to && (rowsUpTo(people, batch) - first) * shares < rows * (ranges.length + 1)) continue
    ranges.push([start, batch])
    start = batch
  }
  return ranges
}
