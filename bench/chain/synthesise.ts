import { hash } from 'node:crypto'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { subsidySat } from '#kernel/bitcoin.ts'
import { Ledger, type OutputNumber } from './ledger.ts'
import { createRandom, type Random } from './random.ts'
import type { InputSample, Samples } from './samples.ts'
import { createWriter, type Writer, writeBytes, writeSat, writeU32, writeVarint } from './writer.ts'

export type ChainShape = {
  readonly seed: number
  /** Height of the last block; the first is regtest's genesis block, 0. */
  readonly endHeight: number
  readonly outputsPerBlock: number
  /** Share of outputs that are never spent. */
  readonly unspentShare: number
  /** The last blocks are full ones: so many, each with about so many outputs and with inputs that spend outputs of every age. */
  readonly tip: { readonly count: number; readonly inputs: number; readonly outputs: number }
}

export type SyntheticBlock = {
  readonly height: number
  readonly hash: string
  /** Overwritten by the next block. */
  readonly bytes: Uint8Array
  readonly txCount: number
  readonly inputCount: number
  readonly outputCount: number
}

/** Blocks until a coinbase may be spent (COINBASE_MATURITY of Bitcoin Core). */
const MATURITY = 100
const SECONDS_PER_BLOCK = 600
const GENESIS_TIME_S = 1_296_688_602
const REGTEST_BITS = 0x207fffff
/** Mean outputs of a transaction where there is enough to spend. */
const OUTPUTS_PER_TX = 2.6
/** Of outputs that are spent, those spent in the block that makes them, and those of the rest whose script is used again. */
const SAME_BLOCK_SHARE = 0.07
const REUSED_SCRIPT_SHARE = 0.35
const MARKER_AND_FLAG = Uint8Array.of(0, 1)
const NULL_TXID = new Uint8Array(32)
const COMMITMENT = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed)

/**
 * A valid, linked regtest chain made from scripts and witnesses of real blocks: real kinds in real shares, signatures
 * and most programs filled with random bytes, spends by age from the same block to the whole chain (even over each
 * power of ten), money kept. Same seed, same bytes. Signatures do not verify: nobody here checks them.
 */
