/** Two pages would show different values of the same figure. */
import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { ask } from '#metrics/ask.ts'
import { aPart } from '#tests/aPart.ts'
import { type OpenPages, openPages, type PageAnswer } from './openPages.ts'
import { contractsOf, type PageParts, pageParts, tabsOf } from './pageParts.ts'
import { faultText } from './rule.ts'
import { RULES } from './rules/index.ts'

/** Layers, treasuries and tabs beyond a page's first are many and alike: a run reads a part of them, a drill all. */
const FEW = 4

/** Pages without a range show a year. These are read at the other ranges too; each has figures that end on other days. */
const OF_OTHER_RANGES = ['/', '/bitcoin', '/contractsdeployed', '/stacks/stacking', '/tvl']
const OTHER_RANGES = ['7d', '30d', '90d', 'max']
/** Pages whose charts have histories of very different lengths. Of all others a run reads a part over the whole history. */
const OF_MAX = ['/analyze/bitcoin-treasuries', '/rootstock', '/stacks/defi']

describe('figures of every page', () => {
  let opened: OpenPages
  let pages: readonly PageParts[]
  before(async () => {
    // The clock stands still: pages read before midnight would be checked against the day after it.
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    opened = await openPages()
    const addresses = await opened.addresses()
    const isOne = (address: string): boolean => address.split('/').length > 3
    const mains = await readAll(addresses.filter(address => !isOne(address)))
    const tabs = mains.flatMap(answer => tabsOf(answer).map(tab => `${answer.address}?tab=${tab}`))
    const contracts = [...new Set(mains.flatMap(contractsOf))]
    const ranges = OF_OTHER_RANGES.flatMap(page => OTHER_RANGES.map(range => `${page}?range=${range}`))
    const ofMains = mains.map(pageParts)
    const charted = ofMains.filter(({ plots }) => plots.length > 1).map(({ address }) => address)
    const isNamed = (address: string): boolean => [...OF_MAX, ...OF_OTHER_RANGES].includes(address)
    const others = await readAll([
      ...ranges,
      ...[
        ...OF_MAX,
        ...aPart(
          charted.filter(address => !isNamed(address)),
          FEW,
        ),
      ].map(address => `${address}?range=max`),
      ...aPart([...tabs, ...contracts, ...addresses.filter(isOne)], FEW),
    ])
    pages = [...ofMains, ...others.map(pageParts)]
  })
  after(async () => {
    await opened?.[Symbol.asyncDispose]()
    mock.timers.reset()
  })

  async function readAll(addresses: readonly string[]): Promise<PageAnswer[]> {
    const answers: PageAnswer[] = []
    for (const address of addresses) answers.push(await opened.read(address))
    return answers
  }

  test('there are pages with figures and charts', () => {
    assert.ok(pages.flatMap(({ kpis }) => kpis).length > 50)
    assert.ok(pages.flatMap(({ plots }) => plots).length > 50)
  })

  for (const rule of RULES)
    test(`every page ${rule.name}`, async () => {
      const { site } = opened
      const faults = await rule.check(pages, {
        api: site.apiFor({ address: 'test' }),
        today: new Date().toISOString().slice(0, 10),
        rows: (sql, parameters) => ask(site.warehouse.reader, sql, parameters),
      })
      assert.deepEqual(faults.map(faultText), [])
    })
})
