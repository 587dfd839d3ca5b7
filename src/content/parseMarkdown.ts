import type { Nodes, Parent, PhrasingContent, RootContent, Table } from 'mdast'
import { directiveFromMarkdown, type LeafDirective, type TextDirective } from 'mdast-util-directive'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { directive } from 'micromark-extension-directive'
import { gfm } from 'micromark-extension-gfm'
import { z } from 'zod'
import { isLocalPath } from '#kernel/localPath.ts'
import { zodWords } from '#kernel/zodWords.ts'
import { type Block, type Figure, type Inline, type Written, wordsOf } from './document.ts'
import { ContentError } from './errors.ts'

/** `:figure{metric=… entity=… of=… day=… grain=… key=… published=…}` */
const FigureMark = z.strictObject({
  metric: z.string().regex(/^[a-z0-9_.]{1,80}$/, 'must be the id of a metric'),
  entity: z.string().regex(/^[a-z0-9.-]{1,60}$/, 'must be the id of an entity'),
  of: z.string().optional(),
  day: z.iso.date(),
  grain: z.enum(['day', 'week', 'month']).default('day'),
  key: z.string().optional(),
  published: z.coerce.number(),
})

/** Below which the pictures of editors are. */
const MEDIA = '/api/cms/media/'
const PICTURE = /^\/api\/cms\/media\/[a-z0-9-]+\.(png|jpg|webp)$/

/** Whether a link leads to a path of this site, to another site over https, to a part of the page, or to a mailbox. */
const isHref = (url: string): boolean =>
  isLocalPath(url) || (/^(#|https:\/\/|mailto:)/.test(url) && !/[\\\p{Cc}]/u.test(url))

/**
 * CommonMark with tables, footnotes and struck-out words of GitHub’s, and two directives: `:figure{…}` in a line and
 * `::chart{id=…}` for itself. Throws `content.invalid` with file, line and reason for what a page could not draw: HTML,
 * pictures of others, headings of the first order, links by other protocols, notes that are not there.
 */
export function parseMarkdown(text: string, file: string, firstLine = 1): Written {
  const tree = fromMarkdown(text, {
    extensions: [gfm(), directive()],
    mdastExtensions: [gfmFromMarkdown(), directiveFromMarkdown()],
  })
  const figures: Figure[] = []
  const ids = new Map<string, number>()
  /** Notes by name, in the order in which the text calls them. */
  const called: string[] = []
  const written = new Map(
    tree.children.flatMap(node => (node.type === 'footnoteDefinition' ? [[node.identifier, node]] : [])),
  )

  const fault = (node: Nodes, reason: string): ContentError => {
    const line = (node.position?.start.line ?? 1) + firstLine - 1
    return new ContentError('content.invalid', `${file}, line ${line}: ${reason}`, { facts: { file, line } })
  }

  function figureOf(node: TextDirective): number {
    const read = FigureMark.safeParse(node.attributes ?? {}, { error: zodWords })
    if (!read.success) {
      const [issue] = read.error.issues
      throw fault(node, `:figure ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`)
    }
    const { key, of, ...rest } = read.data
    return figures.push({ ...rest, key, of }) - 1
  }

  const inlines = (nodes: readonly PhrasingContent[]): Inline[] => nodes.map(inline)

  function inline(node: PhrasingContent): Inline {
    switch (node.type) {
      case 'text':
        return { type: 'text', text: node.value.replaceAll('\n', ' ') }
      case 'inlineCode':
        return { type: 'code', text: node.value }
      case 'strong':
        return { type: 'strong', children: inlines(node.children) }
      case 'emphasis':
        return { type: 'emphasis', children: inlines(node.children) }
      case 'break':
        return { type: 'break' }
      case 'link':
        if (!isHref(node.url)) throw fault(node, `a link may lead to / or https://, not to ${node.url}`)
        return { type: 'link', href: node.url, children: inlines(node.children) }
      case 'image':
        if (!PICTURE.test(node.url))
          throw fault(node, `a picture must be one of our own, below ${MEDIA}, not ${node.url}`)
        if (!node.alt?.trim()) throw fault(node, 'a picture needs words for who does not see it: ![words](…)')
        return { type: 'picture', src: node.url, alt: node.alt.trim() }
      case 'footnoteReference': {
        if (!written.has(node.identifier)) throw fault(node, `there is no note [^${node.label}]`)
        if (!called.includes(node.identifier)) called.push(node.identifier)
        return { type: 'note', note: called.indexOf(node.identifier) }
      }
      case 'textDirective':
        if (node.name !== 'figure')
          throw fault(node, `:${node.name} is not known; a colon before a letter is written \\:`)
        return { type: 'figure', figure: figureOf(node) }
      default:
        throw fault(node, `${WORDS[node.type] ?? node.type} cannot be drawn here`)
    }
  }

  function idOf(children: readonly Inline[]): string {
    const plain = wordsOf(children)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
    const times = ids.get(plain) ?? 0
    ids.set(plain, times + 1)
    return times === 0 ? plain : `${plain}-${times + 1}`
  }

  const blocks = (nodes: readonly RootContent[]): Block[] => nodes.flatMap(block)

  function block(node: RootContent): Block[] {
    switch (node.type) {
      case 'heading': {
        if (node.depth !== 2 && node.depth !== 3)
          throw fault(node, 'headings begin with ## or ###: the title stands in the head of the file')
        const children = inlines(node.children)
        return [{ type: 'heading', depth: node.depth, id: idOf(children), children }]
      }
      case 'paragraph':
        return [{ type: 'paragraph', children: inlines(node.children) }]
      case 'list':
        return [
          {
            type: 'list',
            isOrdered: node.ordered === true,
            items: node.children.map(item => blocks(item.children)),
          },
        ]
      case 'blockquote':
        return [{ type: 'quote', children: blocks(node.children) }]
      case 'code':
        return [{ type: 'code', text: node.value }]
      case 'table':
        return [tableOf(node)]
      case 'leafDirective':
        return [chartOf(node)]
      case 'footnoteDefinition':
        return []
      default:
        throw fault(node, `${WORDS[node.type] ?? node.type} cannot be drawn here`)
    }
  }

  function tableOf(node: Table): Block {
    const [head = [], ...rows] = node.children.map(row => row.children.map(cell => inlines(cell.children)))
    return { type: 'table', head, rows }
  }

  function chartOf(node: LeafDirective): Block {
    const id = node.attributes?.id
    if (node.name !== 'chart' || !id) throw fault(node, `::${node.name} is not known; there is ::chart{id=…}`)
    return { type: 'chart', chart: id }
  }

  const body = blocks(tree.children)
  // A note may call another: the list grows while it is read.
  const notes: Inline[][] = []
  for (let at = 0; at < called.length; at += 1) {
    const note = written.get(called[at]!)
    notes.push(inlines(paragraphOf(note as Parent | undefined)))
  }
  for (const [name, node] of written)
    if (!called.includes(name)) throw fault(node, `nothing calls the note [^${name}]`)
  return { blocks: body, figures, notes }
}

/** A note is one paragraph. */
const paragraphOf = (note: Parent | undefined): readonly PhrasingContent[] => {
  const [first] = note?.children ?? []
  return first?.type === 'paragraph' ? first.children : []
}

const WORDS: Readonly<Record<string, string>> = {
  html: 'HTML',
  image: 'a picture',
  imageReference: 'a picture',
  thematicBreak: 'a rule',
  delete: 'struck-out text',
  definition: 'a link definition',
  linkReference: 'a link by name',
  containerDirective: 'a block of :::',
}
