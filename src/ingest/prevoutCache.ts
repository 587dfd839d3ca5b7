import { type Bytes, copyBytes, moveBytes, withView } from '#kernel/bytes.ts'
import type { OutputBatch } from './outputBatch.ts'
import {
  FIRST_OUTPUT,
  GONE,
  HEIGHT,
  type Leaving,
  NUMBER,
  OUTPUT_WORDS,
  SCRIPT_END,
  TIME,
  TX_WORDS,
  TYPE,
} from './spill/layout.ts'

/** Where outputs go that the cache has no room for. */
export type Spill = {
  take(leaving: Leaving): void
  clear(): void
}

/**
 * The newest unspent outputs in memory, so that most inputs find what they spend without a query. Typed arrays of a fixed
 * size: when they are full, what was spent is squeezed out, and where that is not enough the oldest transactions go, to the
 * spill if there is one. Held bytes never grow.
 *
 * A txid is found by a seeded hash and then compared in full, so that made-up collisions cost time and never an answer.
 * Of two transactions with one txid (BIP-30) the later one answers. An output that is not found, spent once already or
 * never to be spent is asked of the engine: the cache may forget anything at any time.
 */
export class PrevoutCache {
  /** Transactions added since the beginning: each has a number. */
  addedCount = 0
  /** No transaction from this number on was lost while it had something to spend: the cache or its spill holds it. */
  wholeFrom = 0
  outputCount = 0
  readonly #seed: number
  readonly #spill: Spill | undefined
  readonly #mostTxs: number
  readonly mostOutputs: number
  /**
   * One record a transaction and one more that ends the last: txid, first output, number, height, time. Together, because
   * a search jumps: each jump to another array is one more miss of the processor's caches.
   */
  readonly #txs: Uint32Array
  /** Position of the transaction plus one in the low 24 bits, eight bits of its hash above; 0 is empty. */
  readonly #slots: Uint32Array
  /** One record an output: value (low and high word), script type, end of its script. */
  readonly #outputs: Uint32Array
  readonly #scripts: Bytes
  /** Scratch of `warm`. */
  readonly #warmed = new Uint32Array(WARM_ROWS)
  #txCount = 0
  #scriptBytes = 0

  constructor(capacityBytes: number, seed: number, spill?: Spill) {
    this.#seed = seed
    this.#spill = spill
    this.mostOutputs = Math.max(64, Math.floor(capacityBytes / (BYTES_AN_OUTPUT + BYTES_A_TX / OUTPUTS_A_TX)))
    this.#mostTxs = Math.min(MOST_TXS, Math.max(32, Math.floor(this.mostOutputs / OUTPUTS_A_TX)))
    let slots = 64
    while (slots < this.#mostTxs * 1.5) slots *= 2
    this.#slots = new Uint32Array(slots)
    this.#txs = new Uint32Array((this.#mostTxs + 1) * TX_WORDS)
    // One entry more than is ever held: `warm` looks one place behind the last.
    this.#outputs = new Uint32Array((this.mostOutputs + 1) * OUTPUT_WORDS)
    this.#scripts = withView(new Uint8Array(this.mostOutputs * SCRIPT_BYTES_AN_OUTPUT))
  }

  /** Adds all transactions of a batch in order. */
  add(batch: OutputBatch): void {
    for (let tx = 0; tx < batch.txCount; tx++) {
      if (tx % WARM_ROWS === 0) this.#warmSlots(batch.txidWords, tx, Math.min(tx + WARM_ROWS, batch.txCount))
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
        const txs = this.#txs
        const txAt = tx * TX_WORDS
        const output = txs[txAt + FIRST_OUTPUT]! + vout
        if (output >= txs[txAt + TX_WORDS + FIRST_OUTPUT]!) return false
        const outputs = this.#outputs
        const outputAt = output * OUTPUT_WORDS
        const scriptType = outputs[outputAt + TYPE]!
        if (scriptType === GONE) return false
        found.output = output
        found.valueLow = outputs[outputAt]!
        found.valueHigh = outputs[outputAt + 1]!
        found.scriptType = scriptType
        found.height = txs[txAt + HEIGHT]!
        found.timeS = txs[txAt + TIME]!
        found.scripts = this.#scripts
        found.scriptStart = this.#scriptStart(output)
        found.scriptEnd = outputs[outputAt + SCRIPT_END]!
        return true
      }
      slot = (slot + 1) & mask
    }
    return false
  }

