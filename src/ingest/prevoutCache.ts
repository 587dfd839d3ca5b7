import type { OutputBatch } from './outputBatch.ts'

/**
 * The newest outputs in memory, so that most inputs find what they spend without a query. Two generations of typed
 * arrays: when the young one is full the old one is dropped and its memory becomes the new young one. Held bytes never grow.
 *
 * A txid is found by a seeded hash and then compared in full, so that made-up collisions cost time and never an answer.
 * Of two transactions with one txid (BIP-30) the later one answers. Outputs that can never be spent keep no script and
 * are not found.
 */
export class PrevoutCache {
  readonly capacityBytes: number
  #young: Generation
  #old: Generation
  readonly #seed: number

  constructor(capacityBytes: number, seed: number) {
    this.capacityBytes = capacityBytes
    this.#seed = seed
    this.#young = new Generation(capacityBytes / 2)
    this.#old = new Generation(capacityBytes / 2)
  }

  /** How often a generation was dropped: what was added before the last but one rotation may be gone. */
  rotations = 0
  /** Transactions that were too large to hold. */
  leftOut = 0

  /** Outputs held. */
  get outputCount(): number {
    return this.#young.outputCount + this.#old.outputCount
  }

  /** Adds all transactions of a batch in order. */
  add(batch: OutputBatch): void {
    for (let tx = 0; tx < batch.txCount; tx++) {
      if (this.#young.add(batch, tx, this.#seed)) continue
      const dropped = this.#old
      this.#old = this.#young
      dropped.clear()
      this.#young = dropped
      this.rotations++
      // A transaction too large for an empty generation stays out; the engine answers for it.
      if (!this.#young.add(batch, tx, this.#seed)) this.leftOut++
    }
  }

  /**
   * Finds the output `vout` of the txid at `words[at…at+7]`; the answer lies in `found` until the next call.
   */
  find(words: Uint32Array, at: number, vout: number, found: FoundOutput): boolean {
    return (
      this.#young.find(words, at, vout, this.#seed, found) ||
      this.#old.find(words, at, vout, this.#seed, found)
    )
  }

  /** Forgets everything: after a reorg, outputs of the branch that lost must not answer. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}

/** Where a found output lies: plain fields, written over by each search, so that a search makes no objects. */
export class FoundOutput {
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

/** Measured on the chain since 2020: 2.3 outputs a transaction, 26 bytes of script an output. */
const OUTPUTS_A_TX = 2.3
const SCRIPT_BYTES_AN_OUTPUT = 28
const BYTES_A_TX = 32 + 4 + 4 + 4 + 8
const BYTES_AN_OUTPUT = 8 + 1 + 4

class Generation {
  readonly mostOutputs: number
  readonly #mostTxs: number
  readonly #txids: Uint32Array
  /** First output of each transaction; one more entry ends the last one. */
  readonly #firstOutput: Uint32Array
  readonly #height: Uint32Array
  readonly #timeS: Uint32Array
  /** Transaction number plus one; 0 is empty. Two slots a transaction at least. */
  readonly #slots: Uint32Array
  readonly #values: Uint32Array
  readonly #types: Uint8Array
  readonly #scriptEnd: Uint32Array
  readonly #scripts: Uint8Array
  #txCount = 0
  outputCount = 0
  #scriptBytes = 0

  constructor(capacityBytes: number) {
    const bytesAnOutput = BYTES_AN_OUTPUT + SCRIPT_BYTES_AN_OUTPUT + BYTES_A_TX / OUTPUTS_A_TX
    this.mostOutputs = Math.max(64, Math.floor(capacityBytes / bytesAnOutput))
    this.#mostTxs = Math.max(32, Math.floor(this.mostOutputs / OUTPUTS_A_TX))
    // The largest power of two that fits leaves between one and two slots a transaction: keep it at 1.5 or more.
    let slots = 64
    while (slots < this.#mostTxs * 1.5) slots *= 2
    this.#slots = new Uint32Array(slots)
    this.#txids = new Uint32Array(this.#mostTxs * 8)
    this.#firstOutput = new Uint32Array(this.#mostTxs + 1)
    this.#height = new Uint32Array(this.#mostTxs)
    this.#timeS = new Uint32Array(this.#mostTxs)
    this.#values = new Uint32Array(this.mostOutputs * 2)
    this.#types = new Uint8Array(this.mostOutputs)
    this.#scriptEnd = new Uint32Array(this.mostOutputs)
    this.#scripts = new Uint8Array(this.mostOutputs * SCRIPT_BYTES_AN_OUTPUT)
  }

  clear(): void {
    this.#slots.fill(0)
    this.#txCount = 0
    this.outputCount = 0
    this.#scriptBytes = 0
  }

  /** False where it does not fit. */
  add(batch: OutputBatch, tx: number, seed: number): boolean {
    const first = batch.firstOutput[tx]!
    const end = batch.firstOutput[tx + 1]!
    const outputs = end - first
    const scripts = batch.scripts.offsets
    const scriptBytes = scripts[end]! - scripts[first]!
    if (
      this.#txCount === this.#mostTxs ||
      this.outputCount + outputs > this.mostOutputs ||
      this.#scriptBytes + scriptBytes > this.#scripts.length
    )
      return false
    const at = this.#txCount++
    const words = batch.txidWords
    const from = tx * 8
    for (let word = 0; word < 8; word++) this.#txids[at * 8 + word] = words[from + word]!
    this.#firstOutput[at] = this.outputCount
    this.#height[at] = batch.height[tx]!
    this.#timeS[at] = batch.timeS[tx]!
    let held = this.#scriptBytes
    const source = batch.scripts.bytes
    for (let output = first; output < end; output++) {
      const to = this.outputCount++
      this.#values[to * 2] = batch.valueWords[output * 2]!
      this.#values[to * 2 + 1] = batch.valueWords[output * 2 + 1]!
      const start = scripts[output]!
      const stop = scripts[output + 1]!
      const isSpendable = canBeSpent(source, start, stop)
      this.#types[to] = isSpendable ? batch.scriptType[output]! : NOT_SPENDABLE
      if (isSpendable) {
        for (let i = start; i < stop; i++) this.#scripts[held + i - start] = source[i]!
        held += stop - start
      }
      this.#scriptEnd[to] = held
    }
    this.#scriptBytes = held
    this.#firstOutput[at + 1] = this.outputCount
    const mask = this.#slots.length - 1
    let slot = hashOf(words, from, seed) & mask
    for (let other = this.#slots[slot]!; other !== 0; other = this.#slots[slot]!) {
      // The later transaction of one txid takes the place of the earlier one.
      if (this.#isTxid(other - 1, words, from)) break
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = at + 1
    return true
  }

  find(words: Uint32Array, from: number, vout: number, seed: number, found: FoundOutput): boolean {
    const mask = this.#slots.length - 1
    let slot = hashOf(words, from, seed) & mask
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      const tx = held - 1
      if (this.#isTxid(tx, words, from)) {
        const output = this.#firstOutput[tx]! + vout
        if (output >= this.#firstOutput[tx + 1]!) return false
        const scriptType = this.#types[output]!
        if (scriptType === NOT_SPENDABLE) return false
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

  #isTxid(tx: number, words: Uint32Array, from: number): boolean {
    const txids = this.#txids
    const at = tx * 8
    for (let word = 0; word < 8; word++) if (txids[at + word] !== words[from + word]) return false
    return true
  }
}

const NOT_SPENDABLE = 255
const MOST_SCRIPT_BYTES = 10_000

/** As Bitcoin Core's IsUnspendable: a script that begins with OP_RETURN or is too long for the interpreter. */
const canBeSpent = (scripts: Uint8Array, start: number, stop: number): boolean =>
  stop - start <= MOST_SCRIPT_BYTES && !(stop > start && scripts[start] === 0x6a)

/** Mixes two words of the txid with a secret, so that nobody can choose txids that fall on one slot. */
function hashOf(words: Uint32Array, from: number, seed: number): number {
  let mixed = Math.imul(words[from + 6]! ^ seed, 0x9e3779b1)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed ^ words[from + 7]!, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
