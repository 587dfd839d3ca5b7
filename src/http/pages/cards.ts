import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from '../apiError.ts'
import { type AnswerCache, canonicalSearch, type Made } from '../cache/answerCache.ts'
import { createBoundedCache } from '../cache/boundedCache.ts'
import { sendKept } from '../send.ts'
import type { OnlyRead } from './addPages.ts'
import { createDrawLimit, type DrawLimitOptions } from './drawLimit.ts'
import type { ReadPage } from './readPage.ts'

/** What the build of the pages knows of cards. */
export type CardMaker = {
  /** The address whose answers the asked card tells; undefined where no page has such a one. */
  targetOf(query: URLSearchParams): string | undefined
  /** All that stands on the card, as plain data; undefined for what is no public page. */
  read(page: ReadPage): unknown
  /** The card as SVG whose texts are shapes. */
  draw(card: unknown): Promise<string>
}

type Deps = {
  readonly cards: CardMaker
  readonly read: (address: string, asker: string) => Promise<ReadPage | undefined>
  /** What a page does not read is no other card. */
  readonly onlyRead: OnlyRead
  readonly cache: AnswerCache
}

/** One has the main thread while the other is turned into pixels. Sites that show links ask for a few at a time. */
export const CARD_DRAWS = {
  atOnce: 2,
  maxWaiting: 24,
  perCaller: 8,
  burst: 120,
  perMinute: 30,
  retrySeconds: 5,
  pages: 'cards',
  often: 'http.cards_often',
  busy: 'http.cards_busy',
} as const satisfies DrawLimitOptions
/** Pixels of cards that say the same as before, whatever else of the data has changed. */
const DRAWN_BYTES = 24 * 1024 * 1024
const LONGEST_QUERY = 1000
/** Those who show cards keep them for days themselves; an hour is what a figure of a day may be late. */
const HEADERS = { 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }

/** Pictures of pages and charts, for those who show links (`/card.png?page=/bitcoin`): 1200 × 630 px. */
export function addCards(app: FastifyInstance, { cards, read, onlyRead, cache }: Deps): void {
  const limit = createDrawLimit(CARD_DRAWS)
  const drawn = createBoundedCache<Buffer>(DRAWN_BYTES)

  const pixelsOf = async (card: unknown): Promise<Buffer> => {
    const key = createHash('sha256').update(JSON.stringify(card)).digest('base64url')
    const known = drawn.get(key)
    if (known) return known
    const bytes = await rasterised(await cards.draw(card))
    drawn.set(key, bytes, bytes.length + 200)
    return bytes
  }

  const make = async (target: string, asker: string): Promise<Made> => {
    const page = await read(target, asker)
    const status = page?.found.statusCode ?? 404
    if (status >= 500)
      throw new ApiError(problemOf('http.card_unread', 'Couldn’t load the figures of this page.'), {
        retryAfterSeconds: CARD_DRAWS.retrySeconds,
      })
    const card = page && status === 200 ? cards.read(page) : undefined
    if (page === undefined || card === undefined) throw unknownCard(target)
    return {
      isKept: page.isWhole,
      body: { bytes: await pixelsOf(card), contentType: 'image/png', headers: HEADERS },
    }
  }

  app.get('/card.png', async (request, reply) => {
    const [, search = ''] = request.url.split(/\?(.*)/s)
    const asked = search.length > LONGEST_QUERY ? undefined : cards.targetOf(new URLSearchParams(search))
    if (asked === undefined) throw unknownCard(search)
    const caller = callerNetwork(request.ip)
    const [path = '/', state = ''] = asked.split(/\?(.*)/s)
    const target = path + canonicalSearch((await onlyRead(path, state, caller)).search)
    const answer = await cache.answer(`card ${target}`, () => limit(caller, () => make(target, caller)))
    // There is no end of spellings with unread names: only the plain one is remembered.
    if (target === path + canonicalSearch(state)) cache.remember(request.url, answer)
    return sendKept(request, reply, answer)
  })
}

const unknownCard = (what: string): ApiError =>
  new ApiError(
    problemOf(
      'http.card',
      `No public page or chart has the address ${what.slice(0, 200) || 'that is missing here'}.`,
      {
        hint: 'Ask as pages do in their og:image: /card.png?page=/bitcoin, or with &chart= and the id of a chart.',
      },
    ),
  )

/** Off the main thread. Loaded with the first card: it is a program of its own. */
async function rasterised(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(svg, { font: { loadSystemFonts: false }, logLevel: 'off' })
  return image.asPng()
}
