import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { WrittenBlock, WrittenInline } from '#http/contract.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from './Written.module.css'
import { wordsOf } from './wordsOf.ts'

type Props = {
  blocks: readonly WrittenBlock[]
  notes: readonly (readonly WrittenInline[])[]
  /** A number of the text by its place; texts without live figures have none. */
  figure?: (place: number) => ReactNode
  /** A chart of the text by its id. */
  chart?: (id: string) => ReactNode
}

/** Parts in their order: they have no other name, and never change places. */
const inOrder = (of: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...of)

/** What an editor wrote, drawn from data: no HTML of an author ever stands on a page. */
export function Written({ blocks, notes, figure = () => null, chart = () => null }: Props) {
  const parts = (inlines: readonly WrittenInline[]): ReactNode => inOrder(inlines.map(part))

  const part = (inline: WrittenInline): ReactNode => {
    switch (inline.type) {
      case 'text':
        return inline.text
      case 'code':
        return <code>{inline.text}</code>
      case 'strong':
        return <strong>{parts(inline.children)}</strong>
      case 'emphasis':
        return <em>{parts(inline.children)}</em>
      case 'break':
        return <br />
      case 'picture':
        return <img className={styles.picture} src={inline.src} alt={inline.alt} loading="lazy" />
      case 'link':
        // The API is no page of ours to walk to.
        return inline.href.startsWith('/') && !inline.href.startsWith('/api/') ? (
          <Link to={inline.href}>{parts(inline.children)}</Link>
        ) : (
          <a href={inline.href} rel="noopener noreferrer">
            {parts(inline.children)}
          </a>
        )
      case 'figure':
        return figure(inline.figure)
      case 'note':
        return (
          <sup className={styles.mark}>
            <a
              id={`note-mark-${inline.note + 1}`}
              href={`#note-${inline.note + 1}`}
              aria-label={`Note ${inline.note + 1}`}
            >
              {inline.note + 1}
            </a>
          </sup>
        )
    }
  }

  const drawn = (all: readonly WrittenBlock[]): ReactNode => inOrder(all.map(one))

  const item = (blocks: readonly WrittenBlock[]) => <li>{drawn(blocks)}</li>
  const heading = (cell: readonly WrittenInline[]) => <th scope="col">{parts(cell)}</th>
  const cell = (of: readonly WrittenInline[]) => <td>{parts(of)}</td>
  const line = (cells: readonly (readonly WrittenInline[])[]) => <tr>{inOrder(cells.map(cell))}</tr>
  const note = (of: readonly WrittenInline[], index: number) => (
    <li id={`note-${index + 1}`}>
      {parts(of)}{' '}
      <a href={`#note-mark-${index + 1}`} aria-label={`Back to where note ${index + 1} is called`}>
        ↩
      </a>
    </li>
  )

  const one = (block: WrittenBlock): ReactNode => {
    switch (block.type) {
      case 'heading': {
        const Heading = block.depth === 2 ? 'h2' : 'h3'
        return <Heading id={block.id}>{parts(block.children)}</Heading>
      }
      case 'paragraph':
        return <p>{parts(block.children)}</p>
      case 'list': {
        const List = block.isOrdered ? 'ol' : 'ul'
        return <List>{inOrder(block.items.map(item))}</List>
      }
      case 'quote':
        return <blockquote>{drawn(block.children)}</blockquote>
      case 'code':
        return (
          <ScrollRegion label={`Code: ${block.text.slice(0, 40)}`} className={styles.code}>
            <pre>
              <code>{block.text}</code>
            </pre>
          </ScrollRegion>
        )
      case 'table':
        return (
          <ScrollRegion label={`Table: ${block.head.map(wordsOf).join(', ')}`} className={styles.table}>
            <table>
              <thead>
                <tr>{inOrder(block.head.map(heading))}</tr>
              </thead>
              <tbody>{inOrder(block.rows.map(line))}</tbody>
            </table>
          </ScrollRegion>
        )
      case 'chart':
        return chart(block.chart)
    }
  }

  // Charts stand between the runs of text: the looks of one are not those of the other.
  const run = (of: readonly WrittenBlock[]) =>
    of[0]?.type === 'chart' ? chart(of[0].chart) : <div className={styles.written}>{drawn(of)}</div>

  return (
    <div className={styles.runs}>
      {inOrder(runsOf(blocks).map(run))}
      {notes.length > 0 && (
        <section aria-label="Notes" className={`${styles.written} ${styles.notes}`}>
          <h2 id="notes">Notes</h2>
          <ol>{inOrder(notes.map(note))}</ol>
        </section>
      )}
    </div>
  )
}

/** Text between charts, and each chart for itself. */
function runsOf(blocks: readonly WrittenBlock[]): WrittenBlock[][] {
  const runs: WrittenBlock[][] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (block.type === 'chart' || last === undefined || last[0]?.type === 'chart') runs.push([block])
    else last.push(block)
  }
  return runs
}
