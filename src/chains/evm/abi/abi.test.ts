/** Transfers, swaps and loans on EVM layers would be read with wrong amounts, or crafted data would stall the ingest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recordedEvmBlocks, recordedJson, recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import rootstock from '../../../../catalog/chains/rootstock.json' with { type: 'json' }
import catalogEvents from '../../../../catalog/evm/events.json' with { type: 'json' }
import { AbiError, DecodeError } from '../errors.ts'
import { ChainFacts, EventFacts, eventsOf } from '../facts.ts'
import { bytesOf, type Hex, hexOf } from '../hex.ts'
import { keccakHex } from '../keccak.ts'
import { type AbiValue, decodeAbi } from './decode.ts'
import { createEventIndex } from './events.ts'
import { lendingOf, swapOf, transfersOf } from './meaning.ts'
import { parseSignature, parseType } from './types.ts'
import { readWord } from './words.ts'

const events = EventFacts.parse(catalogEvents)
const index = createEventIndex(eventsOf(events, ChainFacts.parse(rootstock)))

/** A value as the vectors write it. */
type Verbose = { type: string; value: string | boolean | Verbose[] }
const told = (value: AbiValue): unknown =>
  Array.isArray(value) ? value.map(told) : typeof value === 'bigint' ? value.toString() : value
const expected = ({ type, value }: Verbose): unknown => {
  if (Array.isArray(value)) return value.map(expected)
  return type === 'address' || type === 'hexstring' ? String(value).toLowerCase() : value
}

test('published vectors decode to their values', skipWithoutShared, () => {
  for (const { name, type, verbose, encoded } of recordedJson('vectors-abi.json.gz')) {
    const [value] = decodeAbi([parseType(type)], bytesOf(encoded))
    assert.deepEqual(told(value!), expected(verbose), name)
  }
})

/** First topics as block explorers and public decoders list them. */
const TOPICS: Record<string, string> = {
  'erc20.transfer': 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  'erc1155.transfer_single': 'c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  'erc1155.transfer_batch': '4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  'erc20.approval': '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  'wrapped.deposit': 'e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  'wrapped.withdrawal': '7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  'uniswap-v2.swap': 'd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  'uniswap-v2.pair_created': '0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
  'uniswap-v3.swap': 'c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  'uniswap-v3.pool_created': '783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
  'aave-v3.supply': '2b627736bca15cd5381dcf80b0bf11fd197d01a037c52b927a881a10fb73ba61',
  'aave-v3.withdraw': '3115d1449a7b732c986cba18244e897a450f61e1bb8d589cd2e69e6c8924f9f7',
  'aave-v3.liquidation': 'e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286',
  'compound-v2.mint': '4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
  'compound-v2.borrow': '13ed6866d4e1ee6da46f845c46d7e54120883d75c5ea9a2dacc1c4ca8984ab80',
  'compound-v2.repay': '1a2a22cb034d26d1854bdc6666a5b91fe25efbbb5dcad3b0355478d6f5c362a1',
}

test('the catalogue’s signatures have the topics that are known of them', () => {
  for (const [id, topic] of Object.entries(TOPICS)) {
    const { signature } = events.find(event => event.id === id)!
    assert.equal(keccakHex(parseSignature(signature).canonical), `0x${topic}`, id)
  }
})

test(
  'every Transfer of recorded blocks is read, and its meaning follows from how many arguments are indexed',
  skipWithoutShared,
  () => {
    const counts = new Map<string, number>()
    let first: unknown
    for (const { name, codec, answers } of recordedEvmBlocks)
      for (const { logs } of codec.readBlock(answers()).receipts ?? [])
        for (const log of logs) {
          const event = index.decode(log)
          if (event === null) continue
          counts.set(event.id, (counts.get(event.id) ?? 0) + 1)
          if (name === 'ethereum-18500000') first ??= transfersOf(event)[0]
          if (event.kind === 'swap') assert.ok(swapOf(event)!.amountIn > 0n && swapOf(event)!.amountOut > 0n)
        }
    assert.ok((counts.get('erc20.transfer') ?? 0) > 200, JSON.stringify([...counts]))
    assert.ok((counts.get('erc721.transfer') ?? 0) > 0 && (counts.get('uniswap-v3.swap') ?? 0) > 0)
    assert.ok((counts.get('uniswap-v2.swap') ?? 0) > 0)
    assert.ok(first !== undefined)
  },
)

