import { z } from 'zod'
import { createLimiter, type Limiter } from '#accounts/index.ts'
import { type Ad, type Cms, type Gate, toHtml } from '#content/index.ts'
import { type Features, hasFeatures } from '#kernel/people.ts'
import type { FullApi } from '../api.ts'
import { ApiError, problemOf } from '../apiError.ts'
import { gatedHeadOf } from '../contentApi.ts'
import type { AdItem, GatedItem, GatedText, PageItem } from '../contract.ts'
import { type AnyRoute, done, json, route } from '../route.ts'
import { adEvent, adItem, gatedItem, gatedText, pageItem } from '../schemas/cms.ts'
import { report } from '../schemas/content.ts'

const MEDIA = '/api/cms/media/'
/** Events of advertisements from one address, in a minute: two showings a second are more than a household reads. */
const EVENTS_BY_ADDRESS = 120
const key = z.string().regex(/^[A-Za-z0-9-]{1,80}$/, 'must be letters, digits and hyphens')

/** Whether who has these features may read what needs that one: `dashboard` opens all. */
export const opens = (features: Features, requires: Gate | null | undefined): boolean =>
  requires == null || features[requires] === true || features.dashboard === true

/** An advertisement as the API tells of it. */
export const adItemOf = ({ id, startMs, endMs, link, image, title }: Ad): AdItem => ({
  _id: id,
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
  link,
  image: MEDIA + image,
  title,
})

/** What the browser asks of texts and advertisements, under the addresses of the specification (section 7), and their pictures. */
export const cmsRoutes = (
  cms: Cms,
  apiFor: (asker: string) => FullApi,
  events: Limiter = createLimiter('events of advertisements', EVENTS_BY_ADDRESS, 60),
): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/cms/content/gated',
    id: 'listGated',
    summary: 'Texts that the caller cannot open, with public details only',
    who: 'anyone',
    answer: { schema: z.array(gatedItem) },
    problems: [401],
    kept: 'never',
    handle: async ({ features }) => json(gatedOf(cms).filter(({ requires }) => !opens(features, requires))),
  }),
  route({
    method: 'GET',
    path: '/api/cms/content/pages',
    id: 'listPages',
    summary: 'Pages of text as HTML',
    answer: { schema: z.array(pageItem) },
    kept: 'never',
    handle: async () =>
      json(
        cms.content().pages.map(
          (page): PageItem => ({
            key: page.name,
            title: page.title,
            html: toHtml(page),
            updatedAt: `${page.updated}T00:00:00.000Z`,
          }),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/cms/ads',
    id: 'listAds',
    summary: 'Advertisements that are shown now; who has a feature is shown none',
    who: 'anyone',
    answer: { schema: z.array(adItem) },
    problems: [401],
    kept: 'never',
    handle: async ({ features }) => json(hasFeatures(features) ? [] : cms.ads().map(adItemOf)),
  }),
  route({
    method: 'POST',
    path: '/api/cms/ads/events',
    id: 'countAdEvent',
    summary: 'Counts that an advertisement was shown, followed or dismissed; by day, and nothing of who did',
    body: adEvent,
    answer: { schema: z.null(), isEmpty: true },
    problems: [404, 429],
    kept: 'never',
    handle: async ({ body: { id, event }, asker }) => {
      await events.take(asker)
      await cms.count(id, event)
      return done()
    },
  }),
  route({
    method: 'GET',
    path: '/api/cms/media/:name',
    id: 'readPicture',
    summary: 'A picture of editors',
    params: z.strictObject({
      name: z.string().regex(/^[a-z0-9-]{1,80}\.(png|jpg|webp)$/, 'must be the name of a picture'),
    }),
    answer: { schema: z.string(), media: ['image/png', 'image/jpeg', 'image/webp'] },
    problems: [404],
    kept: 'never',
    handle: async ({ params: { name } }) => {
      const found = await cms.picture(name)
      if (found === undefined)
        throw new ApiError(problemOf('content.unknown', `There is no picture ${name}.`))
      return {
        bytes: found.bytes,
        contentType: found.type,
        headers: { 'cache-control': 'public, max-age=86400' },
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/gated/:key',
    id: 'readGated',
    summary: 'A text that needs a feature, for who has it',
    who: 'anyone',
    params: z.strictObject({ key }),
    answer: { schema: gatedText },
    problems: [401, 403, 404],
    kept: 'never',
    handle: async ({ params, person, features }) => {
      const found = cms.content().gated.find(piece => piece.key === params.key)
      if (found === undefined)
        throw new ApiError(problemOf('http.gated', `There is no piece "${params.key}" for subscribers.`))
      demand(person !== undefined, features, found.requires)
      const { updated, blocks, notes } = found
      return json({ ...gatedHeadOf(found), updated, blocks, notes } satisfies ReadonlyOf<GatedText>)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/reports/:key',
    id: 'readWholeReport',
    summary: 'A report with its text: one that needs a feature for who has it',
    who: 'anyone',
    params: z.strictObject({ key }),
    answer: { schema: report },
    problems: [401, 403, 404],
    kept: 'never',
    handle: async ({ params, person, features, asker }) => {
      const api = apiFor(asker)
      const { requires } = await api.content.report(params.key)
      demand(person !== undefined, features, requires)
      return json(await api.content.wholeReport(params.key))
    },
  }),
]

type ReadonlyOf<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyOf<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyOf<T[K]> }
    : T

/** Pieces and reports that need a feature. */
const gatedOf = (cms: Cms): GatedItem[] => {
  const { gated, reports } = cms.content()
  return [
    ...gated.map(gatedHeadOf),
    ...reports.flatMap(({ key, title, summary, requires }) =>
      requires === undefined
        ? []
        : [{ key: `report-${key}`, path: `/reports/${key}`, title, summary, requires }],
    ),
  ]
}

/** Throws 401 for who has not said who they are, 403 for who has and lacks the feature. */
function demand(isKnown: boolean, features: Features, requires: Gate | null): void {
  if (opens(features, requires)) return
  throw new ApiError(
    isKnown
      ? problemOf('http.feature', `This text needs the feature ${requires}.`, {
          hint: 'See /pricing for how to get it.',
        })
      : problemOf('http.credentials', `This text needs the feature ${requires}: sign in first.`),
  )
}