export function* synthesise(samples: Samples, shape: ChainShape): Generator<SyntheticBlock> {
  const random = createRandom(shape.seed)
  const ledger = new Ledger(shape.endHeight)
  const codec = openBitcoinCodec({ network: 'regtest' })
  const block = createWriter(8_000_000)
  const body = createWriter(8_000_000)
  const tipHeight = shape.endHeight - shape.tip.count + 1
  const unspentCount = tipHeight * shape.outputsPerBlock * shape.unspentShare
  const tipShare = (shape.tip.count * shape.tip.inputs) / unspentCount
  let prevHash: Uint8Array = NULL_TXID

  yield genesis()
  for (let height = 1; height <= shape.endHeight; height++) yield next(height)

  function genesis(): SyntheticBlock {
    block.length = 0
    const txid = hash256(samples.genesisTx)
    ledger.addTx(txid)
    writeHeader(0, txid, 1, GENESIS_TIME_S, 2)
    writeVarint(block, 1)
    writeBytes(block, samples.genesisTx)
    return finished(0, 1, 1, 1)
  }

  function next(height: number): SyntheticBlock {
    body.length = 0
    const due = ledger.countDue(height)
    const outputsWanted = height >= tipHeight ? shape.tip.outputs : shape.outputsPerBlock
    const spends = Math.min(due, Math.max(1, Math.round(outputsWanted / OUTPUTS_PER_TX)))
    const txids: Uint8Array[] = [NULL_TXID]
    const wtxids: Uint8Array[] = [NULL_TXID]
    const made = { inputs: 1, outputs: 0, feeSat: 0 }
    for (let left = spends; left > 0; left--) {
      const inputs =
        left === 1 ? Number.POSITIVE_INFINITY : Math.max(1, spread(random, due - made.inputs + 1, left))
      const outputs = Math.max(1, spread(random, outputsWanted - made.outputs, left))
      const tx = writePayment(height, inputs, outputs, made)
      txids.push(tx.txid)
      wtxids.push(tx.wtxid)
    }
    // What the last transactions made to be spent in this very block.
    while (ledger.countDue(height) > 0) {
      const tx = writePayment(height, Number.POSITIVE_INFINITY, 1, made)
      txids.push(tx.txid)
      wtxids.push(tx.wtxid)
    }
    const coinbase = coinbaseOf(height, made.feeSat, rootOf(wtxids))
    txids[0] = coinbase.txid
    block.length = 0
    writeHeader(height, rootOf(txids), 0x20000000, GENESIS_TIME_S + height * SECONDS_PER_BLOCK, 0)
    writeVarint(block, txids.length)
    writeBytes(block, coinbase.bytes)
    writeBytes(block, body.bytes, 0, body.length)
    return finished(height, txids.length, made.inputs, made.outputs + coinbase.outputCount)
  }

  function rootOf(ids: readonly Uint8Array[]): Buffer {
    return Buffer.from(
      codec.merkleRoot(Buffer.concat(ids.map(id => Buffer.from(id).reverse()))).root,
    ).reverse()
  }

  function writeHeader(
    height: number,
    root: Uint8Array,
    version: number,
    timeS: number,
    nonce: number,
  ): void {
    writeU32(block, version)
    writeBytes(block, prevHash)
    writeBytes(block, root)
    writeU32(block, timeS)
    writeU32(block, REGTEST_BITS)
    writeU32(block, nonce)
    for (let tried = nonce; height > 0; tried++) {
      block.bytes.writeUInt32LE(tried, 76)
      if (hash256(block.bytes.subarray(0, 80))[31]! < 0x7f) break
    }
    prevHash = hash256(block.bytes.subarray(0, 80))
  }

  function finished(
    height: number,
    txCount: number,
    inputCount: number,
    outputCount: number,
  ): SyntheticBlock {
    return {
      height,
      hash: Buffer.from(prevHash).reverse().toString('hex'),
      bytes: block.bytes.subarray(0, block.length),
      txCount,
      inputCount,
      outputCount,
    }
  }

  function writePayment(
    height: number,
    mostInputs: number,
    outputCount: number,
    made: { inputs: number; outputs: number; feeSat: number },
  ): { txid: Buffer; wtxid: Buffer } {
    const spent: OutputNumber[] = []
    for (
      let o = ledger.takeDue(height);
      o !== undefined;
      o = spent.length < mostInputs ? ledger.takeDue(height) : undefined
    )
      spent.push(o)
    const ways = spent.map(wayOf)
    const hasWitness = ways.some(way => way.witness.length > 0)
    const inSat = spent.reduce((sum, output) => sum + ledger.valueSat(output), 0)
    made.inputs += spent.length

    const start = body.length
    writeU32(body, 2)
    if (hasWitness) writeBytes(body, MARKER_AND_FLAG)
    const inputsStart = body.length
    writeVarint(body, spent.length)
    for (const [i, output] of spent.entries()) {
      const { scriptSig } = ways[i]!
      writeBytes(body, ledger.txids, ledger.txidStart(output), ledger.txidStart(output) + 32)
      writeU32(body, ledger.vout(output))
      writeVarint(body, scriptSig.length)
      freshen(random, body, writeBytes(body, scriptSig), scriptSig.length)
      writeU32(body, random.unit() < 0.6 ? 0xfffffffd : 0xffffffff)
    }
    const feerate = 1 + random.below(40)
    const feeSat = Math.min(Math.floor(inSat / 50), (90 * spent.length + 34 * outputCount) * feerate)
    const tx = ledger.addTx(NULL_TXID)
    writeOutputs(height, tx, outputCount, inSat - feeSat)
    made.outputs += outputCount
    made.feeSat += feeSat
    const witnessStart = body.length
    if (hasWitness) {
      for (const { witness } of ways) {
        if (witness.length === 0) writeVarint(body, 0)
        else freshen(random, body, writeBytes(body, witness), witness.length)
      }
    }
    writeU32(body, 0)

    const whole = body.bytes.subarray(start, body.length)
    const stripped = hasWitness
      ? Buffer.concat([
          whole.subarray(0, 4),
          whole.subarray(inputsStart - start, witnessStart - start),
          whole.subarray(-4),
        ])
      : whole
    const txid = hash256(stripped)
    ledger.setTxid(tx, txid)
    return { txid, wtxid: hasWitness ? hash256(whole) : txid }
  }

  /** Of the outputs that nobody spends before the tip, a few are for the full blocks there. */
  function tipOrNever(): number {
    return random.unit() < tipShare ? tipHeight + random.below(shape.tip.count) : Number.POSITIVE_INFINITY
  }

  /** How a real input spends an output of the same kind. */
  function wayOf(output: OutputNumber): InputSample {
    const ways = samples.inputs[samples.outputs[ledger.sample(output)]!.type]
    return ways[random.below(ways.length)]!
  }

  function writeOutputs(height: number, tx: number, count: number, outSat: number): void {
    writeVarint(body, count)
    let leftSat = outSat
    for (let vout = 0; vout < count; vout++) {
      const index = random.below(samples.outputs.length)
      const { type, script } = samples.outputs[index]!
      const isData = type === 'op_return'
      const staysForever = isData || random.unit() < shape.unspentShare
      const share = Math.floor((leftSat / (count - vout)) * (0.4 + 1.2 * random.unit()))
      const wanted = isData ? 0 : staysForever ? Math.min(share, 546 + random.below(20_000)) : share
      // The last output takes what is left, so that nothing is lost but the fee.
      const valueSat = vout === count - 1 ? leftSat : Math.min(wanted, leftSat)
      leftSat -= valueSat
      writeSat(body, valueSat)
      writeVarint(body, script.length)
      const at = writeBytes(body, script)
      if (!isData && random.unit() >= REUSED_SCRIPT_SHARE) freshenProgram(random, body, at, script.length)
      const due = staysForever ? Number.POSITIVE_INFINITY : height + age(random, shape.endHeight)
      ledger.addOutput(tx, vout, valueSat, index, due <= shape.endHeight || isData ? due : tipOrNever())
    }
  }

  function coinbaseOf(height: number, feeSat: number, witnessRoot: Uint8Array) {
    const script = coinbaseScript(samples.coinbaseScripts[height % samples.coinbaseScripts.length]!, height)
    const payout = samples.outputs[random.below(samples.outputs.length)]!
    const isPayable = payout.type !== 'op_return'
    const payoutScript = isPayable ? payout.script : samples.outputs.find(one => one.type === 'p2pkh')!.script
    const valueSat = Number(subsidySat(height, 'regtest')) + feeSat
    const commitment = hash256(Buffer.concat([witnessRoot, NULL_TXID]))

    const core = createWriter(1024)
    writeVarint(core, 1)
    writeBytes(core, NULL_TXID)
    writeU32(core, 0xffffffff)
    writeVarint(core, script.length)
    writeBytes(core, script)
    writeU32(core, 0xffffffff)
    writeVarint(core, 2)
    writeSat(core, valueSat)
    writeVarint(core, payoutScript.length)
    writeBytes(core, payoutScript)
    writeSat(core, 0)
    writeVarint(core, COMMITMENT.length + 32)
    writeBytes(core, COMMITMENT)
    writeBytes(core, commitment)
    const middle = core.bytes.subarray(0, core.length)
    const version = Uint8Array.of(2, 0, 0, 0)
    const lockTime = Buffer.alloc(4)
    const txid = hash256(Buffer.concat([version, middle, lockTime]))
    const witness = Buffer.concat([Uint8Array.of(1, 32), NULL_TXID])
    const tx = ledger.addTx(txid)
    const sample = isPayable
      ? samples.outputs.indexOf(payout)
      : samples.outputs.findIndex(one => one.type === 'p2pkh')
    ledger.addOutput(tx, 0, valueSat, sample, height + MATURITY + age(random, shape.endHeight >> 3))
    return {
      txid,
      outputCount: 2,
      bytes: Buffer.concat([version, MARKER_AND_FLAG, middle, witness, lockTime]),
    }
  }
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')
/** Double SHA-256, wire order. */
const hash256 = (bytes: Uint8Array): Buffer => sha256(sha256(bytes))

/** Blocks until an output is spent: 0 in the same block, else as many in each power of ten. */
function age(random: Random, most: number): number {
  return random.unit() < SAME_BLOCK_SHARE ? 0 : Math.ceil(Math.exp(random.unit() * Math.log(most)))
}

/** About `total / parts`, at random, whole. */
function spread(random: Random, total: number, parts: number): number {
  return Math.floor((total / parts) * (0.3 + 1.4 * random.unit()) + 0.5)
}

/** Overwrites the inside of signatures and keys, so that columns compress as real ones do. Lengths and opcodes at both ends stay. */
function freshen(random: Random, w: Writer, at: number, length: number): void {
  if (length < 60) return
  random.fill(w.bytes, at + 10, at + 34)
  random.fill(w.bytes, at + 40, at + 60)
}

/** A new program of the same kind: an address that nobody has used. */
function freshenProgram(random: Random, w: Writer, at: number, length: number): void {
  if (length === 22 || length === 34) random.fill(w.bytes, at + 2, at + length)
  else if (length === 23) random.fill(w.bytes, at + 2, at + 22)
  else if (length === 25) random.fill(w.bytes, at + 3, at + 23)
}

/** The height (BIP-34), then what a real pool signed with. */
function coinbaseScript(real: Uint8Array, height: number): Uint8Array {
  const pushed: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) pushed.push(rest % 256)
  if ((pushed.at(-1) ?? 0) >= 0x80) pushed.push(0)
  const prefix = height <= 16 ? [0x50 + height] : [pushed.length, ...pushed]
  return Uint8Array.of(...prefix, ...real.subarray(4, 90))
}
