/** A Stacks transaction would be described by a wrong sentence or a misleading token name. */
import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { CATALOG_DIR, copyCatalog } from '#catalog/testing.ts'
import { type ClarityValue, openStacksCodec, parseRepr } from '#chains/stacks/index.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import cases from './cases.fixture.json' with { type: 'json' }
import { readSentences, type Sentences } from './index.ts'
import type { Move } from './moves.ts'
import { recordedSays } from './recorded.fixture.ts'

/** Who sends in all cases. */
const SENDER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
const STRANGER = `${SENDER}.my-token`

let sentences: Sentences
before(async () => {
  sentences = await readSentences(CATALOG_DIR)
})

const valueIn = (repr: string): ClarityValue => parseRepr(repr) ?? assert.fail(`no value: ${repr}`)

type Case = {
  contract: string
  call?: string
  print?: string
  args?: string[]
  value?: string
  moves?: Move[] | null
  isSuccess?: boolean | null
  failed?: { status: string; resultRepr: string; vmError: string }
  says: string
}

/**
 * Calls and prints of every protocol of the catalogue, as the interfaces of their contracts say them; amounts and order of the
 * arguments were held against the sources of the contracts by hand.
 */
test('calls and prints of every protocol read as a sentence', () => {
  for (const { contract, call, print, args, value, moves, isSuccess, failed, says } of cases as Case[]) {
    const said =
      call === undefined
        ? sentences.print({ contract, event: print ?? '', value: valueIn(value ?? '') })
        : sentences.call({
            contract,
            functionName: call,
            args: (args ?? []).map(valueIn),
            sender: SENDER,
            isSuccess: isSuccess ?? null,
            moves: moves ?? null,
            ...(failed && { failed }),
          })
    assert.equal(said.text, says, `${contract} ${call ?? print}`)
    assert.equal(said.parts.map(({ text }) => text).join(''), said.text)
  }
})

test('recorded calls of the main network read as a sentence', skipWithoutShared, () => {
  const codec = openStacksCodec()
  const vectors = [
    ...stacksVectors<StacksVector<unknown>>('tx-mainnet-decoded'),
    ...stacksVectors<StacksVector<unknown>>('tx-mainnet-version-misc'),
  ]
  const said = new Map<string, string>()
  for (const { input } of vectors) {
    const { txid, auth, payload } = codec.decodeTransaction(bytesOfHex(input))
    if (payload.kind !== 'contract_call') continue
    const { contract, functionName, args } = payload
    const { text } = sentences.call({
      contract,
      functionName,
      args,
      sender: auth.origin.address,
      isSuccess: null,
      moves: null,
    })
    said.set(txid, text)
  }
  for (const [txid, says] of recordedSays) assert.equal(said.get(txid), says, txid)
})

