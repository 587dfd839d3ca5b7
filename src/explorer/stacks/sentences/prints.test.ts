/** Events of Stacks contracts would read wrongly, or a stranger’s event would pass for a known one. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readStacksApps, type StacksApp } from '#catalog/index.ts'
import { CATALOG_DIR } from '#catalog/testing.ts'
import {
  type ClarityType,
  type ClarityValue,
  encodeAddress,
  parsePrintCatalogue,
  recognisePrint,
} from '#chains/stacks/index.ts'
import prints from '../../../../catalog/stacks/prints.json' with { type: 'json' }
import { readSentences, type Sentence, type Sentences } from './index.ts'

const SBTC = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token'
const AMOUNT = 123_456_789n
const personOf = (name: string): string =>
  encodeAddress(22, Buffer.alloc(20, [...name].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 251))

let sentences: Sentences
let apps: readonly StacksApp[]
before(async () => {
  ;[sentences, apps] = await Promise.all([readSentences(CATALOG_DIR), readStacksApps(CATALOG_DIR)])
})

/** A value of a type: a field that names a token has sBTC, any other principal is a person by the name of the field. */
function madeOf(type: ClarityType, name = ''): ClarityValue {
  switch (type.type) {
    case 'uint':
    case 'int':
      return { type: type.type, value: AMOUNT }
    case 'unknown':
      return { type: 'uint', value: AMOUNT }
    case 'bool':
      return { type: 'bool', value: true }
    case 'principal':
    case 'trait':
      return { type: 'principal', value: /token|asset/.test(name) ? SBTC : personOf(name) }
    case 'buffer':
      return { type: 'buffer', value: Buffer.from('ab') }
    case 'string-ascii':
    case 'string-utf8':
      return { type: type.type, value: 'x' }
    case 'optional':
      return { type: 'optional', value: madeOf(type.inner, name) }
    case 'list':
      return { type: 'list', items: [] }
    case 'tuple':
      return {
        type: 'tuple',
        fields: type.fields.map(field => ({ name: field.name, value: madeOf(field.type, field.name) })),
      }
    case 'response':
      return { type: 'response', isOk: true, value: madeOf(type.ok, name) }
  }
}

/** The value with a text at a path; a print that is no tuple is the text. */
function put(value: ClarityValue, [name, ...rest]: readonly string[], text: string): ClarityValue {
  if (value.type !== 'tuple') return { type: 'string-ascii', value: text }
  const fields = value.fields.map(field => {
    if (field.name !== name) return field
    const isUtf8 = field.value.type === 'string-utf8'
    return {
      name,
      value:
        rest.length > 0
          ? put(field.value, rest, text)
          : ({ type: isUtf8 ? 'string-utf8' : 'string-ascii', value: text } as const),
    }
  })
  return { type: 'tuple', fields }
}

