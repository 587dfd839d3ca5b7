/** EVM transactions could not be decoded on the command line. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { shared, skipWithoutShared } from '../shared.ts'
import { runAssay, temporaryHome } from './runAssay.ts'

/** The example of EIP-155: its sender and its fields are published there. */
const SIGNED =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
const SENDER = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const ROOTSTOCK_BLOCK = 'data/evm/rootstock-testnet-141459.json'

/** Lines as JSON, in whatever form: a block, a transaction, receipts or an error. */
async function decode(args: readonly string[], input = '') {
  const { code, out, err } = await runAssay(['decode', 'evm', ...args], {}, input)
  const lines = out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  return { code, lines, err }
}

test('a raw transaction in the call, in a file, packed and on standard input gives the same object', async () => {
  await using home = await temporaryHome()
  const plain = join(home.path, 'tx.hex')
  const packed = join(home.path, 'tx.hex.gz')
  await writeFile(plain, `${SIGNED}\n`)
  await writeFile(packed, gzipSync(SIGNED))
  const { code, lines } = await decode(
    [SIGNED, plain, packed, '-'],
    `\n${SIGNED.toUpperCase().replace('X', 'x')}\n`,
  )
  assert.equal(code, 0)
  const [tx] = lines
  assert.deepEqual(lines, [tx, tx, tx, tx])
  assert.deepEqual(
    [tx.kind, tx.from, tx.chainId, tx.nonce, tx.gasPrice, tx.value],
    ['legacy', SENDER, 1, 9, 20_000_000_000, '1000000000000000000'],
  )
})

test('a bad input is told by its place or its field, the others are decoded, and the end is 1', async () => {
  await using home = await temporaryHome()
  const file = join(home.path, 'inputs.txt')
  const cut = '0x7ef8f8a0871ec5fb6afe7e5ae950bbb4cfd7d7cb277b413e67da806d50834a814b14c9f4'
  await writeFile(
    file,
    `${cut}\n${SIGNED}\n{"hash":"0x12"}\n{"jsonrpc":"2.0","result":{"hash":"0x12"}}\n[]\n`,
  )
  const text = join(home.path, 'letter.txt')
  await writeFile(text, 'Dear node,')
  const { code, lines } = await decode([file, text, join(home.path, 'absent'), home.path, '0x123'])
  assert.equal(code, 1)
  const [short, tx, unhashed, answered, receipts, letter, absent, folder, half] = lines
  assert.match(short.error, /inputs\.txt:1: .* at byte 1\./)
  assert.equal(short.offset, 1)
  assert.equal(tx.from, SENDER)
  assert.deepEqual([unhashed.field, unhashed.offset, answered.field], ['from', null, 'from'])
  assert.deepEqual(receipts, { receipts: [] })
  assert.match(letter.error, /letter\.txt: This is neither JSON nor a raw transaction/)
  assert.match(absent.error, /no hex and no file here/)
  assert.match(folder.error, /is a folder/)
  assert.equal(half.offset, 1)
})

test(
  'a block of Rootstock is proved, its transactions come with receipts and events',
  skipWithoutShared,
  async () => {
    const { code, lines } = await decode(['--chain', 'rootstock-testnet', '--tx', shared(ROOTSTOCK_BLOCK)])
    assert.equal(code, 0)
    const [block] = lines
    assert.deepEqual(block.proved, { hash: true, transactions: true, receipts: true, senders: 1 })
    assert.equal(block.mergedMining.isTagged, true)
    assert.equal(block.transactions[0].receipt.logs[0].event, 'erc20.approval')
  },
)

test(
  'a block that contradicts itself is refused by the rule, and fees without receipts are not known',
  skipWithoutShared,
  async () => {
    const { block, receipts } = JSON.parse(await readFile(shared(ROOTSTOCK_BLOCK), 'utf8'))
    const without = JSON.stringify(block)
    const wrong = JSON.stringify({ block: { ...block, gasUsed: '0x1' }, receipts })
    const { code, lines } = await decode(['--chain', 'rootstock-testnet', '-'], `${without}\n${wrong}\n`)
    assert.equal(code, 1)
    assert.deepEqual([lines[0].feesWei, lines[0].proved.receipts], [null, false])
    assert.match(lines[1].error, /line 2: Block 141459 states the hash .* but its header does not hash to it/)
  },
)

test('a chain that nobody knows is a wrong call that names those it knows', async () => {
  for (const chain of ['dogechain', 'constructor']) {
    const { code, err } = await decode(['--chain', chain, 'x'])
    assert.equal(code, 2)
    assert.match(
      err,
      new RegExp(`no EVM chain "${chain}".*rootstock, bob, merlin, bitlayer, b2-network, core`),
    )
  }
})
