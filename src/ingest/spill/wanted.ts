import { wordsOf } from '../outputBatch.ts'
import type { Recalled } from '../prevouts.ts'

/** Outpoints to find, in the order of the first words of their txids. */
export type Wanted = {
  readonly count: number
  readonly keys: Uint32Array
  /** Eight words each. */
  readonly txids: Uint32Array
  readonly vouts: Uint32Array
  /** Which of the chunks that were given wants it, and in which row. */
  readonly chunkOf: Uint32Array
  readonly rowOf: Uint32Array
  readonly isAnswered: Uint8Array
  /** Places of those not found yet: the first `openCount`. */
  readonly open: Uint32Array
  openCount: number
}

/** Gathers what several chunks want. */
export function wantedOf(wanting: readonly Recalled[]): Wanted {
  const count = wanting.reduce((sum, { wanted }) => sum + wanted.length, 0)
  const chunkOf = new Uint32Array(count)
  const rowOf = new Uint32Array(count)
  // A key above, a place below: sorted as one number, which needs no comparisons in script.
  const order = new BigUint64Array(count)
  const halves = new Uint32Array(order.buffer)
  const txidWords = wanting.map(({ chunk }) => wordsOf(chunk.inputs.prevTxid))
  let at = 0
  wanting.forEach(({ wanted }, chunk) => {
    const words = txidWords[chunk]!
    for (const row of wanted) {
      halves[at * 2] = at
      halves[at * 2 + 1] = words[row * 8]!
      chunkOf[at] = chunk
      rowOf[at++] = row
    }
  })
  order.sort()
  const sorted: Wanted = {
    count,
    keys: new Uint32Array(count),
    txids: new Uint32Array(count * 8),
    vouts: new Uint32Array(count),
    chunkOf: new Uint32Array(count),
    rowOf: new Uint32Array(count),
    isAnswered: new Uint8Array(count),
    open: Uint32Array.from({ length: count }, (_, place) => place),
    openCount: count,
  }
  for (let place = 0; place < count; place++) {
    const from = halves[place * 2]!
    const chunk = chunkOf[from]!
    const row = rowOf[from]!
    const words = txidWords[chunk]!
    sorted.keys[place] = halves[place * 2 + 1]!
    for (let word = 0; word < 8; word++) sorted.txids[place * 8 + word] = words[row * 8 + word]!
    sorted.vouts[place] = wanting[chunk]!.chunk.inputs.prevVout[row]!
    sorted.chunkOf[place] = chunk
    sorted.rowOf[place] = row
  }
  return sorted
}

/** Leaves out what has been found since. */
export function dropAnswered(wanted: Wanted): void {
  let kept = 0
  for (let i = 0; i < wanted.openCount; i++) {
    const place = wanted.open[i]!
    if (wanted.isAnswered[place] === 0) wanted.open[kept++] = place
  }
  wanted.openCount = kept
}
