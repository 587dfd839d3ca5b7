import { availableParallelism, totalmem } from 'node:os'

/** Memory of a test that is large: engine, site, store and browser, bytes. */
const LANE_BYTES = 3 * 2 ** 30

/**
 * How many test files run at once: one more than there are cores, since a test waits for a quarter of its time, and at least two,
 * but only as many as memory allows.
 */
export const lanes = (cores = availableParallelism(), memoryBytes = totalmem()): number =>
  Math.max(2, Math.min(cores + 1, Math.floor(memoryBytes / LANE_BYTES)))
