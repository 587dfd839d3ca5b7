import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import { freePort } from '#kernel/freePort.testing.ts'
import { clarityArchive, MADE_CONTRACTS } from '#tests/stacks/clarityChain.ts'
import { type NodeCalls, openNodeCalls } from '#tests/stacks/openNodeCalls.ts'
import { makeWallet } from '#tests/wallets/account.ts'
import { walletScript } from '#tests/wallets/bundle.ts'
import { type MadeHub, openHub } from '#tests/wallets/openHub.ts'
import { newPage, openChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { openTestSite, type TestSite } from './testSite.ts'

export const KEY = `${'1d'.repeat(32)}01`
export const { address: ADDRESS } = makeWallet({ key: KEY })
export const SUPPORT = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'

export const idOf = (name: string): string => {
  const { deployer } = MADE_CONTRACTS.find(made => made.name === name) ?? assert.fail(name)
  return `${deployer}.${name}`
}

/** Its interface came with its block. */
export const HELD = idOf('bridge')

export const WIDTHS = [390, 820, 1440] as const
export let site: TestSite
export let browser: Browser
export let node: NodeCalls
export let hub: MadeHub

/** Where Asigna is played, which frames our pages. */
export let outerPort: number

let ready: Promise<void> | undefined

async function openOnce(): Promise<void> {
  node = await openNodeCalls()
  hub = await openHub()
  outerPort = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'assay-calls-'))
  const archive = join(folder, 'chain.tsv')
  await writeFile(archive, clarityArchive())
  site = await openTestSite({
    command: 'serve',
    env: {
      STACKS_API_URL: node.url,
      SUPPORT_ADDRESS: SUPPORT,
      ASIGNA_ORIGINS: `http://localhost:${outerPort}`,
      HUB_HOSTS: `https://gaia.hiro.so,${hub.url}`,
    },
    before: [['backfill', '--chain', 'stacks', '--from-archive', archive]],
  })
  await rm(folder, { recursive: true })
  browser = await openChromium()
}

export async function open(
  path: string,
  options: Parameters<typeof newPage>[1] = {},
  made: { wallets?: string[]; key?: string; hasToken?: boolean; profileUrl?: string; hubUrl?: string } = {},
) {
  const opened = await newPage(browser, { reducedMotion: 'reduce', ...options })
  const setting = { key: KEY, wallets: ['leather'], delayMs: 0, refused: [], hasToken: false, ...made }
  await opened.page.addInitScript({
    content: `window.madeWallets = ${JSON.stringify(setting)};${await walletScript()}`,
  })
  await opened.page.goto(`${site.url}${path}`)
  await settle(opened.page)
  return opened
}

export async function connect(page: Page | Frame, wallet = 'LeatherProvider'): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).click()
  await page.locator(`[data-wallet="${wallet}"]`).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** What the wallet was last asked for. */
export const lastAsked = (page: Page) =>
  page.evaluate(() => window.wallets?.asked.at(-1) as { method: string; params: Record<string, unknown> })

export const panelOf = (page: Page | Frame) => page.getByRole('region', { name: 'Call a function' })

after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await node?.[Symbol.asyncDispose]()
  await hub?.[Symbol.asyncDispose]()
})

/** Opens the site, a made node and a hub, once in a process. */
export function setUpCallsSite(): void {
  before(() => {
    ready ??= openOnce()
    return ready
  })
}
