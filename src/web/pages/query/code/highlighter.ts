import { tagHighlighter, tags } from '@lezer/highlight'
import styles from './CodeEditor.module.css'

const of = (name: string) => styles[name] ?? ''

/** Classes of our own style sheet for what the parser tells apart. */
export const highlighter = tagHighlighter([
  { tag: tags.keyword, class: of('keyword') },
  { tag: [tags.standard(tags.name), tags.function(tags.name)], class: of('function') },
  { tag: tags.typeName, class: of('type') },
  { tag: [tags.string, tags.special(tags.string)], class: of('string') },
  { tag: [tags.number, tags.bool, tags.null], class: of('number') },
  { tag: tags.comment, class: of('comment') },
])