test('every function that the catalogue has a pattern for is one of its contracts, with its arguments', async () => {
  const { contracts } = JSON.parse(await readFile(join(CATALOG_DIR, 'stacks/contracts.json'), 'utf8'))
  const known = Object.keys(contracts)
  const unknown: string[] = []
  for (const file of [
    'alex',
    'arkadiko',
    'bitflow',
    'granite',
    'hermetica',
    'lisa',
    'stacking-dao',
    'velar',
    'zest',
  ]) {
    const facts = JSON.parse(await readFile(join(CATALOG_DIR, `stacks/sentences/${file}.json`), 'utf8'))
    for (const key of Object.keys(facts.calls)) {
      const [, family = '', name = '', args = ''] = /^([\w-]+)\.([^(]+)\((.*)\)$/.exec(key) ?? []
      const fits = (pattern: string, id: string) => {
        const [head = '', tail] = pattern.split('*')
        return tail === undefined ? head === id : id.startsWith(head) && id.endsWith(tail)
      }
      const own = known.filter(id => facts.contracts[family].some((one: string) => fits(one, id)))
      const count = args.split(' ').filter(Boolean).length
      if (!own.some(id => sentences.argNames(id, name, count)?.join(' ') === args))
        unknown.push(`${file} ${key}`)
    }
  }
  assert.deepEqual(unknown, [])
})

const transferOf = (memo: string, contract = STRANGER) =>
  sentences.call({
    contract,
    functionName: 'transfer',
    args: [valueIn('u5'), valueIn(`'${SENDER}`), valueIn(`'${SENDER}.x`), valueIn(memo)],
    sender: SENDER,
    isSuccess: true,
    moves: null,
  }).text

test('what strangers write stays text: marks that turn it around are shown, and what is long is cut', () => {
  const hostile = Buffer.from('<script>\u202egnp.exe', 'utf8').toString('hex')
  assert.equal(
    transferOf(`(some 0x${hostile})`),
    'Sent 5 base units of my-token to SP2J6…V9EJ7.x with the memo “<script>�gnp.exe”',
  )
  const long = sentences.call({
    contract: STRANGER,
    functionName: 'shout',
    args: [{ type: 'string-utf8', value: '😀'.repeat(100_000) }],
    sender: SENDER,
    isSuccess: true,
    moves: null,
  })
  assert.ok([...long.text].length < 140, `${[...long.text].length} characters`)
})

test('a token that uses the symbol of another is named with whose it is, however it is spelled', () => {
  const tellsOf = (symbol: string) => {
    const tokens = sentences.tokens.with([{ contract: STRANGER, symbol, decimals: 2 }])
    return sentences.call({
      contract: STRANGER,
      functionName: 'transfer',
      args: [valueIn('u500'), valueIn(`'${SENDER}`), valueIn(`'${SENDER}`), valueIn('none')],
      sender: SENDER,
      isSuccess: true,
      moves: null,
      tokens,
    }).text
  }
  assert.equal(tellsOf('MINE'), 'Sent 5 MINE to SP2J6…V9EJ7')
  for (const symbol of ['sBTC', 'SBTC', 's​BTC', 'ѕВТС'])
    assert.match(tellsOf(symbol), /^Sent 5 “.*” of SP2J6….*\.my-token to/, symbol)
})

test('a call whose arguments are of no type that its pattern expects is still told', () => {
  const wrong = sentences.call({
    contract: 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.xyk-core-v-1-2',
    functionName: 'swap-x-for-y',
    args: [1, 2, 3, 4, 5].map(() => valueIn('none')),
    sender: SENDER,
    isSuccess: null,
    moves: null,
  })
  assert.equal(wrong.from, 'name')
  assert.match(wrong.text, /^Swap x for y on SM179….*xyk-core-v-1-2: pool none, x token none/)
})

/** A change that makes a file of sentences wrong, and the words that tell so. */
const FAULTS: readonly (readonly [key: string, pattern: string, told: RegExp])[] = [
  ['nowhere.swap(a)', 'swap {n a}', /is of "nowhere", and contracts has/],
  ['router.swap(a)', 'swap {n b}', /speaks of "b", and the arguments are a/],
  ['router.swap(a)', 'swapp {n a}', /has the verb "swapp"/],
  ['router.swap(a)', 'swap {much a}', /has the kind "much", and there are/],
  ['router.swap(a)', 'swap [{n a}', /has a "\[" without its "\]"/],
  ['router.swap(a)', 'swap {n a', /has a "\{" without its "\}"/],
  ['router.swap(a)', 'swap {amount a}', /needs a token/],
]

test('a file of sentences that cannot be read is told with file, field and reason', async () => {
  await using copy = await copyCatalog()
  await cp(join(CATALOG_DIR, 'stacks'), join(copy.dir, 'stacks'), { recursive: true })
  const path = join(copy.dir, 'stacks/sentences/velar.json')
  const whole = await readFile(path, 'utf8')
  for (const [key, pattern, told] of FAULTS) {
    const facts = JSON.parse(whole)
    facts.calls[key] = pattern
    await writeFile(path, JSON.stringify(facts))
    await assert.rejects(readSentences(copy.dir), { code: 'catalog.invalid', message: told })
  }
  await writeFile(path, JSON.stringify({ ...JSON.parse(whole), contracts: { router: ['no contract'] } }))
  await assert.rejects(readSentences(copy.dir), /velar\.json, contracts\.router\.0: must be a contract/)
})
