/** Figures of Bitcoin blocks would differ from those of a node and of other explorers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { encodeTransactions, transactionBytes } from '#tests/encodeBlock.ts'
import { recordedBlock, recordedRun } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { addressOf, DecodeError, openBitcoinCodec, scriptTypeOf } from './index.ts'
import { sigopCost } from './sigops.ts'
import { type TxJson, txOf, txsOf } from './txsOf.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const vector = (name: string) => JSON.parse(readFileSync(shared(`data/bitcoin/vectors/${name}`), 'utf8'))

/** Types as Bitcoin Core names them; `nonstandard` and `witness_unknown` are our `unknown`. */
const CORE_TYPES: Readonly<Record<string, string>> = {
  pubkey: 'p2pk',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  multisig: 'p2ms',
  witness_v0_keyhash: 'v0_p2wpkh',
  witness_v0_scripthash: 'v0_p2wsh',
  witness_v1_taproot: 'v1_p2tr',
  anchor: 'anchor',
  nulldata: 'op_return',
  nonstandard: 'unknown',
  witness_unknown: 'unknown',
}

type CoreTx = {
  readonly txid: string
  readonly hash?: string
  readonly version: number
  readonly size?: number
  readonly vsize?: number
  readonly weight?: number
  readonly locktime?: number
  readonly vin: readonly {
    readonly txid?: string
    readonly vout?: number
    readonly sequence: number
    readonly scriptSig?: { readonly hex: string }
    readonly txinwitness?: readonly string[]
  }[]
  readonly vout: readonly {
    readonly value: number
    readonly scriptPubKey: {
      readonly hex: string
      readonly type?: string
      readonly address?: string
      readonly addresses?: readonly string[]
    }
  }[]
}

/** Every figure that a node's answer gives must be ours. Values of nodes are decimals with eight places. */
function assertSameAsCore(got: TxJson, core: CoreTx): void {
  assert.equal(got.txid, core.txid)
  // Older releases of Bitcoin Core print the version signed.
  assert.equal(got.version, core.version >>> 0)
  const named = {
    wtxid: core.hash,
    size: core.size,
    vsize: core.vsize,
    weight: core.weight,
    lockTime: core.locktime,
  }
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined) assert.equal(got[name as keyof typeof named], value, `${name} of ${core.txid}`)
  }
  assert.deepEqual(
    got.inputs.map(i => [i.prevTxid, i.prevVout, i.sequence, i.witness]),
    core.vin.map((i, n) => [
      i.txid ?? null,
      i.vout ?? null,
      i.sequence,
      i.txinwitness ?? got.inputs[n]!.witness,
    ]),
  )
  core.vin.forEach((input, i) => {
    if (input.scriptSig !== undefined) assert.equal(got.inputs[i]!.scriptSig, input.scriptSig.hex)
  })
  assert.equal(got.outputs.length, core.vout.length)
  core.vout.forEach(({ value, scriptPubKey }, i) => {
    const output = got.outputs[i]!
    assert.deepEqual([output.valueSat, output.script], [Math.round(value * 1e8), scriptPubKey.hex])
    // Core calls an OP_RETURN that more than pushes follow nonstandard.
    if (scriptPubKey.type !== undefined && !scriptPubKey.hex.startsWith('6a')) {
      assert.equal(output.type, CORE_TYPES[scriptPubKey.type], scriptPubKey.hex)
    }
    const address =
      scriptPubKey.address ?? (scriptPubKey.addresses?.length === 1 ? scriptPubKey.addresses[0] : undefined)
    // Old nodes gave bare keys an address; in ours they have none of their own.
    if (address !== undefined && output.type !== 'p2pk') assert.equal(output.address, address)
  })
}

test('block 739990 equals the answer of a node, transaction by transaction', skipWithoutShared, () => {
  const file = shared('data/bitcoin/vectors/rpc-block-739990.json.gz')
  const core: { tx: CoreTx[] } = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const txs = txsOf(codec.decodeBlock(recordedBlock('739990-d50c626e')))
  assert.equal(txs.length, core.tx.length)
  txs.forEach((tx, i) => {
    assertSameAsCore(tx, core.tx[i]!)
  })
})

test('block 951658 has the txids and figures of a node’s answer', skipWithoutShared, () => {
  const core = vector('rpc-block-951658.json')
  const block = codec.decodeBlock(recordedBlock('951658-db9ca628'))
  assert.deepEqual(
    txsOf(block).map(tx => tx.txid),
    core.tx,
  )
  assert.deepEqual(
    [block.sizeBytes, block.strippedSizeBytes, block.weightWu, block.version, block.height],
    [core.size, core.strippedsize, core.weight, core.version, core.height],
  )
  const [coinbase] = txsOf(block)
  assert.deepEqual(
    [coinbase!.inputs[0]!.scriptSig, coinbase!.inputs[0]!.witness],
    [core.coinbase_tx.coinbase, [core.coinbase_tx.witness]],
  )
})

