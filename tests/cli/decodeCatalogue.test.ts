/** Decoding on the command line would ignore the operator’s catalog. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyCatalog } from '#catalog/testing.ts'
import { encodeAddress } from '#chains/stacks/index.ts'
import { encodeTransaction, TRANSFER } from '../encodeStacks.ts'
import { runAssay } from './runAssay.ts'

const ATOLL = `${encodeAddress(22, Buffer.alloc(20, 70))}.atoll-core`
const HASH = `0x${'12'.repeat(32)}`
const WHO = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'

async function decode(args: readonly string[], env: Record<string, string>) {
  const { code, out, err } = await runAssay(['decode', ...args], env)
  return {
    code,
    err,
    lines: out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line)),
  }
}

test('calls of Stacks read as the operator’s catalogue says', async () => {
  await using copy = await copyCatalog()
  await writeFile(
    join(copy.dir, 'stacks/sentences/atoll.json'),
    JSON.stringify({
      protocol: 'atoll',
      name: 'Atoll',
      contracts: { core: [ATOLL] },
      calls: { 'core.dive(metres)': 'stake {n metres} pearls' },
      prints: {},
    }),
  )
  const [address = '', contractName = ''] = ATOLL.split('.')
  const hex = encodeTransaction({
    ...TRANSFER,
    payload: {
      kind: 'contract_call',
      contract: ATOLL,
      contractAddress: address,
      contractName,
      functionName: 'dive',
      args: [{ type: 'uint', value: 40n }],
    } as never,
  }).toString('hex')
  const says = async (env: Record<string, string>) => (await decode(['stacks', hex], env)).lines[0].says
  assert.match(await says({ ASSAY_CATALOG: copy.dir }), /^Stake 40 pearls/)
  assert.doesNotMatch(await says({}), /pearls/)
})

test('chains and events of the EVM are those of the operator’s catalogue', async () => {
  await using copy = await copyCatalog()
  const change = async (path: string, to: string, how: (facts: never) => unknown) =>
    writeFile(
      join(copy.dir, to),
      JSON.stringify(how(JSON.parse(await readFile(join(copy.dir, path), 'utf8')) as never)),
    )
  await change('chains/merlin.json', 'chains/far-meridian.json', (facts: object) => ({
    ...facts,
    id: 'far-meridian',
    name: 'Far Meridian',
    chainId: 770_077,
  }))
  await change('evm/events.json', 'evm/events.json', (events: { id: string }[]) =>
    events.map(event => (event.id === 'wrapped.deposit' ? { ...event, id: 'pearl.found' } : event)),
  )
  const receipt = JSON.stringify({
    transactionHash: HASH,
    transactionIndex: '0x0',
    blockNumber: '0x5',
    blockHash: HASH,
    from: WHO,
    to: WHO,
    status: '0x1',
    gasUsed: '0x5208',
    cumulativeGasUsed: '0x5208',
    logs: [
      {
        address: WHO,
        // Deposit(address,uint256)
        topics: [
          '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
          `0x${'00'.repeat(12)}${WHO.slice(2).toLowerCase()}`,
        ],
        data: `0x${'0'.repeat(63)}7`,
        logIndex: '0x0',
        blockNumber: '0x5',
        blockHash: HASH,
        transactionHash: HASH,
        transactionIndex: '0x0',
      },
    ],
  })
  const path = join(copy.dir, 'receipt.txt')
  await writeFile(path, receipt)
  const of = async (env: Record<string, string>, ...more: string[]) => {
    const { lines, err } = await decode(['evm', ...more, path], env)
    return { event: lines[0]?.logs?.[0]?.event, err }
  }
  const own = { ASSAY_CATALOG: copy.dir }
  assert.equal((await of(own)).event, 'pearl.found')
  assert.equal((await of(own, '--chain', 'far-meridian')).event, 'pearl.found')
  assert.equal((await of({})).event, 'wrapped.deposit')
  assert.match((await of({}, '--chain', 'far-meridian')).err, /no EVM chain "far-meridian"/)
  const { err } = await decode(['evm', path], { ASSAY_CATALOG: join(copy.dir, 'nowhere') })
  assert.match(err, /catalog\/chains: the folder cannot be read/)
})
