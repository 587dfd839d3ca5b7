import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { isLocalPath } from '#kernel/localPath.ts'
import { zodWords } from '#kernel/zodWords.ts'
import { faultIn } from './errors.ts'
import type { PictureHead } from './picture.ts'

/** What a reader does with an advertisement. */
export const AD_EVENTS = ['view', 'click', 'cancel'] as const
export type AdEvent = (typeof AD_EVENTS)[number]

const Time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-12-01T00:00:00Z' })
const Written = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
    .max(60),
  title: z.string().trim().min(1).max(200),
  link: z.string().max(2000).refine(isLink, 'must be an https address, or a path of this site'),
  /** Name of a picture of our own: readers ask nobody else for it. */
  image: z.string(),
  start: Time,
  end: Time,
})

/** An advertisement. It is shown while start ≤ now < end. */
export type Ad = {
  readonly id: string
  readonly title: string
  /** https, or a path of this site. */
  readonly link: string
  readonly image: string
  readonly startMs: number
  readonly endMs: number
}

/** Width to height of the box in which advertisements stand (specification, 9). */
export const AD_RATIO = 20
/** Whole pixels do not always divide. */
const RATIO_TOLERANCE = 0.02

/** Whether an advertisement or a note may lead there. */
export function isLink(text: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(text)) return false
  if (isLocalPath(text)) return true
  const url = URL.parse(text)
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && text.startsWith('https://')
  )
}

/** Those whose window contains `nowMs`, in the order in which they are written. */
export const adsAt = (ads: readonly Ad[], nowMs: number): Ad[] =>
  ads.filter(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)

/** Reads the list of `ads.yaml`. Throws `content.invalid` with file, line and reason of the first fault. */
export function parseAds(
  text: string,
  file: string,
  pictures: readonly (PictureHead & { readonly name: string })[],
): Ad[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { schema: 'core', lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined)
    throw faultIn(file, `it is no YAML: ${error.message.split('\n')[0]}`, lines.linePos(error.pos[0]).line)
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true)
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line
    }
    return 1
  }
  const read = z
    .array(Written)
    .max(200)
    .nullable()
    .safeParse(document.toJS({ maxAliasCount: 0 }), { error: zodWords })
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue?.path.slice(1).join('.') ?? ''
    throw faultIn(file, `${field} ${issue?.message ?? 'cannot be read'}`.trim(), lineOf(issue?.path ?? []))
  }
  const seen = new Set<string>()
  return (read.data ?? []).map(({ start, end, ...ad }, place) => {
    const fault = (field: string, reason: string) =>
      faultIn(file, `${field} ${reason}`, lineOf([place, field]))
    const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
    if (seen.has(ad.id)) throw fault('id', `${ad.id} is there twice`)
    seen.add(ad.id)
    if (endMs <= startMs) throw fault('end', 'must be later than start')
    const picture = pictures.find(({ name }) => name === ad.image)
    if (picture === undefined)
      throw fault('image', `${ad.image} is no picture of content/ads, nor one of the editor`)
    if (Math.abs(picture.width / picture.height / AD_RATIO - 1) > RATIO_TOLERANCE)
      throw fault(
        'image',
        `is ${picture.width} × ${picture.height}; it must be ${AD_RATIO} times as wide as high`,
      )
    return { ...ad, startMs, endMs }
  })
}