function checkSentence(said: Sentence, of: string): void {
  // Patterns may begin with a name or an amount.
  assert.match(said.text, said.from === 'pattern' ? /^["“\d\p{L}]/u : /^\p{Lu}/u, `${of}: ${said.text}`)
  assert.doesNotMatch(said.text, /undefined|null| {2}|^Printed|\(tuple|: *$/, `${of}: ${said.text}`)
}

test('every print that the catalogue knows from the source of its contract reads as a sentence', () => {
  const shapes = parsePrintCatalogue(prints)
  const untold: string[] = []
  let count = 0
  for (const [contract, listed] of shapes)
    for (const { functionName, type, literals } of listed) {
      count += 1
      let value = madeOf(type)
      for (const { path, text } of literals) value = put(value, path, text)
      const known = recognisePrint(value, listed)
      const of = `${contract} ${functionName}`
      // Some types are wider than any value of ours: then the names of the source speak.
      const event = known?.topic ?? literals[0]?.text ?? ''
      const functionNames = known?.functionNames ?? [functionName]
      const said = sentences.print({ contract, event, functionNames, value })
      checkSentence(said, of)
      if (said.from === 'generic') untold.push(of)
    }
  assert.equal(shapes.size, 415)
  assert.ok(count > 1_800, `${count} prints`)
  assert.deepEqual(untold, [])
})

test('every print that an application’s file reads is a sentence', () => {
  let count = 0
  const check = (contract: string, event: string, paths: readonly string[]): void => {
    count += 1
    const value = paths.reduce(
      (tuple, path) => grown(tuple, path.split('.')),
      grown({ type: 'tuple', fields: [] }, ['action'], event),
    )
    const said = sentences.print({ contract, event, functionNames: ['execute'], value })
    checkSentence(said, `${contract} ${event}`)
    assert.notEqual(said.from, 'generic', `${contract} ${event}`)
  }
  for (const { exchange, events } of apps) {
    for (const { contracts, kinds } of events)
      for (const contract of contracts)
        for (const { event, fields } of kinds) check(contract, event, Object.values(fields))
    for (const { contracts, begins, events: ofSource } of exchange?.sources ?? [])
      for (const contract of [...contracts, ...begins.map(start => `${start}0001`)])
        for (const [event, { fields }] of Object.entries(ofSource))
          check(contract, event, Object.values(fields).flat())
  }
  assert.ok(count > 200, `${count} prints`)
})

/** A tuple with a number, or a text, at a path. */
function grown(value: ClarityValue, [name = '', ...rest]: readonly string[], text?: string): ClarityValue {
  const fields = value.type === 'tuple' ? value.fields : []
  const before = fields.find(field => field.name === name)?.value ?? { type: 'tuple', fields: [] }
  const leaf: ClarityValue =
    text === undefined ? { type: 'uint', value: AMOUNT } : { type: 'string-ascii', value: text }
  const grownField = { name, value: rest.length > 0 ? grown(before, rest, text) : leaf }
  return { type: 'tuple', fields: [...fields.filter(field => field.name !== name), grownField] }
}

const GRANITE_STATE = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA.state-v1'
const BITFLOW_CORE = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.xyk-core-v-1-2'

const tuple = (fields: Readonly<Record<string, ClarityValue>>): ClarityValue => ({
  type: 'tuple',
  fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
})
const uint = (value: bigint): ClarityValue => ({ type: 'uint', value })
const principal = (value: string): ClarityValue => ({ type: 'principal', value })
const say = (contract: string, event: string, value: ClarityValue): string =>
  sentences.print({ contract, event, value }).text

test('amounts stand in the tokens that a print names, and who had a part in it is told', () => {
  const [alice, bob] = [personOf('alice'), personOf('bob')]
  const short = (address: string): string => `${address.slice(0, 5)}…${address.slice(-5)}`
  assert.equal(
    say(
      'SP1S1HSFH0SQQGWKB69EYFNY0B1MHRMGXR3J1FH4D.reserve-fund-hbtc-v1',
      'transfer',
      tuple({
        user: principal(alice),
        recipient: principal(bob),
        asset: principal(SBTC),
        amount: uint(AMOUNT),
      }),
    ),
    `Transferred 1.23456789 sBTC to ${short(bob)} on SP1S1…1FH4D.reserve-fund-hbtc-v1, by ${short(alice)}`,
  )
  // Two amounts find their tokens by the letter that both have.
  assert.match(
    say(
      BITFLOW_CORE,
      'reconcile-pool',
      tuple({
        'x-token': principal(SBTC),
        'y-token': principal('SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.token-alex'),
        'x-amount': uint(AMOUNT),
        dy: uint(AMOUNT),
      }),
    ),
    /^Reconciled pool on Bitflow: x amount 1\.23456789 sBTC, dy 1\.23456789 ALEX$/,
  )
  // What went into the reserve of a lender is not in the lender’s own shares, though its contract is their token.
  assert.match(
    say(GRANITE_STATE, 'deposit-to-reserve', tuple({ amount: uint(5_000_000n) })),
    /^Deposited to reserve on Granite: amount 5,000,000$/,
  )
  assert.equal(say(GRANITE_STATE, 'liquidity-added', tuple({})), 'Liquidity was added on Granite')
  assert.equal(say(GRANITE_STATE, 'proposal-expired', tuple({})), 'Proposal expired on Granite')
  assert.equal(say(GRANITE_STATE, 'claim-not-found', tuple({})), 'Claim was not found on Granite')
})

test('a print of a stranger shows its event and its fields, and claims nothing', () => {
  const stranger = `${personOf('stranger')}.token`
  const value = tuple({ amount: uint(5n), token: principal(SBTC) })
  const said = sentences.print({ contract: stranger, event: 'mint', functionNames: [], value })
  assert.equal(said.from, 'generic')
  assert.match(said.text, /^Printed mint: amount 5, token /)
})
