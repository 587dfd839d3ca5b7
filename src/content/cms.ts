import { createHash } from 'node:crypto'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { type Ad, type AdEvent, adsAt } from './ads.ts'
import { ContentError } from './errors.ts'
import { type ParsedText, parseText, type TextKind } from './parseText.ts'
import { type PictureHead, readPicture } from './picture.ts'
import { type Content, type ContentFiles, contentOf, isKey, placeOf, type TextSource } from './readContent.ts'

/** A version of a text in the editor. Its `text` is null where it says that the file counts again. */
export type TextVersion = {
  readonly id: number
  readonly author: string
  readonly createdMs: number
  /** From when on it is published; null for a draft. */
  readonly publishMs: number | null
  readonly isWithdrawal: boolean
}

/** A text as the editor lists it. */
export type TextEntry = {
  readonly kind: TextKind
  readonly key: string
  /** What readers see now: the file, a version of the editor, or nothing yet. */
  readonly shown: 'file' | 'editor' | 'nothing'
  /** The newest version of the editor; null where there is none. */
  readonly newest: TextVersion | null
}

export type OpenedText = TextEntry & {
  /** Of the newest version, else of the file. */
  readonly text: string
  /** The newest first. */
  readonly versions: readonly TextVersion[]
}

export type TextChange = Pick<TextSource, 'kind' | 'key'> & {
  /** The whole text with its head; null: the file counts again. */
  readonly text: string | null
  /** When it is shown: from now on, from a time on, or not yet. */
  readonly publish: 'draft' | 'now' | { readonly atMs: number }
  /** The newest version that its author had seen; null for none. */
  readonly basedOn: number | null
  readonly author: string
}

export type StoredPicture = PictureHead & {
  readonly name: string
  /** What its author calls it. */
  readonly title: string
}

export type AdCount = {
  readonly ad: string
  readonly day: string
  readonly event: AdEvent
  readonly times: number
}

/** What editors wrote, from files and from the editor, and how often advertisements were met. */
export type Cms = AsyncDisposable & {
  /** All that is published now. */
  content(): Content
  /** Advertisements whose time is now. */
  ads(): Ad[]
  /** Changes whenever `content` does. */
  mark(): string
  /** Looks for what was published since, here or by another process, or whose time has come. */
  refresh(): Promise<void>
  entries(): Promise<TextEntry[]>
  /** Throws `content.unknown`. */
  open(kind: TextKind, key: string): Promise<OpenedText>
  /** The text of one version. Throws `content.unknown`. */
  version(id: number): Promise<string>
  /** The text as data, or `content.invalid` with line and reason. */
  preview(source: TextSource): ParsedText
  /** Throws `content.invalid`, and `content.changed` where somebody else saved meanwhile. */
  save(change: TextChange): Promise<TextVersion>
  /** A version whose time has not come becomes a draft. Throws `content.unknown`. */
  unschedule(id: number): Promise<void>
  pictures(): StoredPicture[]
  /** Bytes by what they say they are. Throws `content.invalid`. */
  addPicture(bytes: Buffer, title: string, author: string): Promise<StoredPicture>
  picture(name: string): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined>
  /** Counts an event of an advertisement that is shown now. Throws `content.unknown`. */
  count(id: string, event: AdEvent): Promise<void>
  counts(): Promise<AdCount[]>
}

export type CmsDeps = {
  readonly files: ContentFiles
  /** Opened with the first question for it. */
  readonly store: () => Promise<Pick<Store, 'query'>>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called after `content` has changed. */
  readonly onChange?: () => void
  /** Milliseconds between looks; 0 for none. */
  readonly pollMs?: number
}

/** An advertisement may be dismissed a moment after its time. */
const GRACE_MS = 3_600_000
/** Of a picture’s fingerprint that stands in its name: enough that none is met twice. */
const NAME_DIGITS = 24
const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

type VersionRow = {
  readonly id: string
  readonly kind: TextKind
  readonly key: string
  readonly author: string
  readonly created_at: Date
  readonly publish_at: Date | null
  readonly is_withdrawal: boolean
}
const VERSION = 'id, kind, key, author, created_at, publish_at, text IS NULL AS is_withdrawal'

const versionOf = (row: VersionRow): TextVersion => ({
  id: Number(row.id),
  author: row.author,
  createdMs: row.created_at.getTime(),
  publishMs: row.publish_at?.getTime() ?? null,
  isWithdrawal: row.is_withdrawal,
})

