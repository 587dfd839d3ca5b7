import type { OutputBatch } from './outputBatch.ts'

/**
 * The newest unspent outputs in memory, so that most inputs find what they spend without a query. Typed arrays of a fixed
 * size: when they are full, what was spent is squeezed out, and where that is not enough the oldest transactions are
 * dropped. Held bytes never grow.
 *
 * A txid is found by a seeded hash and then compared in full, so that made-up collisions cost time and never an answer.
 * Of two transactions with one txid (BIP-30) the later one answers. An output that is not found, spent once already or
 * never to be spent is asked of the engine: the cache may forget anything at any time.
 */
export class PrevoutCache {
  /** Transactions added since the beginning: each has a number. */
  addedCount = 0
  /** No transaction from this number on was dropped while it had something to spend. */
  wholeFrom = 0
  outputCount = 0
  readonly #seed: number
  readonly #mostTxs: number
  readonly #mostOutputs: number
  readonly #txids: Uint32Array
  /** First output of each transaction; one more entry ends the last one. */
  readonly #firstOutput: Uint32Array
  readonly #number: Uint32Array
  readonly #height: Uint32Array
  readonly #timeS: Uint32Array
  /** Position of the transaction plus one in the low 24 bits, eight bits of its hash above; 0 is empty. */
  readonly #slots: Uint32Array
  readonly #values: Uint32Array
  readonly #types: Uint8Array
  readonly #scriptEnd: Uint32Array
  readonly #scripts: Uint8Array
  #txCount = 0
  #scriptBytes = 0

  constructor(capacityBytes: number, seed: number) {
    this.#seed = seed
    this.#mostOutputs = Math.max(
      64,
      Math.floor(capacityBytes / (BYTES_AN_OUTPUT + BYTES_A_TX / OUTPUTS_A_TX)),
    )
    this.#mostTxs = Math.min(MOST_TXS, Math.max(32, Math.floor(this.#mostOutputs / OUTPUTS_A_TX)))
    let slots = 64
    while (slots < this.#mostTxs * 1.5) slots *= 2
    this.#slots = new Uint32Array(slots)
    this.#txids = new Uint32Array(this.#mostTxs * 8)
    this.#firstOutput = new Uint32Array(this.#mostTxs + 1)
    this.#number = new Uint32Array(this.#mostTxs)
    this.#height = new Uint32Array(this.#mostTxs)
    this.#timeS = new Uint32Array(this.#mostTxs)
    this.#values = new Uint32Array(this.#mostOutputs * 2)
    this.#types = new Uint8Array(this.#mostOutputs)
    this.#scriptEnd = new Uint32Array(this.#mostOutputs)
    this.#scripts = new Uint8Array(this.#mostOutputs * SCRIPT_BYTES_AN_OUTPUT)
  }

