import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { loadPages } from '#http/pages/loadPages.ts'
import { createPageReader } from '#http/pages/readPage.ts'
import { siteOf } from '#http/siteOf.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { silentLog } from '#kernel/log.ts'

const BUILD = fileURLToPath(new URL('../../build', import.meta.url))

/** What the loaders of one address answer, without drawing it. */
export type PageAnswer = {
  /** Path and query. */
  readonly address: string
  /** Answers by route id. */
  readonly data: Readonly<Record<string, unknown>>
}

export type OpenPages = AsyncDisposable & {
  readonly site: TestSite
  /** Addresses of every page without its further tabs: the map of the site, each layer's profile, each treasury. */
  addresses(): Promise<string[]>
  /** Throws where a loader fails or leads elsewhere. */
  read(address: string): Promise<PageAnswer>
}

/** Every page of the build over the bundled data, read in this process. The pages must be built (`npm run build`). */
export async function openPages(): Promise<OpenPages> {
  await using opening = new AsyncDisposableStack()
  const site = opening.use(await openTestSite({ holds: 'snapshot' }))
  const catalog = await testCatalog()
  const named = siteOf(catalog)
  const pages = await loadPages(BUILD)
  const readPage = createPageReader({
    routes: pages.server.routes,
    site: {
      ...named,
      version: 'test',
      publicUrl: 'http://localhost:4400',
      apiUrl: undefined,
      signUpUrl: '/',
      analyticsUrl: undefined,
      newsletterUrl: undefined,
      socialUrl: undefined,
      supportAddress: undefined,
      sqlToken: '',
      operations: [],
    },
    apiFor: site.apiFor,
    log: silentLog,
  })
  const opened = opening.move()
  return {
    site,
    addresses: async () => [
      ...new Set([
        // Documentation has no figures.
        ...pages
          .mapOf(named)
          .map(({ path }) => path)
          .filter(path => !path.startsWith('/documentation')),
        ...catalog.layers.map(({ slug }) => `/bitcoin/l2s/${slug}`),
        ...catalog.treasuries.map(({ id }) => `/analyze/bitcoin-treasuries/${id}`),
      ]),
    ],
    async read(address) {
      const page = await readPage(address, 'test')
      if (page === undefined) throw new Error(`${address} leads elsewhere`)
      const { loaderData, errors } = page.found
      const [failed] = Object.values(errors ?? {})
      if (failed !== undefined) throw new Error(`${address} cannot be read`, { cause: failed })
      return { address, data: loaderData }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