const idOf = ({ kind, key }: Pick<TextSource, 'kind' | 'key'>): string => `${kind}/${key}`

/**
 * Texts of the files, each replaced by the version that the editor has published of it. Throws `content.invalid` for a
 * fault of the files; a store that does not answer leaves the files alone, and is asked again.
 */
export function openCms({ files, store, log, now, onChange, pollMs = 0 }: CmsDeps): Cms {
  let stored: readonly StoredPicture[] = []
  let published: readonly (TextSource & { readonly id: number })[] = []
  let content = contentOf(files.texts, files.pictures, files.queryExamples)
  let mark = ''
  let wasReached = true
  let looking: Promise<void> = Promise.resolve()

  const pictures = () => [...files.pictures, ...stored]

  /** The files, each replaced by the version of the editor that is shown. */
  const merged = (versions: readonly TextSource[]): TextSource[] => [
    ...new Map([...files.texts, ...versions].map(source => [idOf(source), source])).values(),
  ]

  async function look(): Promise<void> {
    const base = await store()
    stored = await base.query<StoredPicture>(
      'SELECT name, title, type, width, height FROM assay.cms_pictures ORDER BY created_at DESC, name',
    )
    const rows = await base.query<{ id: string; kind: TextKind; key: string; text: string | null }>(
      `SELECT DISTINCT ON (kind, key) id, kind, key, text FROM assay.cms_versions
WHERE publish_at <= $1 ORDER BY kind, key, publish_at DESC, id DESC`,
      [new Date(now())],
    )
    const shown = rows.flatMap(({ id, kind, key, text }) =>
      text === null ? [] : [{ id: Number(id), kind, key, text }],
    )
    const next = shown.map(({ id }) => id).join()
    if (next === mark) return
    published = shown.filter(source => isSound(source))
    content = contentOf(merged(published), pictures(), files.queryExamples)
    mark = next
    onChange?.()
  }

  /** What an older program took may be a fault to this one: then the file is shown. */
  function isSound(source: TextSource): boolean {
    try {
      parseText(source, placeOf(source), pictures())
      return true
    } catch (cause) {
      log.warn('a published version cannot be shown', { text: idOf(source), cause: sentenceOf(cause) })
      return false
    }
  }

  function refresh(): Promise<void> {
    looking = looking.then(() =>
      look().then(
        () => {
          wasReached = true
        },
        cause => {
          // Said once, not at every look.
          if (wasReached) log.warn('published versions cannot be read', { cause: sentenceOf(cause) })
          wasReached = false
        },
      ),
    )
    return looking
  }

  const timer = pollMs > 0 ? setInterval(() => void refresh(), pollMs).unref() : undefined

  const shownOf = (of: Pick<TextSource, 'kind' | 'key'>): TextEntry['shown'] =>
    published.some(each => idOf(each) === idOf(of))
      ? 'editor'
      : files.texts.some(each => idOf(each) === idOf(of))
        ? 'file'
        : 'nothing'

  return {
    content: () => content,
    ads: () => adsAt(content.ads, now()),
    mark: () => mark,
    refresh,
    async entries() {
      await refresh()
      const rows = await (await store()).query<VersionRow>(
        `SELECT DISTINCT ON (kind, key) ${VERSION} FROM assay.cms_versions ORDER BY kind, key, id DESC`,
      )
      const known = new Map<string, Pick<TextSource, 'kind' | 'key'>>([
        ...files.texts.map(source => [idOf(source), source] as const),
        ...rows.map(row => [idOf(row), row] as const),
      ])
      return [...known.values()].map(({ kind, key }) => {
        const row = rows.find(each => each.kind === kind && each.key === key)
        return { kind, key, shown: shownOf({ kind, key }), newest: row ? versionOf(row) : null }
      })
    },
    async open(kind, key) {
      await refresh()
      const rows = await (await store()).query<VersionRow & { text: string | null }>(
        `SELECT ${VERSION}, text FROM assay.cms_versions WHERE kind = $1 AND key = $2 ORDER BY id DESC`,
        [kind, key],
      )
      const file = files.texts.find(source => source.kind === kind && source.key === key)
      const [newest] = rows
      if (newest === undefined && file === undefined) throw unknown(`There is no text ${kind}/${key}.`)
      return {
        kind,
        key,
        shown: shownOf({ kind, key }),
        newest: newest ? versionOf(newest) : null,
        text: newest?.text ?? file?.text ?? '',
        versions: rows.map(versionOf),
      }
    },
    async version(id) {
      const [row] = await (await store()).query<{ text: string | null }>(
        'SELECT text FROM assay.cms_versions WHERE id = $1 AND text IS NOT NULL',
        [id],
      )
      if (row?.text == null) throw unknown(`There is no version ${id} with a text.`)
      return row.text
    },
    preview: source => parseText(source, placeOf(source), pictures()),
    async save({ kind, key, text, publish, basedOn, author }) {
      if (kind === 'ads' ? key !== 'ads' : !isKey(key))
        throw new ContentError(
          'content.invalid',
          'The name of a text is its address: letters, digits and hyphens.',
        )
      await refresh()
      const source = text === null ? undefined : { kind, key, text }
      if (source !== undefined) {
        parseText(source, placeOf(source), pictures())
        contentOf(
          merged([...published.filter(each => idOf(each) !== idOf(source)), source]),
          pictures(),
          files.queryExamples,
        )
      }
      const at = new Date(now())
      const publishAt = publish === 'draft' ? null : publish === 'now' ? at : new Date(publish.atMs)
      // A version has one successor: of two who save at once the second hears of the first.
      const [row] = await (await store()).query<VersionRow>(
        `INSERT INTO assay.cms_versions (kind, key, text, author, created_at, publish_at, based_on)
SELECT $1, $2, $3, $4, $5, $6, $7::bigint
WHERE $7::bigint = 0 OR EXISTS (SELECT 1 FROM assay.cms_versions WHERE id = $7::bigint AND kind = $1 AND key = $2)
ON CONFLICT (kind, key, based_on) DO NOTHING
RETURNING ${VERSION}`,
        [kind, key, text, author, at, publishAt, basedOn ?? 0],
      )
      if (row === undefined)
        throw new ContentError('content.changed', `Somebody else has saved ${kind}/${key} meanwhile.`, {
          hint: 'Open it again: your own words are still in the field.',
        })
      await refresh()
      return versionOf(row)
    },
    async unschedule(id) {
      const rows = await (await store()).query(
        'UPDATE assay.cms_versions SET publish_at = NULL WHERE id = $1 AND publish_at > $2 RETURNING id',
        [id, new Date(now())],
      )
      if (rows.length === 0) throw unknown(`No version ${id} waits for its time.`)
    },
    pictures: () => [...stored],
    async addPicture(bytes, title, author) {
      const head = readPicture(bytes, 'the picture')
      const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, NAME_DIGITS)}.${ENDINGS[head.type]}`
      await (await store()).query(
        `INSERT INTO assay.cms_pictures (name, title, type, width, height, bytes, author, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING`,
        [name, title, head.type, head.width, head.height, bytes, author, new Date(now())],
      )
      await refresh()
      return { name, title, ...head }
    },
    async picture(name) {
      const file = files.pictures.find(each => each.name === name)
      if (file !== undefined) return file
      const [row] = await (await store()).query<{ type: string; bytes: Buffer }>(
        'SELECT type, bytes FROM assay.cms_pictures WHERE name = $1',
        [name],
      )
      return row
    },
    async count(id, event) {
      const ad = content.ads.find(each => each.id === id)
      if (ad === undefined || now() < ad.startMs || now() >= ad.endMs + GRACE_MS)
        throw unknown(`No advertisement ${id.slice(0, 60)} is shown now.`)
      await (await store()).query(
        `INSERT INTO assay.ad_days (ad, day, event, times) VALUES ($1, $2, $3, 1)
ON CONFLICT (ad, day, event) DO UPDATE SET times = assay.ad_days.times + 1`,
        [id, new Date(now()).toISOString().slice(0, 10), event],
      )
    },
    async counts() {
      const rows = await (await store()).query<{ ad: string; day: string; event: AdEvent; times: string }>(
        'SELECT ad, day::text AS day, event, times FROM assay.ad_days ORDER BY day DESC, ad, event',
      )
      return rows.map(row => ({ ...row, times: Number(row.times) }))
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

const unknown = (message: string): ContentError => new ContentError('content.unknown', message)
