import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ad } from './ads.ts'
import type { Block, Written } from './document.ts'
import { faultIn } from './errors.ts'
import {
  type GatedHead,
  type GuideHead,
  type PageHead,
  parseText,
  type ReportHead,
  type TextKind,
} from './parseText.ts'
import { type PictureHead, readPicture } from './picture.ts'
import { inOrder, parseQueryExample, type QueryExample } from './queryExamples.ts'

export type Page = PageHead & { readonly name: string } & Written
/** A chapter of the documentation. */
export type Guide = GuideHead & { readonly name: string } & Written
export type Report = ReportHead & {
  readonly key: string
  /** At 230 words a minute, at least one. */
  readonly minutes: number
} & Written
/** A piece for who has a feature: it stands below the page at `path`. */
export type Gated = GatedHead & { readonly key: string } & Written

/** All that editors wrote. */
export type Content = {
  /** By their names, which are their addresses: `About` is at `/About`. */
  readonly pages: readonly Page[]
  /** Chapters of the documentation, in their order. */
  readonly guides: readonly Guide[]
  /** The newest first. */
  readonly reports: readonly Report[]
  readonly gated: readonly Gated[]
  /** In the order in which they are tried. */
  readonly ads: readonly Ad[]
  /** By topic. */
  readonly queryExamples: readonly QueryExample[]
}

/** One text as it was written: what a file or a version of the editor holds. */
export type TextSource = { readonly kind: TextKind; readonly key: string; readonly text: string }

/** A picture that comes as a file. */
export type PictureFile = PictureHead & { readonly name: string; readonly bytes: Buffer }

/** A folder of texts as it was found. */
export type ContentFiles = {
  readonly texts: readonly TextSource[]
  readonly pictures: readonly PictureFile[]
  readonly queryExamples: readonly QueryExample[]
}

const FOLDERS = { page: 'pages', guide: 'documentation', report: 'reports', gated: 'gated' } as const
const ADS_FILE = 'ads.yaml'
/** Where pictures of advertisements lie beside it. */
const PICTURES = 'ads'
const EXAMPLES = 'queries'
const NAME = /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/
const PICTURE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*\.(png|jpg|webp)$/

/** Whether a text may have this key: it is its address. */
export const isKey = (key: string): boolean => NAME.test(key) && key.length <= 80

/** What a fault calls a text: the file in which it is, or would be. */
export const placeOf = ({ kind, key }: Pick<TextSource, 'kind' | 'key'>): string =>
  kind === 'ads' ? `content/${ADS_FILE}` : `content/${FOLDERS[kind]}/${key}.md`

/**
 * Reads `pages/*.md`, `documentation/*.md`, `reports/*.md`, `gated/*.md` and `ads.yaml` of a folder, the pictures in `ads/`
 * and the example queries in `queries/*.sql`. Texts are a head of YAML between two lines of `---`, then Markdown. Throws `content.invalid` with file, line or
 * field, and reason of the first fault.
 */
export async function readContent(dir: string): Promise<Content> {
  const files = await readContentFiles(dir)
  return contentOf(files.texts, files.pictures, files.queryExamples)
}

/** The texts of a folder as they are written. Throws `content.invalid` for invalid names, pictures and example queries. */
export async function readContentFiles(dir: string): Promise<ContentFiles> {
  const [texts, ads, pictures, queryExamples] = await Promise.all([
    Promise.all(
      (Object.keys(FOLDERS) as (keyof typeof FOLDERS)[]).map(async kind =>
        Promise.all(
          (await entriesOf(dir, FOLDERS[kind]))
            .filter(entry => entry.endsWith('.md'))
            .map(async (entry): Promise<TextSource> => {
              const key = entry.slice(0, -3)
              if (!isKey(key))
                throw faultIn(
                  `content/${FOLDERS[kind]}/${entry}`,
                  'the name of the file is its address: letters, digits and hyphens',
                )
              return { kind, key, text: await readFile(join(dir, FOLDERS[kind], entry), 'utf8') }
            }),
        ),
      ),
    ),
    readFile(join(dir, ADS_FILE), 'utf8').catch(absent),
    Promise.all(
      (await entriesOf(dir, PICTURES))
        .filter(entry => !entry.startsWith('.'))
        .map(async (name): Promise<PictureFile> => {
          const place = `content/${PICTURES}/${name}`
          if (!PICTURE_NAME.test(name))
            throw faultIn(
              place,
              'a picture is called by lower-case words joined by hyphens, and ends in .png, .jpg or .webp',
            )
          const bytes = await readFile(join(dir, PICTURES, name))
          return { name, bytes, ...readPicture(bytes, place) }
        }),
    ),
    readExamples(dir),
  ])
  return {
    texts: [...texts.flat(), ...(ads === undefined ? [] : [{ kind: 'ads' as const, key: 'ads', text: ads }])],
    pictures,
    queryExamples: inOrder(queryExamples),
  }
}

/** A function of its own: an await within the list above would leave a rejected part of it without a handler. */
async function readExamples(dir: string): Promise<QueryExample[]> {
  const files = (await entriesOf(dir, EXAMPLES)).filter(entry => entry.endsWith('.sql'))
  return Promise.all(
    files.map(async file =>
      parseQueryExample(await readFile(join(dir, EXAMPLES, file), 'utf8'), file.slice(0, -4)),
    ),
  )
}

/** Texts and what they rest on become data. Throws `content.invalid` with file, line or field, and reason of the first fault. */
export function contentOf(
  texts: readonly TextSource[],
  pictures: readonly (PictureHead & { readonly name: string })[],
  queryExamples: readonly QueryExample[],
): Content {
  const parsed = texts.map(source => ({ source, ...parseText(source, placeOf(source), pictures) }))
  const pages: Page[] = []
  const guides: Guide[] = []
  const reports: Report[] = []
  const gated: Gated[] = []
  let ads: readonly Ad[] = []
  for (const each of parsed) {
    const { key } = each.source
    switch (each.kind) {
      case 'page':
        pages.push({ name: key, ...each.head, ...each.written })
        break
      case 'guide':
        guides.push({ name: key, ...each.head, ...each.written })
        break
      case 'report':
        reports.push({
          key,
          ...each.head,
          ...each.written,
          minutes: Math.max(1, Math.round(each.words / 230)),
        })
        break
      case 'gated':
        gated.push({ key, ...each.head, ...each.written })
        break
      case 'ads':
        ads = each.ads
        break
    }
  }
  return {
    pages: pages.sort((a, b) => byText(a.name, b.name)),
    guides: guides.sort((a, b) => a.order - b.order || byText(a.name, b.name)),
    reports: reports.sort((a, b) => byText(b.published, a.published) || byText(a.key, b.key)),
    gated: gated.sort((a, b) => byText(a.key, b.key)),
    ads,
    queryExamples,
  }
}

/** A report that needs a feature, as all may read it: its first chart, and no word of its text. */
export function publicPartOf(report: Report): Report {
  if (report.requires === undefined) return report
  const chart = report.blocks.find((block): block is Block & { type: 'chart' } => block.type === 'chart')
  return { ...report, blocks: chart === undefined ? [] : [chart], figures: [], notes: [] }
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** A site without reports has no such folder. */
const entriesOf = async (dir: string, folder: string): Promise<string[]> =>
  ((await readdir(join(dir, folder)).catch(absent)) ?? []).sort()

function absent(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined
  throw cause
}
