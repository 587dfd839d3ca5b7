/** Tables and traces on Stacks pages would not work in a browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { ALICE } from '#explorer/stacks/sbtc/madeSbtc.testing.ts'
import type { BalancesAnswer, StacksAddressDetail, StacksTableAnswer } from '#http/contract.ts'
import { btcCell, exactStx, exactUnits, grouped } from '#web/format/figure.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

const SIP031 = '/stacks/sip-031'
/** Of the recorded blocks: who paid and called in the first years, and a miner of Bitcoin. */
const PASTED = ['SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC', ALICE, '12cbQLTFMXRnSzktFkuoG3eHoMeFtpTvS3']

describe('what a reader does on the pages of Stacks', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  test('coins of SIP-031 are followed from an outflow to an address, and from there to the next', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    const { rows } = await site.ask<StacksTableAnswer>('/stacks/tables/sip031-outflows')
    // Who got coins of the endowment and gave some on.
    const givers = new Set(rows.map(({ account }) => account))
    const first = rows.find(({ direction, recipient }) => direction === 'no' && givers.has(recipient ?? null))
    assert.ok(first, 'no account got coins and gave some on')
    const [from, to] = [String(first.account), String(first.recipient)]

    await page.goto(`${site.url}${SIP031}?sip031-outflows.filter=${to}`)
    await settle(page)
    await page
      .locator('#sip031-outflows tbody tr')
      .filter({ has: page.getByTitle(String(first.txid)) })
      .getByTitle(to)
      .click()
    await page.waitForURL(`**/stacks/address/${to}`)
    const movements = page.locator('#recorded tbody tr')
    await movements.first().waitFor()
    const { recorded } = await site.ask<StacksAddressDetail>(`/stacks/addresses/${to}`)
    await counts(movements, recorded.length)
    const came = movements.filter({ has: page.getByTitle(String(first.txid)) })
    await reads(came.locator('td').nth(0), exactStx(String(first.amount)))
    assert.equal(await came.locator('td').nth(1).locator('a').getAttribute('title'), from)

    const next = recorded.find(({ recipient }) => recipient !== null && recipient !== from)
    assert.ok(next?.recipient, `${to} gave nothing on`)
    await movements
      .filter({ has: page.getByTitle(next.txid) })
      .getByTitle(next.recipient)
      .first()
      .click()
    await page.waitForURL(`**/${next.recipient}`)
    const arrived = page.locator('#recorded tbody tr').filter({ has: page.getByTitle(next.txid) })
    await arrived.first().waitFor()
    assert.equal(await arrived.first().locator('td').nth(1).locator('a').getAttribute('title'), to)
    assert.deepEqual(complaints, [])
  })

  test('a table is sorted by keys while its script is still on its way: on this page, and the focus stays', async () => {
    const cases = [
      { path: SIP031, table: '#sip031-accounts', column: 4, comes: true },
      { path: SIP031, table: '#sip031-accounts', column: 4, comes: false },
      // Within a panel that comes to life before it.
      { path: '/rootstock', table: '#protocols', column: 1, comes: true },
    ]
    for (const { path, table, column, comes } of cases) {
      await using opened = await newPage(browser)
      const { page } = opened
      const head = `${table} thead th:nth-child(${column})`
      const script = Promise.withResolvers<void>()
      await page.route('**/assets/table-*.js', async route => {
        await script.promise
        await route.continue().catch(() => {})
      })
      await page.goto(`${site.url}${path}`)
      await settle(page)
      await page.evaluate(() => {
        document.body.dataset.mark = 'same document'
      })
      assert.equal(await page.locator(head).getAttribute('aria-sort'), null)
      await page
        .locator(table)
        .getByRole('region', { name: /, rows$/ })
        .focus()
      for (let step = 0; step < column; step += 1) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      if (comes) script.resolve()
      // What does not come in time is done by the browser itself.
      else page.once('framenavigated', () => script.resolve())
      await page.waitForFunction(
        at => document.querySelector(at)?.getAttribute('aria-sort') === 'descending',
        head,
      )
      const mark = await page.evaluate(() => document.body.dataset.mark)
      assert.equal(mark, comes ? 'same document' : undefined)
      if (comes)
        await page.waitForFunction(at => document.activeElement?.closest(at) instanceof Element, head)
    }
  })

  test('keys alone sort a table, walk its rows and open one', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${SIP031}`)
    await settle(page)
    const table = page.locator('#sip031-accounts')
    const { rows } = await site.ask<StacksTableAnswer>('/stacks/tables/sip031-accounts')
    const order = () =>
      table.locator('tbody th a').evaluateAll(links => links.map(link => link.getAttribute('title')))
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'))
    const accounts = rows.map(({ account }) => String(account))
    assert.deepEqual(await order(), accounts)

    await table.getByRole('region', { name: /, rows$/ }).focus()
    // Account, role, from the contract, from the set.
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Tab')
    const byAmount = (sign: 1 | -1) =>
      rows
        .toSorted((a, b) => sign * Number(BigInt(a.from_set as string) - BigInt(b.from_set as string)))
        .map(({ account }) => String(account))
    for (const [sort, expected] of [
      ['descending', byAmount(-1)],
      ['ascending', byAmount(1)],
      [null, accounts],
    ] as const) {
      await page.keyboard.press('Enter')
      await page.waitForFunction(
        wanted =>
          document.querySelector('#sip031-accounts th:nth-child(4)')?.getAttribute('aria-sort') === wanted,
        sort,
      )
      assert.deepEqual(await order(), expected)
      // The focus is put back once the new rows are drawn.
      await page.waitForFunction(
        () => document.activeElement?.closest('#sip031-accounts th:nth-child(4)') instanceof Element,
      )
    }

    await table.getByRole('region', { name: /, rows$/ }).focus()
    for (const [key, at] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await focused(), accounts[at])
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/stacks/address/${accounts[1]}`)

    // Rows whose first cell leads nowhere are walked by the first link that they have.
    await page.goto(`${site.url}${SIP031}`)
    await settle(page)
    await page.mouse.move(1, 1)
    await page.mouse.move(2, 2)
    // Keys are heard by a table that has come to life.
    await page.waitForFunction(() => {
      const link = document.querySelector('#sip031-outflows tbody a')
      return link !== null && Object.keys(link).some(key => key.startsWith('__reactProps'))
    })
    await page
      .locator('#sip031-outflows')
      .getByRole('region', { name: /, rows$/ })
      .focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = await page
      .locator('#sip031-outflows tbody tr')
      .nth(1)
      .locator('a')
      .first()
      .getAttribute('title')
    assert.equal(await focused(), second)
    assert.deepEqual(complaints, [])
  })

  test('balances of pasted addresses are saved as a file that says what the screen does', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/addressbalance`)
    await settle(page)
    await page.getByLabel('Addresses, one a line').fill(PASTED.join('\n'))
    await page.getByRole('button', { name: 'Show balances' }).click()
    await page.locator('#balances').waitFor()
    const answer = await fetch(`${site.url}/api/v1/addresses/balances`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines: PASTED }),
    })
    const { balances } = (await answer.json()) as BalancesAnswer
    assert.ok(balances.length >= PASTED.length, `${balances.length} balances`)

    const all = await savedBy(page, page.getByRole('button', { name: 'All as CSV' }))
    const shown = await page.locator('#balances tbody tr').evaluateAll(rows =>
      rows.map(row => {
        const cells = [...row.querySelectorAll('th, td')]
        return {
          address: cells[0]?.querySelector('[title]')?.getAttribute('title') ?? '',
          asset: cells[1]?.querySelector('[title]')?.getAttribute('title') ?? '',
          balance: cells[3]?.textContent ?? '',
          change: cells[4]?.textContent ?? '',
          height: cells[5]?.textContent ?? '',
        }
      }),
    )
    assert.deepEqual(
      all.map(row => ({
        address: row.address,
        asset: row.asset,
        balance: row.balance === '' ? 'not known' : inUnits(row, row.balance),
        change: `${row.change?.startsWith('-') ? '' : '+'}${inUnits(row, row.change)}`,
        height: grouped(row.height ?? ''),
      })),
      shown,
    )
    assert.deepEqual(
      all.map(({ address, chain, asset, balance, change }) => [address, chain, asset, balance, change]),
      balances.map(({ address, chain, asset, balance, change }) => [
        address,
        chain,
        asset,
        balance ?? '',
        change,
      ]),
    )

    // What the table itself saves is what the filter leaves of it.
    await page.getByLabel('Filter Balances').fill(ALICE)
    await page.waitForURL('**balances.filter**')
    await settle(page)
    const filtered = await savedBy(page, page.locator('#balances').getByLabel('Download as CSV'))
    assert.deepEqual(
      filtered.map(({ Address }) => Address),
      balances.flatMap(({ address }) => (address === ALICE ? [address] : [])),
    )
    assert.deepEqual(complaints, [])
  })

  test('the drawing of areas comes with the first step of a reader, stands before it, and then opens by keys', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    const scripts: string[] = []
    page.on('request', request => scripts.push(request.url()))
    await page.goto(`${site.url}/rootstock?tab=money&range=max`)
    await settle(page)
    const chart = page.locator('section#tvlmap')
    assert.ok((await chart.locator('svg path').count()) > 3, 'nothing is drawn before its script')
    assert.ok(!scripts.some(url => url.includes('WholeChart')), 'its script came before anybody needed it')
    await chart.scrollIntoViewIfNeeded()
    const slider = chart.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('How it can mislead').waitFor()
    assert.match(page.url(), /assay=tvl\.by_protocol@rootstock/)
    assert.ok(scripts.some(url => url.includes('WholeChart')))
    assert.deepEqual(complaints, [])
  })
})

type CsvRow = Readonly<Record<string, string>>

/** Rows of the CSV that a press saves, by the names of its head. */
async function savedBy(page: Page, button: Locator): Promise<CsvRow[]> {
  const saved = page.waitForEvent('download')
  await button.click()
  const [head = [], ...rows] = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
    .map(line =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = '']) => bare(cell)),
    )
  return rows.map(cells => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}
const bare = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

/** As a balance is written: every digit in the decimals of its coin or token. */
function inUnits({ asset, chain, decimals, token_id }: CsvRow, amount = ''): string {
  if (asset === 'native' && chain === 'bitcoin') return btcCell(amount)
  if (asset === 'native')
    return chain === 'stacks' ? exactStx(amount).replace(' STX', '') : exactUnits(amount, 18)
  if (token_id !== '') return grouped(amount)
  return decimals === '' ? `${grouped(amount)} base units` : exactUnits(amount, Number(decimals))
}