  /**
   * Brings what searches for `count` outpoints from `row` on will read into the processor's caches: the loads of many
   * searches wait for memory side by side, those of one search one after the other. Returns a sum that means nothing.
   */
  warm(words: Uint32Array, vouts: Uint32Array, row: number, count: number): number {
    const mask = this.#slots.length - 1
    const txs = this.#txs
    const outputs = this.#outputs
    const warmed = this.#warmed
    let sum = 0
    for (let i = 0; i < count; i++) {
      const held = this.#slots[hashOf(words, (row + i) * 8, this.#seed) & mask]! & POSITION
      warmed[i] = held
      sum ^= txs[held * TX_WORDS]!
    }
    for (let i = 0; i < count; i++) {
      const held = warmed[i]!
      if (held === 0) continue
      const output = Math.min(txs[(held - 1) * TX_WORDS + FIRST_OUTPUT]! + vouts[row + i]!, this.outputCount)
      warmed[i] = output
      sum ^= outputs[output * OUTPUT_WORDS]!
    }
    const scripts = this.#scripts.u8
    for (let i = 0; i < count; i++) sum ^= scripts[outputs[warmed[i]! * OUTPUT_WORDS + SCRIPT_END]!]!
    return sum
  }

  #warmSlots(words: Uint32Array, tx: number, end: number): number {
    const mask = this.#slots.length - 1
    let sum = 0
    for (; tx < end; tx++) sum ^= this.#slots[hashOf(words, tx * 8, this.#seed) & mask]!
    return sum
  }

  /** Nobody will ask for this output again: its room may go to others. */
  spend({ output }: FoundOutput): void {
    this.#outputs[output * OUTPUT_WORDS + TYPE] = GONE
  }

  /** Forgets everything, and in the spill what is not committed: outputs of a branch that lost must not answer. */
  clear(): void {
    this.#spill?.clear()
    this.#slots.fill(0)
    this.#txCount = 0
    this.outputCount = 0
    this.#scriptBytes = 0
    this.wholeFrom = this.addedCount
  }

  #fits(batch: OutputBatch, tx: number): boolean {
    const first = batch.firstOutput[tx]!
    const end = batch.firstOutput[tx + 1]!
    const { scriptOffsets: offsets } = batch
    return (
      this.#txCount < this.#mostTxs &&
      this.outputCount + end - first <= this.mostOutputs &&
      this.#scriptBytes + offsets[end]! - offsets[first]! <= this.#scripts.u8.length
    )
  }

  #append(batch: OutputBatch, tx: number): void {
    const position = this.#txCount++
    const txs = this.#txs
    const outputs = this.#outputs
    const words = batch.txidWords
    const from = tx * 8
    const at = position * TX_WORDS
    for (let word = 0; word < 8; word++) txs[at + word] = words[from + word]!
    txs[at + FIRST_OUTPUT] = this.outputCount
    txs[at + NUMBER] = this.addedCount
    txs[at + HEIGHT] = batch.height[tx]!
    txs[at + TIME] = batch.timeS[tx]!
    const { scripts, scriptOffsets: offsets } = batch
    let held = this.#scriptBytes
    let to = this.outputCount * OUTPUT_WORDS
    const end = batch.firstOutput[tx + 1]!
    for (let output = batch.firstOutput[tx]!; output < end; output++) {
      outputs[to] = batch.valueWords[output * 2]!
      outputs[to + 1] = batch.valueWords[output * 2 + 1]!
      const start = offsets[output]!
      const stop = offsets[output + 1]!
      const isSpendable = canBeSpent(scripts.u8, start, stop)
      outputs[to + TYPE] = isSpendable ? batch.scriptType[output]! : GONE
      if (isSpendable) {
        copyBytes(this.#scripts, held, scripts, start, stop - start)
        held += stop - start
      }
      outputs[to + SCRIPT_END] = held
      to += OUTPUT_WORDS
    }
    this.#scriptBytes = held
    this.outputCount = to / OUTPUT_WORDS
    txs[at + TX_WORDS + FIRST_OUTPUT] = this.outputCount
    this.#link(position)
  }

  /** Squeezes out what was spent; where too little room comes of it, the oldest transactions go as well. */
  #squeeze(): void {
    const leaving = this.#cramped()
    if (leaving > 0) this.#letGo(leaving)
    this.#keepFrom(leaving)
    this.#slots.fill(0)
    const mask = this.#slots.length - 1
    for (let tx = 0; tx < this.#txCount; tx++) {
      const hash = hashOf(this.#txs, tx * TX_WORDS, this.#seed)
      let slot = hash & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = entryOf(tx, hash)
    }
  }

  /** How many of the oldest transactions have to go: the newest ones with something to spend keep `MOST_KEPT` of the room. */
  #cramped(): number {
    const txs = this.#txs
    const outputs = this.#outputs
    let txsLeft = this.#mostTxs * MOST_KEPT
    let outputsLeft = this.mostOutputs * MOST_KEPT
    let scriptsLeft = this.#scripts.u8.length * MOST_KEPT
    for (let tx = this.#txCount - 1; tx >= 0; tx--) {
      const first = txs[tx * TX_WORDS + FIRST_OUTPUT]!
      const end = txs[(tx + 1) * TX_WORDS + FIRST_OUTPUT]!
      if (this.#isSpent(first, end)) continue
      txsLeft -= 1
      outputsLeft -= end - first
      scriptsLeft -= outputs[(end - 1) * OUTPUT_WORDS + SCRIPT_END]! - this.#scriptStart(first)
      if (txsLeft < 0 || outputsLeft < 0 || scriptsLeft < 0) return tx + 1
    }
    return 0
  }

  /** Hands the oldest transactions to the spill. */
  #letGo(txCount: number): void {
    if (this.#spill === undefined) this.wholeFrom = this.#txs[(txCount - 1) * TX_WORDS + NUMBER]! + 1
    else this.#spill.take({ txs: this.#txs, outputs: this.#outputs, scripts: this.#scripts, txCount })
  }

  #isSpent(first: number, end: number): boolean {
    const outputs = this.#outputs
    for (let output = first; output < end; output++)
      if (outputs[output * OUTPUT_WORDS + TYPE] !== GONE) return false
    return true
  }

  /** Moves what is to stay to the front: transactions from `firstTx` on that have something to spend. */
  #keepFrom(firstTx: number): void {
    const txs = this.#txs
    const outputs = this.#outputs
    const scripts = this.#scripts
    let toTx = 0
    let toOutput = 0
    let toScript = 0
    // Where the scripts of the next transaction begin; entries before it may have been written over.
    let start = 0
    if (firstTx > 0) start = this.#scriptStart(txs[firstTx * TX_WORDS + FIRST_OUTPUT]!)
    const txEnd = this.#txCount * TX_WORDS
    for (let from = firstTx * TX_WORDS; from < txEnd; from += TX_WORDS) {
      const first = txs[from + FIRST_OUTPUT]! * OUTPUT_WORDS
      const end = txs[from + TX_WORDS + FIRST_OUTPUT]! * OUTPUT_WORDS
      if (this.#isSpent(first / OUTPUT_WORDS, end / OUTPUT_WORDS)) {
        if (end > first) start = outputs[end - OUTPUT_WORDS + SCRIPT_END]!
        continue
      }
      for (let word = 0; word < TX_WORDS; word++) txs[toTx + word] = txs[from + word]!
      txs[toTx + FIRST_OUTPUT] = toOutput / OUTPUT_WORDS
      for (let at = first; at < end; at += OUTPUT_WORDS) {
        const stop = outputs[at + SCRIPT_END]!
        const type = outputs[at + TYPE]!
        outputs[toOutput] = outputs[at]!
        outputs[toOutput + 1] = outputs[at + 1]!
        outputs[toOutput + TYPE] = type
        if (type !== GONE) {
          moveBytes(scripts, toScript, start, stop - start)
          toScript += stop - start
        }
        outputs[toOutput + SCRIPT_END] = toScript
        toOutput += OUTPUT_WORDS
        start = stop
      }
      toTx += TX_WORDS
    }
    txs[toTx + FIRST_OUTPUT] = toOutput / OUTPUT_WORDS
    this.#txCount = toTx / TX_WORDS
    this.outputCount = toOutput / OUTPUT_WORDS
    this.#scriptBytes = toScript
  }

  #scriptStart(output: number): number {
    return output === 0 ? 0 : this.#outputs[(output - 1) * OUTPUT_WORDS + SCRIPT_END]!
  }

  #link(tx: number): void {
    const mask = this.#slots.length - 1
    const from = tx * TX_WORDS
    const hash = hashOf(this.#txs, from, this.#seed)
    let slot = hash & mask
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      const other = (held & POSITION) - 1
      // The later transaction of one txid takes the place of the earlier one, for good.
      if ((held ^ hash) >>> 24 === 0 && this.#isTxid(other, this.#txs, from)) {
        this.#forget(other)
        break
      }
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = entryOf(tx, hash)
  }

  #forget(tx: number): void {
    const end = this.#txs[(tx + 1) * TX_WORDS + FIRST_OUTPUT]!
    for (let output = this.#txs[tx * TX_WORDS + FIRST_OUTPUT]!; output < end; output++)
      this.#outputs[output * OUTPUT_WORDS + TYPE] = GONE
  }

  #isTxid(tx: number, words: Uint32Array, from: number): boolean {
    const txs = this.#txs
    const at = tx * TX_WORDS
    for (let word = 0; word < 8; word++) if (txs[at + word] !== words[from + word]) return false
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
  /** The script is what lies in them from `scriptStart` to `scriptEnd`. */
  scripts: Bytes = withView(new Uint8Array(0))
  scriptStart = 0
  scriptEnd = 0
}

/** What so many searches read fits into the nearer caches of a processor. */
export const WARM_ROWS = 512

/** Share of the room that may stay taken after a squeeze: the rest pays for the next one. */
const MOST_KEPT = 0.5
/** Measured on the chain since 2020: 2.3 outputs a transaction, 26 bytes of script an output. */
const OUTPUTS_A_TX = 2.3
const SCRIPT_BYTES_AN_OUTPUT = 28
const BYTES_A_TX = 4 * TX_WORDS + 8
const BYTES_AN_OUTPUT = 4 * OUTPUT_WORDS + SCRIPT_BYTES_AN_OUTPUT
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
