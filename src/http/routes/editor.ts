import { z } from 'zod'
import { type Accounts, demandPerson } from '#accounts/index.ts'
import {
  type AdCount,
  type AdEvent,
  type Cms,
  type ParsedText,
  PICTURE_BYTES,
  type StoredPicture,
  type TextVersion,
} from '#content/index.ts'
import type { Person } from '#kernel/people.ts'
import type { AdCounts } from '../contract.ts'
import { type AnyRoute, json, route } from '../route.ts'
import {
  adCounts,
  openedText,
  pictureAnswer,
  pictureList,
  textChange,
  textDraft,
  textEntries,
  textName,
  textPreview,
  textVersion,
  versionId,
  versionText,
} from '../schemas/cms.ts'
import { adItemOf } from './cms.ts'

const OPERATOR_PROBLEMS = [401, 403, 404]
const SAVED = { draft: 'text drafted', now: 'text published' } as const

/** What operators do with texts, pictures and advertisements; who changed what is written down. */
export const editorRoutes = (cms: Cms, accounts: Accounts | undefined): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/cms/texts',
    id: 'listTexts',
    summary: 'All texts, of files and of the editor; for operators',
    who: 'operator',
    answer: { schema: textEntries },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async () =>
      json({
        items: (await cms.entries()).map(({ newest, ...entry }) => ({
          ...entry,
          newest: newest === null ? null : toldOf(newest),
        })),
      }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/texts/:kind/:key',
    id: 'openText',
    summary: 'A text with its history; for operators',
    who: 'operator',
    params: textName,
    answer: { schema: openedText },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async ({ params: { kind, key } }) => {
      const { newest, versions, ...opened } = await cms.open(kind, key)
      return json({
        ...opened,
        newest: newest === null ? null : toldOf(newest),
        versions: versions.map(toldOf),
      })
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/cms/texts/:kind/:key/preview',
    id: 'previewText',
    summary: 'Preview of a text, or its first error; nothing is saved; for operators',
    who: 'operator',
    params: textName,
    body: textDraft,
    answer: { schema: textPreview },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async ({ params: { kind, key }, body: { text } }) =>
      json(previewOf(cms.preview({ kind, key, text }))),
  }),
  route({
    method: 'POST',
    path: '/api/v1/cms/texts/:kind/:key',
    id: 'saveText',
    summary: 'Saves a version of a text: a draft, published now, or from a time on; for operators',
    who: 'operator',
    params: textName,
    body: textChange,
    answer: { schema: textVersion },
    problems: [...OPERATOR_PROBLEMS, 409],
    kept: 'never',
    handle: async ({ params: { kind, key }, body: { text, publish, basedOn }, person, asker }) => {
      const saved = toldOf(
        await cms.save({
          kind,
          key,
          text,
          publish: publish === 'draft' || publish === 'now' ? publish : { atMs: Date.parse(publish) },
          basedOn,
          author: authorOf(person),
        }),
      )
      await accounts?.note(publish === 'draft' || publish === 'now' ? SAVED[publish] : 'text scheduled', {
        person: demandPerson(person),
        asker,
        facts: {
          text: `${kind}/${key}`,
          version: saved.id,
          publish: saved.publish,
          isWithdrawal: saved.isWithdrawal,
        },
      })
      return json(saved)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/versions/:id',
    id: 'readVersion',
    summary: 'The text of one version; for operators',
    who: 'operator',
    params: versionId,
    answer: { schema: versionText },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async ({ params: { id } }) => json({ text: await cms.version(id) }),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/cms/versions/:id/schedule',
    id: 'unscheduleVersion',
    summary: 'Turns a scheduled version back into a draft; for operators',
    who: 'operator',
    params: versionId,
    answer: { schema: z.strictObject({ isDraft: z.literal(true) }) },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async ({ params: { id }, person, asker }) => {
      await cms.unschedule(id)
      await accounts?.note('text unscheduled', {
        person: demandPerson(person),
        asker,
        facts: { version: id },
      })
      return json({ isDraft: true })
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/pictures',
    id: 'listPictures',
    summary: 'Pictures of the editor, newest first; for operators',
    who: 'operator',
    answer: { schema: pictureList },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async () => {
      await cms.refresh()
      return json({ items: cms.pictures().map(pictureOf) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/cms/pictures',
    id: 'addPicture',
    summary: 'Stores a PNG, JPEG or WebP, detected from its content; for operators',
    who: 'operator',
    query: z.strictObject({ title: z.string().trim().min(1).max(120) }),
    takesBytes: PICTURE_BYTES,
    answer: { schema: pictureAnswer },
    problems: [...OPERATOR_PROBLEMS, 413],
    kept: 'never',
    handle: async ({ bytes, query: { title }, person, asker }) => {
      const added = await cms.addPicture(bytes, title, authorOf(person))
      await accounts?.note('picture added', {
        person: demandPerson(person),
        asker,
        facts: { picture: added.name },
      })
      return json(pictureOf(added))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/cms/ads/counts',
    id: 'readAdCounts',
    summary: 'How often advertisements were shown, followed and dismissed, by day; for operators',
    who: 'operator',
    answer: { schema: adCounts },
    problems: OPERATOR_PROBLEMS,
    kept: 'never',
    handle: async () => json(await countsOf(cms)),
  }),
]

/** By what an editor is called in the history; their id where nothing better is known. */
const authorOf = (person: Person | undefined): string => person?.email ?? person?.id ?? ''

const toldOf = ({ id, author, createdMs, publishMs, isWithdrawal }: TextVersion) => ({
  id,
  author,
  created: new Date(createdMs).toISOString(),
  publish: publishMs === null ? null : new Date(publishMs).toISOString(),
  isWithdrawal,
})

const pictureOf = ({ name, title, type, width, height }: StoredPicture) => ({
  name,
  title,
  type,
  width,
  height,
  url: `/api/cms/media/${name}`,
})

const previewOf = (parsed: ParsedText) =>
  parsed.kind === 'ads'
    ? { title: 'Advertisements', summary: '', blocks: [], notes: [], ads: parsed.ads.map(adItemOf) }
    : {
        title: parsed.head.title,
        summary: parsed.head.summary,
        blocks: parsed.written.blocks,
        notes: parsed.written.notes,
        ads: [],
      }

/** How often, by what readers did. */
const sumOf = (counts: readonly AdCount[]): Record<AdEvent, number> => {
  const sum = { view: 0, click: 0, cancel: 0 }
  for (const { event, times } of counts) sum[event] += times
  return sum
}

async function countsOf(cms: Cms): Promise<AdCounts> {
  const counts = await cms.counts()
  const titles = new Map(cms.content().ads.map(({ id, title }) => [id, title]))
  return {
    items: [...new Set([...titles.keys(), ...counts.map(({ ad }) => ad)])].map(ad => {
      const of = counts.filter(count => count.ad === ad)
      return {
        ad,
        title: titles.get(ad) ?? null,
        ...sumOf(of),
        days: [...Map.groupBy(of, ({ day }) => day)].map(([day, some]) => ({ day, ...sumOf(some) })),
      }
    }),
  }
}