test('transactions decode as `decoderawtransaction` does', skipWithoutShared, () => {
  const recorded: Record<string, { decoded: CoreTx & { hex: string } }> = vector(
    'core-decoderawtransaction.json',
  )
  // A transaction without inputs has no form of its own on the wire: its bytes read as marker and flag.
  const compared = Object.values(recorded).filter(({ decoded }) => decoded.vin.length > 0)
  assert.equal(compared.length, 9)
  for (const { decoded } of compared) {
    assertSameAsCore(txOf(codec.decodeTransaction(Buffer.from(decoded.hex, 'hex')), 0), decoded)
  }
})

test('whole blocks of other publishers decode to their transactions', skipWithoutShared, () => {
  const names = ['etl-getblock-babee141', 'etl-getblock-dc964266', 'rosetta-getblock-1']
  const answers = names.map(name => vector(`${name}.json`))
  const transactions: (CoreTx & { hex: string })[] = answers.flatMap(answer => (answer.result ?? answer).tx)
  // One publisher cut the inputs off a transaction.
  const whole = transactions.filter(core => core.vin.length > 0)
  assert.equal(whole.length, 5)
  for (const core of whole)
    assertSameAsCore(txOf(codec.decodeTransaction(Buffer.from(core.hex, 'hex')), 0), core)
})

test('transactions recorded by block explorers decode to their parts', skipWithoutShared, () => {
  const synced: Record<string, { txDetails: (CoreTx & { hex: string })[] }> = vector(
    'blockbook-sync-bitcoin.json',
  ).connectBlocks.blocks
  const details: Record<string, CoreTx & { hex: string }> = vector('blockbook-rpc-bitcoin.json').txDetails
  const all = [...Object.values(synced).flatMap(block => block.txDetails), ...Object.values(details)]
  assert.equal(all.length, 10)
  for (const core of all) {
    const got = txOf(codec.decodeTransaction(Buffer.from(core.hex, 'hex')), 0)
    assert.deepEqual([got.txid, got.vsize], [core.txid, core.vsize ?? got.vsize])
    core.vin.forEach(({ txid, vout }, i) => {
      // One recorded input holds a script where its txid should stand.
      if (txid?.length === 64)
        assert.deepEqual([got.inputs[i]!.prevTxid, got.inputs[i]!.prevVout], [txid, vout])
    })
    assert.deepEqual(
      got.outputs.map(o => o.valueSat),
      core.vout.map(o => Math.round(o.value * 1e8)),
    )
    core.vout.forEach(({ scriptPubKey }, i) => {
      if (scriptPubKey === undefined) return
      assert.equal(got.outputs[i]!.script, scriptPubKey.hex)
      const [address] = scriptPubKey.addresses ?? []
      if (address !== undefined) assert.equal(got.outputs[i]!.address, address)
    })
  }
})

test('a node and an explorer count the same signature operations', skipWithoutShared, () => {
  type Prevout = { scriptpubkey: string } | null
  type Tx = { txid: string; sigops: number; version: number; locktime: number } & {
    vin: {
      txid: string
      vout: number
      prevout: Prevout
      scriptsig: string
      witness?: string[]
      sequence: number
    }[]
    vout: { scriptpubkey: string; value: number }[]
  }
  const txs: Tx[] = vector('mempoolapi-transactions-random.json')
  for (const { txid, sigops, version, locktime, vin, vout } of txs) {
    const bytes = transactionBytes({
      version,
      lockTime: locktime,
      inputs: vin.map(input => ({ ...input, scriptSig: input.scriptsig, witness: input.witness ?? [] })),
      outputs: vout.map(output => ({ script: output.scriptpubkey, valueSat: BigInt(output.value) })),
    })
    const decoded = codec.decodeTransaction(bytes)
    assert.equal(txOf(decoded, 0).txid, txid)
    const prevScripts = vin.map(({ prevout }) => Buffer.from(prevout?.scriptpubkey ?? '', 'hex'))
    assert.equal(sigopCost(decoded, 0, prevScripts), sigops, txid)
    assert.ok(sigopCost(decoded, 0) <= sigops)
  }
})

