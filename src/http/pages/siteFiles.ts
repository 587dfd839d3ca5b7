import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { Body } from '../cache/answerCache.ts'
import type { Site } from '../context.ts'
import type { Api, ReportList } from '../contract.ts'
import { sendBody } from '../send.ts'

type Deps = {
  readonly site: Pick<Site, 'publicUrl' | 'layers' | 'applications'>
  /** Where `/docs` leads. */
  readonly docsUrl: string
  readonly routes: ServerBuild['routes']
  readonly api: Pick<Api, 'directory' | 'treasuries' | 'content'>
}

/** Addresses that are answers to a question, of one person, or stand in frames: nothing for a search engine. */
const CLOSED = ['/search', '/assay/run', '/embed', '/account', '/callback', '/editor']
/** Leads to the documentation. */
export const DOCS = '/docs'

/** Where something ends: nobody looks for it, and nobody who finds it is kept out. */
const OUTCOMES = ['/subscription-success', '/error']

/** What search engines and feed readers fetch (`/robots.txt`, `/sitemap.xml`, `/reports/feed.xml`), assistants (`/llms.txt`), and the way of `/docs`. */
export function addSiteFiles(app: FastifyInstance, deps: Deps): void {
  const files: Readonly<Record<string, () => Body | Promise<Body>>> = {
    '/robots.txt': () => file('text/plain', robotsOf(deps.site)),
    '/llms.txt': async () => file('text/plain', llmsOf(deps.site.publicUrl)),
    '/sitemap.xml': async () => file('application/xml', sitemapOf(deps.site.publicUrl, await listed(deps))),
    '/reports/feed.xml': async () =>
      file('application/rss+xml', feedOf(deps.site.publicUrl, await deps.api.content.reports())),
  }
  for (const [path, make] of Object.entries(files))
    app.get(path, async (request, reply) => sendBody(request, reply, await make()))
  // Temporary: whoever runs the site may move its documentation.
  app.get(DOCS, (_, reply) => reply.redirect(deps.docsUrl, 302))
}

const file = (type: string, text: string): Body => ({
  bytes: Buffer.from(text),
  contentType: `${type}; charset=utf-8`,
  headers: { 'cache-control': 'public, max-age=3600' },
})

const robotsOf = ({ publicUrl }: Deps['site']): string =>
  `${['User-agent: *', 'Disallow: /api/', ...CLOSED.map(path => `Disallow: ${path}`)].join('\n')}

Sitemap: ${publicUrl}/sitemap.xml
`

/** What assistants need to use the site, https://llmstxt.org */
const llmsOf = (publicUrl: string): string => `# Assay

> Analytics on Bitcoin, its layer-2 networks (Stacks, Rootstock, BOB, Merlin, Bitlayer, B² Network, Core) and the applications on Stacks. Every number opens to its definition, SQL, sources and block heights.

Amounts are integers in the smallest unit (satoshis, µSTX, wei) unless a name says otherwise. Days are UTC. Every figure carries \`asOf\`: the time and height of the data behind it. A missing figure is unknown, not zero.

## Use

- [MCP server](${publicUrl}/mcp): tools search, metric, table, sql and result, read-only, no key needed within small limits
- [API document](${publicUrl}/api/openapi.json): OpenAPI of every endpoint
- [Query tool](${publicUrl}/Query): SQL in ClickHouse's dialect on the public tables

## Documentation

- [First query](${publicUrl}/documentation/first-query): how tables relate, heights, days and units
- [SQL](${publicUrl}/documentation/sql): dialect, limits, parameters
- [API](${publicUrl}/documentation/api): formats, errors, caching
- [API clients](${publicUrl}/documentation/clients): TypeScript and Python, keys and their scopes
- [Metrics](${publicUrl}/documentation/metrics): definitions with their SQL
- [Tables](${publicUrl}/documentation/tables): columns, types and units
- [Sources](${publicUrl}/documentation/sources): where figures come from, and their licenses
- [Status](${publicUrl}/status): indexed ranges and source health
`

type Listed = { readonly path: string; readonly changed?: string }

/** Every page with an address of its own: those of the map, and those that the catalogue and editors name. */
async function listed({ site, routes, api }: Deps): Promise<Listed[]> {
  const [{ items: layers }, { items: treasuries }, { items: reports }] = await Promise.all([
    api.directory.list(),
    api.treasuries.list(),
    api.content.reports(),
  ])
  const paths = [
    '/',
    ...Object.values(routes).flatMap(route =>
      route?.path && !/[:*]/.test(route.path) ? [`/${route.path}`] : [],
    ),
    ...site.layers.map(({ id }) => `/${id}`),
    ...site.applications.map(({ slug }) => `/${slug}`),
    ...layers.map(({ slug }) => `/bitcoin/l2s/${slug}`),
    ...treasuries.map(({ id }) => `/analyze/bitcoin-treasuries/${id}`),
  ]
  const found = [...new Set(paths)].filter(
    path => ![...CLOSED, ...OUTCOMES].some(other => path === other || path.startsWith(`${other}/`)),
  )
  return [
    ...found.sort().map(path => ({ path })),
    ...reports.map(({ key, updated, published }) => ({
      path: `/reports/${key}`,
      changed: updated ?? published,
    })),
  ]
}

/** https://www.sitemaps.org/protocol.html */
const sitemapOf = (
  publicUrl: string,
  pages: readonly Listed[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages
  .map(
    ({ path, changed }) =>
      `<url><loc>${escaped(encodeURI(publicUrl + path))}</loc>${changed === undefined ? '' : `<lastmod>${changed}</lastmod>`}</url>`,
  )
  .join('\n')}
</urlset>
`

/** RSS 2.0, https://www.rssboard.org/rss-specification */
const feedOf = (publicUrl: string, { items }: ReportList): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>Reports of Assay</title>
<link>${escaped(publicUrl)}/reports</link>
<description>What the figures of this site add up to, with every number open to its SQL.</description>
<language>en</language>
<atom:link href="${escaped(publicUrl)}/reports/feed.xml" rel="self" type="application/rss+xml"/>
${items
  .map(({ key, title, summary, topic, published }) => {
    const address = escaped(`${publicUrl}/reports/${key}`)
    return `<item>
<title>${escaped(title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
<category>${escaped(topic)}</category>
<pubDate>${new Date(`${published}T00:00:00Z`).toUTCString()}</pubDate>
<description>${escaped(summary)}</description>
</item>`
  })
  .join('\n')}
</channel>
</rss>
`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign)
