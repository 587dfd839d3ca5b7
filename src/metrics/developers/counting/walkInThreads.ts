import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { addCounts, type Counts, type People, walkPeople } from './walkPeople.ts'

/** Threads at most: each has counters of its own. */
const MOST_THREADS = 4
/** Rows that are worth a thread. */
const ROWS_A_THREAD = 250_000

/**
 * The same counts as `walkPeople` gives, from as many threads as there are processors: millions of rows would keep this one
 * from answering anybody for seconds.
 */
export async function walkInThreads(people: People): Promise<Counts> {
  const rows = rowsOf(people, people.range[1]) - rowsOf(people, people.range[0])
  const threads = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(rows / ROWS_A_THREAD))
  if (rows < ROWS_A_THREAD) return walkPeople(people)
  const counts = await Promise.all(sharesOf(people, threads).map(range => walkInThread({ ...people, range })))
  return counts.reduce(addCounts)
}

async function walkInThread(people: People): Promise<Counts> {
  const worker = new Worker(new URL('./walkThread.ts', import.meta.url), { workerData: people })
  // An error in the thread rejects this too.
  const [counts] = (await once(worker, 'message')) as [Counts]
  return counts
}

const rowsOf = ({ authors: { firstAddress, starts } }: People, person: number): number =>
  starts[firstAddress[person]!]!

/** The people in as many ranges of about as many rows. */
function sharesOf(people: People, shares: number): [number, number][] {
  const [from, to] = people.range
  const first = rowsOf(people, from)
  const rows = rowsOf(people, to) - first
  const ranges: [number, number][] = []
  let start = from
  for (let person = from + 1; person <= to; person += 1) {
    const share = ranges.length + 1
    if (person < to && (rowsOf(people, person) - first) * shares < rows * share) continue
    ranges.push([start, person])
    start = person
  }
  return ranges
}
