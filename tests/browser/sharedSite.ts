import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { copyCatalog } from '#catalog/testing.ts'
import { skipWithoutAnvil } from '../evm/openAnvil.ts'
import { clarityArchive } from '../stacks/clarityChain.ts'
import { addAtlantis } from './atlantis.ts'
import { openChromium } from './chromium.ts'
import { fillMade } from './fillMade.ts'
import { type MadeMerlin, openMadeMerlin } from './madeMerlin.ts'
import { openTestSite } from './testSite.ts'

/**
 * The app with its snapshot and all that browser tests lay beside it: a Merlin that grows, ten days of Clarity 4, a small sBTC, a pool, loans,
 * a layer of one file. None of them touches what the others are asked for.
 */
export type SharedSite = {
  readonly url: string
  readonly browser: Browser
  /** What the API answers below `/api/v1`. */
  ask<Answer>(path: string): Promise<Answer>
  /** Absent where no node of the EVM is installed: suites that need it are skipped there. */
  readonly merlin: MadeMerlin | undefined
}

let opened: Promise<SharedSite & AsyncDisposable> | undefined

/** Started once in a process, by the first suite that asks; it ends after the last test. */
export function sharedSite(): Promise<SharedSite> {
  opened ??= open()
  return opened
}
after(async () => (await opened)?.[Symbol.asyncDispose]())

async function open(): Promise<SharedSite & AsyncDisposable> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'assay-shared-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const archive = join(folder, 'chain.tsv')
  await writeFile(archive, clarityArchive())
  const catalog = parts.use(await copyCatalog())
  await addAtlantis(catalog.dir)
  const merlin = skipWithoutAnvil.skip ? undefined : parts.use(await openMadeMerlin())
  const browser = await openChromium()
  parts.defer(() => browser.close())
  const site = parts.use(
    await openTestSite({
      env: {
        ASSAY_CATALOG: catalog.dir,
        ...(merlin && { MERLIN_RPC_URL: merlin.layer.anvil.url }),
      },
      fill: fillMade,
      before: [
        ['backfill', '--chain', 'stacks', '--from-archive', archive],
        ...(merlin ? [['backfill', '--chain', 'merlin', '--from', '0']] : []),
      ],
    }),
  )
  const whole = parts.move()
  return {
    url: site.url,
    browser,
    merlin,
    ask: async <Answer>(path: string) => (await (await fetch(`${site.url}/api/v1${path}`)).json()) as Answer,
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  }
}