test('explorer objects name the same types and addresses for the same scripts', skipWithoutShared, () => {
  type Output = { scriptpubkey: string; scriptpubkey_type: string; scriptpubkey_address?: string }
  type Tx = { vin: { prevout: Output | null }[]; vout: Output[] }
  const txs: Tx[] = [
    ...vector('mempoolapi-transactions-random.json'),
    ...vector('mempoolapi-non-standard-txs.json'),
  ]
  const outputs = txs.flatMap(tx => [...tx.vin.flatMap(input => input.prevout ?? []), ...tx.vout])
  assert.ok(outputs.length > 10)
  for (const { scriptpubkey, scriptpubkey_type: type, scriptpubkey_address: address } of outputs) {
    const script = Buffer.from(scriptpubkey, 'hex')
    // Recorded before explorers named the anchor output.
    const named = scriptpubkey === '51024e73' ? 'anchor' : type === 'multisig' ? 'p2ms' : type
    assert.equal(scriptTypeOf(script), named)
    assert.equal(addressOf(script, 'mainnet'), address || null)
  }
})

test(
  'valid and invalid transactions of Bitcoin Core decode without loss, and only broken bytes do not',
  skipWithoutShared,
  () => {
    let decoded = 0
    for (const name of ['core-tx_valid.json', 'core-tx_invalid.json']) {
      for (const row of vector(name) as unknown[][]) {
        if (row.length !== 3 || typeof row[1] !== 'string') continue
        const bytes = Buffer.from(row[1], 'hex')
        assert.deepEqual(encodeTransactions(codec.decodeTransaction(bytes)), bytes)
        decoded += 1
      }
    }
    assert.equal(decoded, 214)
  },
)

test(
  'blocks of bitcoinjs decode to their headers and weights, and bare headers are refused',
  skipWithoutShared,
  () => {
    type Vector = {
      id: string
      hex: string
      version: number
      timestamp: number
      bits: number
      nonce: number
    } & {
      size?: number
      strippedSize?: number
      weight?: number
    }
    const { valid, invalid }: { valid: Vector[]; invalid: { hex: string }[] } = vector('bitcoinjs-block.json')
    let whole = 0
    for (const expected of valid) {
      const bytes = Buffer.from(expected.hex, 'hex')
      if (bytes.length === 80) {
        assert.throws(() => codec.decodeBlock(bytes), { code: 'decode.short' })
        continue
      }
      const block = codec.decodeBlock(bytes)
      codec.checkBlock(block)
      assert.deepEqual(
        [Buffer.from(block.hash).toString('hex'), block.version, block.timeS, block.bits, block.nonce],
        [expected.id, expected.version, expected.timestamp, expected.bits, expected.nonce],
      )
      const { size, strippedSize, weight } = expected
      if (size !== undefined) {
        assert.deepEqual(
          [block.sizeBytes, block.strippedSizeBytes, block.weightWu],
          [size, strippedSize, weight],
        )
      }
      whole += 1
    }
    assert.equal(whole, 5)
    for (const { hex } of invalid)
      assert.throws(() => codec.decodeBlock(Buffer.from(hex, 'hex')), DecodeError)
  },
)

test('the blocks of a recorded reorg decode to their listed hashes and txids', skipWithoutShared, () => {
  type Listed = {
    files: {
      file: string
      blocks: { hash: string; prevHash: string; time: number; size: number; txids: string[] }[]
    }[]
  }
  const { files }: Listed = JSON.parse(readFileSync(shared('data/bitcoin/reorg/reorg.json'), 'utf8'))
  for (const { file, blocks } of files) {
    const decoded = [...recordedRun(file)].map(bytes => codec.decodeBlock(bytes))
    const got = decoded.map(block => ({
      hash: Buffer.from(block.hash).toString('hex'),
      prevHash: Buffer.from(block.prevHash).toString('hex'),
      time: block.timeS,
      size: block.sizeBytes,
      txids: txsOf(block).map(tx => tx.txid),
    }))
    assert.deepEqual(
      got,
      blocks.map(({ hash, prevHash, time, size, txids }) => ({ hash, prevHash, time, size, txids })),
    )
  }
})

test('testnet blocks of the BIP-158 vectors decode, hash and prove themselves', skipWithoutShared, () => {
  const testnet = openBitcoinCodec({ network: 'testnet3' })
  for (const [height, hash, hex] of (vector('core-blockfilters.json') as [number, string, string][]).slice(
    1,
  )) {
    const block = testnet.decodeBlock(Buffer.from(hex, 'hex'))
    testnet.checkBlock(block)
    assert.equal(Buffer.from(block.hash).toString('hex'), hash)
    if (block.version >= 2) assert.equal(block.height, height)
  }
})
