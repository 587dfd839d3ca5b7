/** What a piece of writing is made of, as data: pages draw it, and no HTML of an author ever reaches a browser. */

/** A part of a line. `figure` and `note` are places in the lists of the same names. */
export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly type: 'break' }
  /** One of our own: browsers ask nobody else. */
  | { readonly type: 'picture'; readonly src: string; readonly alt: string }
  | { readonly type: 'figure'; readonly figure: number }
  | { readonly type: 'note'; readonly note: number }

export type Block =
  | {
      readonly type: 'heading'
      readonly depth: 2 | 3
      readonly id: string
      readonly children: readonly Inline[]
    }
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | { readonly type: 'code'; readonly text: string }
  | {
      readonly type: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  /** One of the charts that the head of the file declares. */
  | { readonly type: 'chart'; readonly chart: string }

/** A number in the text: what a metric said of a day when the text was published. */
export type Figure = {
  readonly metric: string
  readonly entity: string
  /** What the text calls the entity, where its id is no name. */
  readonly of: string | undefined
  /** The UTC day, or the first day of the week or month, that it tells of. */
  readonly day: string
  readonly grain: 'day' | 'week' | 'month'
  /** The value of the breakdown that is meant; absent: the sum of all, or there is no breakdown. */
  readonly key: string | undefined
  /** In the unit of the metric, as it was published. */
  readonly published: number
}

/** A text with its numbers and its notes, in the order in which they come. */
export type Written = {
  readonly blocks: readonly Block[]
  readonly figures: readonly Figure[]
  readonly notes: readonly (readonly Inline[])[]
}

/** All plain words of parts of lines: what searches, feeds and tables of contents say. */
export const wordsOf = (parts: readonly Inline[]): string =>
  parts.map(part => ('text' in part ? part.text : 'children' in part ? wordsOf(part.children) : '')).join('')