  /** Adds all transactions of a batch in order. */
  add(batch: OutputBatch): void {
    for (let tx = 0; tx < batch.txCount; tx++) {
      if (!this.#fits(batch, tx)) this.#squeeze()
      if (this.#fits(batch, tx)) this.#append(batch, tx)
      // Too large to hold at all.
      else this.wholeFrom = this.addedCount + 1
      this.addedCount++
    }
  }

  /**
   * Finds the output `vout` of the txid at `words[at…at+7]`; the answer lies in `found` until the next call of any method.
   */
  find(words: Uint32Array, at: number, vout: number, found: FoundOutput): boolean {
    const mask = this.#slots.length - 1
    const hash = hashOf(words, at, this.#seed)
    let slot = hash & mask
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      const tx = (held & POSITION) - 1
      // The bits of the hash spare most looks at a txid, each of which is a miss of the processor's caches.
      if ((held ^ hash) >>> 24 === 0 && this.#isTxid(tx, words, at)) {
        const output = this.#firstOutput[tx]! + vout
        if (output >= this.#firstOutput[tx + 1]!) return false
        const scriptType = this.#types[output]!
        if (scriptType >= GONE) return false
        found.output = output
        found.valueLow = this.#values[output * 2]!
        found.valueHigh = this.#values[output * 2 + 1]!
        found.scriptType = scriptType
        found.height = this.#height[tx]!
        found.timeS = this.#timeS[tx]!
        found.scripts = this.#scripts
        found.scriptStart = output === 0 ? 0 : this.#scriptEnd[output - 1]!
        found.scriptEnd = this.#scriptEnd[output]!
        return true
      }
      slot = (slot + 1) & mask
    }
    return false
  }

  /** Nobody will ask for this output again: its room may go to others. */
  spend({ output }: FoundOutput): void {
    this.#types[output] = GONE
  }

  /** Forgets everything: after a reorg, outputs of the branch that lost must not answer. */
  clear(): void {
    this.#slots.fill(0)
    this.#txCount = 0
    this.outputCount = 0
    this.#scriptBytes = 0
    this.wholeFrom = this.addedCount
  }

  #fits(batch: OutputBatch, tx: number): boolean {
    const first = batch.firstOutput[tx]!
    const end = batch.firstOutput[tx + 1]!
    const { offsets } = batch.scripts
    return (
      this.#txCount < this.#mostTxs &&
      this.outputCount + end - first <= this.#mostOutputs &&
      this.#scriptBytes + offsets[end]! - offsets[first]! <= this.#scripts.length
    )
  }

  #append(batch: OutputBatch, tx: number): void {
    const at = this.#txCount++
    const words = batch.txidWords
    const from = tx * 8
    for (let word = 0; word < 8; word++) this.#txids[at * 8 + word] = words[from + word]!
    this.#firstOutput[at] = this.outputCount
    this.#number[at] = this.addedCount
    this.#height[at] = batch.height[tx]!
    this.#timeS[at] = batch.timeS[tx]!
    const { bytes, offsets } = batch.scripts
    let held = this.#scriptBytes
    for (let output = batch.firstOutput[tx]!; output < batch.firstOutput[tx + 1]!; output++) {
      const to = this.outputCount++
      this.#values[to * 2] = batch.valueWords[output * 2]!
      this.#values[to * 2 + 1] = batch.valueWords[output * 2 + 1]!
      const start = offsets[output]!
      const stop = offsets[output + 1]!
      const isSpendable = canBeSpent(bytes, start, stop)
      this.#types[to] = isSpendable ? batch.scriptType[output]! : GONE
      if (isSpendable) for (let i = start; i < stop; i++) this.#scripts[held++] = bytes[i]!
      this.#scriptEnd[to] = held
    }
    this.#scriptBytes = held
    this.#firstOutput[at + 1] = this.outputCount
    this.#link(at)
  }

  /** Squeezes out what was spent; where too little room comes of it, the oldest transactions go as well. */
  #squeeze(): void {
    this.#keepFrom(0)
    const isCramped =
      this.#txCount > this.#mostTxs * MOST_KEPT ||
      this.outputCount > this.#mostOutputs * MOST_KEPT ||
      this.#scriptBytes > this.#scripts.length * MOST_KEPT
    if (isCramped) this.#keepFrom(Math.ceil(this.#txCount * (1 - MOST_KEPT)))
    this.#slots.fill(0)
    const mask = this.#slots.length - 1
    for (let tx = 0; tx < this.#txCount; tx++) {
      const hash = hashOf(this.#txids, tx * 8, this.#seed)
      let slot = hash & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = entryOf(tx, hash)
    }
  }

  /** Moves what is to stay to the front: transactions from `firstTx` on that have something to spend. */
  #keepFrom(firstTx: number): void {
    let toTx = 0
    let toOutput = 0
    let toScript = 0
    // Where the scripts of the next transaction begin; entries before it may have been written over.
    let start = 0
    if (firstTx > 0) {
      this.wholeFrom = Math.max(this.wholeFrom, this.#number[firstTx - 1]! + 1)
      start = this.#scriptEnd[this.#firstOutput[firstTx]! - 1] ?? 0
    }
    for (let tx = firstTx; tx < this.#txCount; tx++) {
      const first = this.#firstOutput[tx]!
      const end = this.#firstOutput[tx + 1]!
      let isSpent = true
      for (let output = first; output < end && isSpent; output++) isSpent = this.#types[output] === GONE
      if (isSpent) {
        if (end > first) start = this.#scriptEnd[end - 1]!
        continue
      }
      for (let word = 0; word < 8; word++) this.#txids[toTx * 8 + word] = this.#txids[tx * 8 + word]!
      this.#firstOutput[toTx] = toOutput
      this.#number[toTx] = this.#number[tx]!
      this.#height[toTx] = this.#height[tx]!
      this.#timeS[toTx] = this.#timeS[tx]!
      for (let output = first; output < end; output++) {
        const stop = this.#scriptEnd[output]!
        this.#values[toOutput * 2] = this.#values[output * 2]!
        this.#values[toOutput * 2 + 1] = this.#values[output * 2 + 1]!
        this.#types[toOutput] = this.#types[output]!
        if (this.#types[output] !== GONE)
          for (let i = start; i < stop; i++) this.#scripts[toScript++] = this.#scripts[i]!
        this.#scriptEnd[toOutput++] = toScript
        start = stop
      }
      toTx++
    }
    this.#firstOutput[toTx] = toOutput
    this.#txCount = toTx
    this.outputCount = toOutput
    this.#scriptBytes = toScript
  }

  #link(tx: number): void {
    const mask = this.#slots.length - 1
    const from = tx * 8
    const hash = hashOf(this.#txids, from, this.#seed)
    let slot = hash & mask
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      const other = (held & POSITION) - 1
      // The later transaction of one txid takes the place of the earlier one, for good.
      if ((held ^ hash) >>> 24 === 0 && this.#isTxid(other, this.#txids, from)) {
        this.#types.fill(GONE, this.#firstOutput[other], this.#firstOutput[other + 1])
        break
      }
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = entryOf(tx, hash)
  }

  #isTxid(tx: number, words: Uint32Array, from: number): boolean {
    const txids = this.#txids
    const at = tx * 8
    for (let word = 0; word < 8; word++) if (txids[at + word] !== words[from + word]) return false
    return true
  }
}

/** Where a found output lies: plain fields, written over by each search, so that a search makes no objects. */
export class FoundOutput {
  output = 0
  valueLow = 0
  valueHigh = 0
  scriptType = 0
  height = 0
  timeS = 0
  /** The script is `scripts.subarray(scriptStart, scriptEnd)`. */
  scripts: Uint8Array = new Uint8Array(0)
  scriptStart = 0
  scriptEnd = 0
}

/** Share of the room that may stay taken after a squeeze: the rest pays for the next one. */
const MOST_KEPT = 0.7
/** Measured on the chain since 2020: 2.3 outputs a transaction, 26 bytes of script an output. */
const OUTPUTS_A_TX = 2.3
const SCRIPT_BYTES_AN_OUTPUT = 28
const BYTES_A_TX = 32 + 4 + 4 + 4 + 4 + 8
const BYTES_AN_OUTPUT = 8 + 1 + 4 + SCRIPT_BYTES_AN_OUTPUT
/** In place of a script type: spent, or never to be. */
const GONE = 255
const MOST_SCRIPT_BYTES = 10_000

/** As Bitcoin Core's IsUnspendable: a script that begins with OP_RETURN or is too long for the interpreter. */
const canBeSpent = (scripts: Uint8Array, start: number, stop: number): boolean =>
  stop - start <= MOST_SCRIPT_BYTES && !(stop > start && scripts[start] === 0x6a)

const POSITION = 0xff_ffff
/** As many as positions have bits for. */
const MOST_TXS = POSITION - 1

const entryOf = (tx: number, hash: number): number => (hash & ~POSITION) | (tx + 1)

/** Mixes two words of the txid with a secret, so that nobody can choose txids that fall on one slot. */
function hashOf(words: Uint32Array, from: number, seed: number): number {
  let mixed = Math.imul(words[from + 6]! ^ seed, 0x9e3779b1)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed ^ words[from + 7]!, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
