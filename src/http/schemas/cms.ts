import { z } from 'zod'
import { AD_EVENTS, GATES, TEXT_KINDS } from '#content/index.ts'
import { isoTime } from './common.ts'
import { block, inline } from './content.ts'

const gate = z.enum(GATES).describe('feature that it needs; `dashboard` opens all')

export const gatedItem = z
  .strictObject({
    key: z.string(),
    path: z.string().describe('page of this site on which it is read'),
    title: z.string(),
    summary: z.string(),
    requires: gate,
  })
  .meta({ id: 'GatedItem', description: 'A text that requires a feature, with public details only.' })
export type GatedItem = z.infer<typeof gatedItem>

export const gatedText = z
  .strictObject({
    ...gatedItem.shape,
    updated: z.string(),
    blocks: z.array(block),
    notes: z.array(z.array(inline)),
  })
  .meta({ id: 'GatedText', description: 'A text that needs a feature, for who has it.' })
export type GatedText = z.infer<typeof gatedText>

export const pageItem = z
  .strictObject({
    key: z.string().describe('its address without the stroke'),
    title: z.string(),
    html: z.string().describe('fixed HTML elements around escaped text, without scripts or styles'),
    updatedAt: isoTime,
  })
  .meta({ id: 'PageItem', description: 'A page of text.' })
export type PageItem = z.infer<typeof pageItem>

export const adItem = z
  .strictObject({
    _id: z.string(),
    start: isoTime.describe('from when on it is shown'),
    end: isoTime.describe('from when on it is shown no more'),
    link: z.string().describe('https, or a path of this site'),
    image: z.string().describe('path of a picture of this site, 20 times as wide as high'),
    title: z.string(),
  })
  .meta({ id: 'Ad', description: 'An advertisement that is shown now.' })
export type AdItem = z.infer<typeof adItem>

export const adEvent = z.strictObject({
  id: z.string().max(100).describe('`_id` of the advertisement'),
  event: z.enum(AD_EVENTS),
})

const count = z.int().nonnegative()
export const adCounts = z
  .strictObject({
    items: z.array(
      z.strictObject({
        ad: z.string(),
        title: z.string().nullable().describe('null for one that is in the list no more'),
        view: count,
        click: count,
        cancel: count,
        days: z.array(z.strictObject({ day: z.string(), view: count, click: count, cancel: count })),
      }),
    ),
  })
  .meta({
    id: 'AdCounts',
    description: 'How often advertisements were shown, followed and dismissed, by UTC day.',
  })
export type AdCounts = z.infer<typeof adCounts>

const kind = z.enum(TEXT_KINDS)
const key = z.string().regex(/^[A-Za-z0-9-]{1,80}$/, 'must be letters, digits and hyphens')
export const textName = z.strictObject({ kind, key })

const version = z
  .strictObject({
    id: z.int(),
    author: z.string(),
    created: isoTime,
    publish: isoTime.nullable().describe('from when on it is published; null for a draft'),
    isWithdrawal: z.boolean().describe('whether it restores the file'),
  })
  .meta({ id: 'TextVersion', description: 'A version of a text in the editor.' })
export const textVersion = version
export type TextVersion = z.infer<typeof version>

const entry = {
  kind,
  key: z.string(),
  shown: z.enum(['file', 'editor', 'nothing']).describe('what readers see now'),
  newest: version.nullable().describe('latest version of the editor; null where there is none'),
}
export const textEntries = z
  .strictObject({ items: z.array(z.strictObject(entry)) })
  .meta({ id: 'TextEntries', description: 'All texts, of files and of the editor.' })
export type TextEntries = z.infer<typeof textEntries>

export const openedText = z
  .strictObject({
    ...entry,
    text: z.string().describe('of the latest version, else of the file'),
    versions: z.array(version).describe('the newest first'),
  })
  .meta({ id: 'OpenedText', description: 'A text with its history.' })
export type OpenedText = z.infer<typeof openedText>

/** Longest text, characters. */
const TEXT_LENGTH = 200_000
export const textDraft = z.strictObject({ text: z.string().min(1).max(TEXT_LENGTH) })
export const textChange = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(TEXT_LENGTH)
    .nullable()
    .describe('the whole text with its head; null: the file counts again'),
  publish: z
    .union([z.literal('draft'), z.literal('now'), z.iso.datetime({ offset: true })])
    .describe('`draft`, `now`, or from when on it is shown'),
  basedOn: z.int().nullable().describe('id of the latest version that its author has seen; null for none'),
})

export const textPreview = z
  .strictObject({
    title: z.string(),
    summary: z.string(),
    blocks: z.array(block),
    notes: z.array(z.array(inline)),
    ads: z.array(adItem).describe('of the list of advertisements'),
  })
  .meta({ id: 'TextPreview', description: 'A text as readers would see it.' })
export type TextPreview = z.infer<typeof textPreview>

export const versionId = z.strictObject({
  id: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number),
})
export const versionText = z.strictObject({ text: z.string() })

const picture = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    type: z.string(),
    width: z.int(),
    height: z.int(),
    url: z.string().describe('what a text writes: ![words](url)'),
  })
  .meta({ id: 'Picture', description: 'A picture of the editor.' })
export const pictureAnswer = picture
export const pictureList = z.strictObject({ items: z.array(picture) })
export type PictureList = z.infer<typeof pictureList>