test(
  'answers of real tokens to name, symbol, decimals and totalSupply are read, bytes32 and empty ones too',
  skipWithoutShared,
  () => {
    const answers = recordedLines('ethereum-eth_call-erc20.jsonl').filter(({ call }) =>
      call?.startsWith('eth_call'),
    )
    const texts = answers
      .filter(({ call }) => /0x06fdde03/.test(call))
      .map(({ answer }) => {
        const bytes = bytesOf(answer.result)
        return bytes.length === 32 ? 'bytes32' : decodeAbi([parseType('string')], bytes)[0]
      })
    assert.deepEqual(texts.toSorted(), ['', 'ETH\0\0\0', 'bytes32'].toSorted())
  },
)

const word = (value: bigint | number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
const data = (...words: (bigint | number)[]): Buffer => Buffer.from(words.map(word).join(''), 'hex')

test('text that is not UTF-8 keeps its place among the values, with a replacement character', () => {
  const wrong = 0xff63317178797an << 200n
  const text = '\ufffdc1qxyz'
  const cases: [string, Buffer, AbiValue][] = [
    ['string', data(32, 7, wrong), text],
    ['string[]', data(32, 2, 64, 128, 7, wrong, 1, 0x61n << 248n), [text, 'a']],
    ['(uint256 amount, string to)', data(32, 5000, 64, 7, wrong), [5000n, text]],
    ['(string to, uint8 n)[1]', data(32, 32, 64, 3, 7, wrong), [[text, 3n]]],
    // Half of a surrogate pair, a form that is too long, and a character cut off.
    ['string', data(32, 3, 0xeda080n << 232n), '\ufffd\ufffd\ufffd'],
    ['string', data(32, 2, 0xc0afn << 240n), '\ufffd\ufffd'],
    ['string', data(32, 2, 0x61e2n << 240n), 'a\ufffd'],
    ['string', data(32, 3, 0xefbbbfn << 232n), '\ufeff'],
  ]
  for (const [type, bytes, value] of cases)
    assert.deepEqual(decodeAbi([parseType(type)], bytes), [value], type)
})

test('an event whose user wrote wrong text keeps its amount', () => {
  const signature =
    'NewBitcoinTransfer(bytes32 indexed transferId, string btcAddress, uint256 nonce, uint256 amountSatoshi, uint256 feeSatoshi, address indexed rskAddress)'
  const index = createEventIndex([
    { id: 'made.out', kind: 'bridge_out', signature, roles: { amount: 'amountSatoshi', fee: 'feeSatoshi' } },
  ])
  const event = index.decode({
    address: `0x${'11'.repeat(20)}`,
    topics: [index.topics[0]!, `0x${word(1)}`, `0x${word(0xaa)}`],
    data: hexOf(data(128, 1, 5000, 10, 7, 0xff63317178797an << 200n)),
  })
  assert.deepEqual(event?.roles, { amount: 5000n, fee: 10n })
  assert.deepEqual([event?.args.nonce, event?.args.btcAddress], [1n, '\ufffdc1qxyz'])
})

test('input that no encoder makes is refused with its place', () => {
  const refusals: [string, Buffer, RegExp][] = [
    ['uint256', Buffer.alloc(31), /end inside a value: 32 needed at 0/],
    ['uint8', data(256), /does not fit into 8 bits/],
    ['int8', data(128), /signed number does not fit into 8 bits/],
    ['bool', data(2), /does not fit into 1 bits/],
    ['address', data(1n << 160n), /word for an address is too large/],
    ['bytes', data(64), /reaches beyond the end|end inside/],
    ['bytes', data(32, 1n << 255n), /too large/],
    ['bytes', data(32, 33, 0), /length of 33 reaches beyond the end/],
    ['uint256[]', data(32, 3, 1, 2), /list of 3 cannot fit|length of 3/],
    ['uint256[][]', data(32, 8, ...Array(8).fill(256), 8, ...Array(8).fill(7)), /share their bytes/],
  ]
  for (const [type, bytes, words] of refusals)
    assert.throws(
      () => decodeAbi([parseType(type)], bytes),
      (thrown: unknown) => {
        assert.ok(thrown instanceof DecodeError, `${type}: ${thrown}`)
        assert.match(thrown.message, words, type)
        assert.equal(typeof thrown.facts.offset, 'number')
        return true
      },
    )
})

test('a few words cannot claim more values than they hold', () => {
  // Every list of 200 points at the same list of 200: 200⁵ values from 32 kB, more than any memory holds.
  const level = (at: number): (bigint | number)[] => [200, ...Array(200).fill(at)]
  const levels = Array.from({ length: 4 }, () => level(200 * 32)).flat()
  const bytes = data(32, ...levels, ...level(5))
  assert.throws(() => decodeAbi([parseType('uint256[][][][][]')], bytes), {
    constructor: DecodeError,
    message: /The values share their bytes/,
  })
})

test('signatures that are none are refused with their place', () => {
  for (const text of [
    'Transfer',
    'Transfer(',
    'T(uint7)',
    'T(uint264)',
    'T(bytes33)',
    'T(uint[0])',
    'T(address a,)',
    'T() x',
    'T(())',
    '',
  ])
    assert.throws(() => parseSignature(text), AbiError, text)
  assert.equal(
    parseSignature('event T(tuple(uint a, int[2][] b) indexed x)').canonical,
    'T((uint256,int256[2][]))',
  )
  assert.equal(parseSignature('function f(bytes memory data, function g)').canonical, 'f(bytes,bytes24)')
})

test('an event that is not what its signature promises stays unread', () => {
  const [transfer] = events
  const topic = keccakHex(parseSignature(transfer!.signature).canonical)
  const party = `0x${'00'.repeat(12)}${'11'.repeat(20)}` as Hex
  const log = {
    address: `0x${'22'.repeat(20)}` as Hex,
    topics: [topic, party, party],
    data: `0x${word(5)}` as Hex,
  }
  const [moved] = transfersOf(index.decode(log)!)
  assert.deepEqual(moved, {
    standard: 'erc20',
    token: log.address,
    from: `0x${'11'.repeat(20)}`,
    to: `0x${'11'.repeat(20)}`,
    tokenId: null,
    amount: 5n,
  })
  assert.equal(index.decode({ ...log, data: '0x' }), null)
  assert.equal(index.decode({ ...log, topics: [topic, party] }), null)
  assert.equal(index.decode({ ...log, topics: [] }), null)
  assert.equal(index.decode({ ...log, topics: [topic, `0x${'ff'.repeat(32)}`, party] }), null)
})

test('Rootstock’s bridge is read at its own address alone', () => {
  const topics = [
    keccakHex('pegin_btc(address,bytes32,int256,int256)'),
    `0x${'00'.repeat(12)}${'11'.repeat(20)}`,
    `0x${'ab'.repeat(32)}`,
  ] as Hex[]
  const log = {
    address: '0x0000000000000000000000000000000001000006' as Hex,
    topics,
    data: `0x${word(500_000)}${word(1)}` as Hex,
  }
  const event = index.decode(log)
  assert.equal(event?.id, 'rootstock.powpeg.pegin_btc')
  assert.equal(event?.kind, 'bridge_in')
  assert.deepEqual(event?.roles, { account: `0x${'11'.repeat(20)}`, amountSat: 500_000n })
  assert.equal(index.decode({ ...log, address: `0x${'33'.repeat(20)}` }), null)
})

test('a trade says what went in and out, whichever way the exchange writes it', () => {
  const event = (id: string, args: (bigint | number)[], topics: (bigint | number)[]) => {
    const { signature } = events.find(one => one.id === id)!
    return index.decode({
      address: `0x${'44'.repeat(20)}`,
      topics: [
        keccakHex(parseSignature(signature).canonical),
        ...topics.map(topic => `0x${word(topic)}` as Hex),
      ],
      data: `0x${args.map(word).join('')}`,
    })!
  }
  const v2 = swapOf(event('uniswap-v2.swap', [100, 0, 0, 250], [1, 2]))
  assert.deepEqual([v2?.amountIn, v2?.amountOut, v2?.inIsToken0], [100n, 250n, true])
  const v3 = swapOf(event('uniswap-v3.swap', [-7, 9, 1, 1, -5], [1, 2]))
  assert.deepEqual([v3?.amountIn, v3?.amountOut, v3?.inIsToken0], [9n, 7n, false])
  const sellY = event('izumi.swap_y', [0, 30, 40], [1, 2, 3000])
  assert.equal(sellY.id, 'izumi.swap_y')
  assert.deepEqual([swapOf(sellY)?.amountIn, swapOf(sellY)?.amountOut], [40n, 30n])
  const repaid = lendingOf(event('aave-v3.repay', [12, 0], [1, 2, 3]))
  assert.deepEqual([repaid?.action, repaid?.amount, repaid?.asset], ['repay', 12n, `0x${'00'.repeat(19)}01`])
  const batch = event('erc1155.transfer_batch', [64, 160, 2, 7, 8, 2, 70, 80], [1, 2, 3])
  assert.deepEqual(
    transfersOf(batch).map(({ tokenId, amount }) => [tokenId, amount]),
    [
      [7n, 70n],
      [8n, 80n],
    ],
  )
})

test('of two definitions of an event, the one for named contracts is taken, in whichever order they come', () => {
  const emitter: Hex = `0x${'11'.repeat(20)}`
  const other: Hex = `0x${'22'.repeat(20)}`
  const signature = 'Moved(uint256 amount)'
  const general = { id: 'general', kind: 'transfer', signature, roles: {} } as const
  const named = { id: 'named', kind: 'transfer', signature, roles: {}, emitters: [emitter] } as const
  const logOf = (address: Hex) => ({
    address,
    topics: [keccakHex(parseSignature(signature).canonical)],
    data: hexOf(data(5n)),
  })
  for (const definitions of [
    [general, named],
    [named, general],
  ]) {
    const both = createEventIndex(definitions)
    assert.deepEqual(
      [emitter, other].map(address => both.decode(logOf(address))?.id),
      ['named', 'general'],
    )
  }
  assert.throws(() => createEventIndex([general, general]), AbiError)
})

test('a signature without a name is none', () => {
  for (const text of ['(uint256 a)', 'event (uint256 a)', ''])
    assert.throws(() => parseSignature(text), AbiError, text)
})

test('a word read where it stands is what the decoder reads of its bytes, or is refused alike', () => {
  const types = [
    'uint256',
    'uint8',
    'uint24',
    'uint128',
    'uint160',
    'int256',
    'int24',
    'int128',
    'address',
    'bool',
    'bytes32',
    'bytes4',
  ]
  const edges = types.flatMap(() => [
    0n,
    1n,
    2n,
    255n,
    256n,
    -1n,
    -8_388_608n,
    -8_388_609n,
    1n << 127n,
    1n << 128n,
    (1n << 160n) - 1n,
    1n << 160n,
    -(1n << 255n),
  ])
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
      (text, value) => {
        const type = parseType(text)
        const bytes = data(value)
        let expected: AbiValue | undefined
        try {
          expected = decodeAbi([type], bytes)[0]
        } catch (thrown) {
          assert.ok(thrown instanceof DecodeError)
        }
        assert.deepEqual(readWord(type, `ab${bytes.toString('hex')}`, 2), expected)
      },
    ),
    { numRuns: 3000 },
  )
})

test('any bytes decode or are refused, for any type', () => {
  const types = [
    '(string,uint8[2],bytes)[]',
    'bytes32[][3]',
    '(address,bool,int128)',
    'string',
    '(bytes,(uint256[],string))',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.uint8Array({ maxLength: 400 }),
      fc.array(fc.nat(12), { maxLength: 12 }),
      (text, noise, words) => {
        const bytes = noise.length % 2 === 0 ? noise : data(...words.map(value => value * 32))
        try {
          decodeAbi([parseType(text)], bytes)
        } catch (thrown) {
          assert.ok(thrown instanceof DecodeError, String(thrown))
        }
      },
    ),
    { numRuns: 3000 },
  )
})
