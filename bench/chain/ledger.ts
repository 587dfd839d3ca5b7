/** An output of the synthetic chain, by its number in the order of making. */
export type OutputNumber = number

/**
 * All outputs of a chain in typed arrays, and for each height those that are to be spent there. What an output becomes
 * is settled when it is made: so no search for something to spend is ever needed.
 */
export class Ledger {
  outputCount = 0
  txCount = 0
  /** Outputs that the chain spends before it ends. */
  plannedCount = 0
  readonly #endHeight: number
  #txids = Buffer.alloc(32 * 65_536)
  #tx = new Uint32Array(131_072)
  #vout = new Uint32Array(131_072)
  #valueSat = new Float64Array(131_072)
  /** Index into the samples of outputs. */
  #sample = new Uint32Array(131_072)
  /** Next output due at the same height, +1; 0 ends the list. */
  #nextDue = new Uint32Array(131_072)
  readonly #firstDue: Uint32Array

  constructor(endHeight: number) {
    this.#endHeight = endHeight
    this.#firstDue = new Uint32Array(endHeight + 1)
  }

  addTx(txid: Uint8Array): number {
    if (32 * this.txCount === this.#txids.length)
      this.#txids = grown(this.#txids, Buffer.alloc(this.#txids.length * 2))
    this.#txids.set(txid, 32 * this.txCount)
    return this.txCount++
  }

  setTxid(tx: number, txid: Uint8Array): void {
    this.#txids.set(txid, 32 * tx)
  }

  /** Keeps an output that will be spent at `dueHeight`; heights beyond the end mean never. */
  addOutput(tx: number, vout: number, valueSat: number, sample: number, dueHeight: number): void {
    const output = this.outputCount++
    if (output === this.#tx.length) this.#growOutputs()
    this.#tx[output] = tx
    this.#vout[output] = vout
    this.#valueSat[output] = valueSat
    this.#sample[output] = sample
    if (dueHeight > this.#endHeight) return
    this.plannedCount++
    this.#nextDue[output] = this.#firstDue[dueHeight]!
    this.#firstDue[dueHeight] = output + 1
  }

  /** Takes one output off the list of those due at `height`. */
  takeDue(height: number): OutputNumber | undefined {
    const first = this.#firstDue[height]!
    if (first === 0) return undefined
    this.#firstDue[height] = this.#nextDue[first - 1]!
    return first - 1
  }

  countDue(height: number): number {
    let count = 0
    for (let at = this.#firstDue[height]!; at !== 0; at = this.#nextDue[at - 1]!) count++
    return count
  }

  /** Where the txid of the output's transaction lies in `txids`. */
  txidStart = (output: OutputNumber): number => 32 * this.#tx[output]!
  get txids(): Uint8Array {
    return this.#txids
  }
  vout = (output: OutputNumber): number => this.#vout[output]!
  valueSat = (output: OutputNumber): number => this.#valueSat[output]!
  sample = (output: OutputNumber): number => this.#sample[output]!

  #growOutputs(): void {
    const length = this.#tx.length * 2
    this.#tx = grown(this.#tx, new Uint32Array(length))
    this.#vout = grown(this.#vout, new Uint32Array(length))
    this.#valueSat = grown(this.#valueSat, new Float64Array(length))
    this.#sample = grown(this.#sample, new Uint32Array(length))
    this.#nextDue = grown(this.#nextDue, new Uint32Array(length))
  }
}

function grown<A extends { set(from: A): void }>(old: A, fresh: A): A {
  fresh.set(old)
  return fresh
}
