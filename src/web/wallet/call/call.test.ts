/** A contract call would send other arguments than the user typed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cvToHex, deserializeCV } from '@stacks/transactions'
import fc from 'fast-check'
import { parseType, typeText } from '#kernel/clarityType.ts'
import { rejectionIn } from '#kernel/stacksRejections.ts'
import { hexOf } from '../clarity.ts'
import { argumentOf, type Draft, draftOf, type Faults } from './drafts.ts'
import { limitsOf, newLimit, ustxOf } from './limits.ts'

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
const text = (typed: string): Draft => ({ kind: 'text', text: typed })
const read = (type: string, draft: Draft) => {
  const faults: Faults = new Map()
  return { value: argumentOf(parseType(type), draft, '0', faults), faults: [...faults] }
}
const refused = (type: string, typed: string) => read(type, text(typed)).faults[0]?.[1] ?? 'taken'

test('what is typed becomes the value of its type, as the library of Stacks reads it', async () => {
  const cases: readonly (readonly [string, Draft, string])[] = [
    ['uint', text(' 340282366920938463463374607431768211455 '), 'u340282366920938463463374607431768211455'],
    ['int', text('-170141183460469231731687303715884105728'), '-170141183460469231731687303715884105728'],
    ['bool', { kind: 'choice', choice: 'false', inner: {} }, 'false'],
    ['principal', text(ADDRESS), `'${ADDRESS}`],
    ['trait_reference', text(`${ADDRESS}.pool-v2`), `'${ADDRESS}.pool-v2`],
    ['(buff 4)', text('0x00FF'), '0x00ff'],
    ['(buff 4)', text('0x'), '0x'],
    ['(string-utf8 2)', text('₿💡'), 'u"₿💡"'],
  ]
  for (const [type, draft, shown] of cases) {
    const { value, faults } = read(type, draft)
    assert.deepEqual(faults, [], `${type} ${JSON.stringify(draft)}`)
    assert.ok(value)
    const { Cl } = await import('@stacks/transactions')
    assert.equal(Cl.stringify(deserializeCV(await hexOf(value))), shown)
  }
})

test('values within values keep their places: a list of tuples, an optional, a response', async () => {
  const type = '(list 2 (tuple (to principal) (memo (optional (buff 2))) (end (response uint bool))))'
  const item = (memo: Draft): Draft => ({
    kind: 'tuple',
    fields: {
      to: text(ADDRESS),
      memo,
      end: { kind: 'choice', choice: 'ok', inner: { ok: text('7') } },
    },
  })
  const some = (typed: string): Draft => ({ kind: 'choice', choice: 'some', inner: { some: text(typed) } })
  const list = (...items: Draft[]): Draft => ({ kind: 'list', items })
  const { value, faults } = read(
    type,
    list(item({ kind: 'choice', choice: 'none', inner: {} }), item(some('0a'))),
  )
  assert.deepEqual(faults, [])
  assert.ok(value)
  const { Cl } = await import('@stacks/transactions')
  assert.equal(
    await hexOf(value),
    cvToHex(
      Cl.list(
        [Cl.none(), Cl.some(Cl.bufferFromHex('0a'))].map(memo =>
          Cl.tuple({ to: Cl.principal(ADDRESS), memo, end: Cl.ok(Cl.uint(7)) }),
        ),
      ),
    ),
  )
  assert.deepEqual(read(type, list(item(some('0a')), item(some('0a0b0c')))).faults, [
    ['0.1.memo', '3 bytes; at most 2 fit.'],
  ])
  assert.deepEqual(read(type, list(item(some('')), item(some('0a')), item(some('0a')))).faults, [
    ['0', 'At most 2 items fit.'],
  ])
})

test('input that fits no value of its type is refused in a sentence', () => {
  assert.match(refused('uint', ''), /Needed: a whole number, 0 or above/)
  assert.match(refused('uint', '-1'), /no whole number from 0/)
  assert.match(refused('uint', '1.5'), /no whole number from 0/)
  assert.match(refused('uint', '340282366920938463463374607431768211456'), /2\^128/)
  assert.match(refused('int', '170141183460469231731687303715884105728'), /2\^127/)
  assert.match(refused('principal', `${ADDRESS.slice(0, -1)}8`), /mistyped/)
  assert.match(refused('principal', 'ST000000000000000000002AMW42H'), /test network/)
  assert.match(refused('principal', 'bc1qxy'), /no Stacks address/)
  assert.match(refused('principal', `${ADDRESS}.1st`), /name of the contract/)
  assert.match(refused('trait_reference', ADDRESS), /A contract is needed/)
  assert.match(refused('(buff 1)', '0x0'), /hex/)
  assert.match(refused('(buff 1)', ''), /0x for none/)
  assert.match(refused('(buff 1)', '0x0001'), /at most 1 fit/)
  assert.match(refused('(string-ascii 9)', 'é'), /ASCII/)
  assert.match(refused('(string-ascii 2)', 'abc'), /at most 2 fit/)
  assert.match(refused('?', 'x'), /does not specify/)
  assert.deepEqual(read('bool', draftOf({ type: 'bool' })).faults, [['0', 'Choose true or false.']])
})

test('any uint that is typed is that uint, and any text of a type is the type', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), n =>
      assert.deepEqual(read('uint', text(String(n))).value, { type: 'uint', value: n }),
    ),
  )
  for (const type of ['(tuple (a uint) (b (list 3 (optional bool))))', '(response trait_reference ?)'])
    assert.equal(typeText(parseType(type)), type)
})

test('amounts of STX are exact, and post-conditions name who, what and how much', () => {
  assert.equal(ustxOf('1.000001'), 1_000_001n)
  assert.equal(ustxOf('340282366920938'), 340_282_366_920_938_000_000n)
  for (const typed of ['', '1.0000001', '-1', '1e6', '.5']) assert.throws(() => ustxOf(typed), /STX/)
  const faults: Faults = new Map()
  const contract = `${ADDRESS}.pool`
  const asset = `${contract}::lp`
  const limits = limitsOf(
    [
      { ...newLimit(1), amount: '2' },
      { ...newLimit(2), from: 'contract', of: 'token', is: 'at least', asset, amount: '5' },
      { ...newLimit(3), from: 'other', other: ADDRESS, of: 'NFT', asset, amount: '9' },
    ],
    contract,
    faults,
  )
  assert.deepEqual(limits, [
    { of: 'STX', from: null, is: 'at most', amount: 2_000_000n },
    { of: 'token', from: contract, asset, is: 'at least', amount: 5n },
    { of: 'NFT', from: ADDRESS, asset, id: 9n },
  ])
  assert.deepEqual([...faults], [])
  const wrong = { ...newLimit(4), from: 'other', other: 'me', of: 'token', asset: 'lp', amount: 'x' } as const
  assert.equal(limitsOf([wrong], contract, faults), undefined)
  assert.deepEqual([...faults.keys()], ['limit.4.other', 'limit.4.amount', 'limit.4.asset'])
  // Names that are typed have under 128 characters, those of contracts too.
  const tokenOf = (named: string) => {
    const told: Faults = new Map()
    limitsOf([{ ...newLimit(5), of: 'token', asset: named, amount: '1' }], contract, told)
    return told.get('limit.5.asset')
  }
  const [longest, longer] = ['a'.repeat(127), 'a'.repeat(128)]
  for (const named of [`${contract}::${longest}`, `${ADDRESS}.${longest}::lp`])
    assert.equal(tokenOf(named), undefined)
  for (const named of [`${contract}::${longer}`, `${ADDRESS}.${longer}::lp`, `${contract}::1lp`])
    assert.match(tokenOf(named) ?? '', /under 128/)
})

test('a reason is found among the words of a wallet', () => {
  assert.equal(
    rejectionIn('Leather refused: transaction rejected (ConflictingNonceInMempool)'),
    'ConflictingNonceInMempool',
  )
  assert.equal(rejectionIn('{"error":"x","reason":"NotEnoughFunds"}'), 'NotEnoughFunds')
  assert.equal(rejectionIn('Leather refused: no reason given'), undefined)
  // A newer node names reasons that this list does not have.
  assert.equal(rejectionIn('{"error":"transaction rejected","reason":"SomethingNew"}'), 'SomethingNew')
  assert.equal(rejectionIn('Leather refused: transaction rejected (SomethingNew)'), 'SomethingNew')
  assert.equal(rejectionIn('{"reason":"<b>hostile</b>"}'), undefined)
})
