import { Link } from 'react-router'
import type { SourceRef } from '#http/contract.ts'
import { dayText } from '../format/day.ts'
import { HOW_TO_READ } from './HowToRead.tsx'
import styles from './HowToReadWords.module.css'

/** What a day is, by what a page is about. */
export type Days = keyof typeof DAY | { readonly words: string }
export type HowToReadProps = { sources: readonly SourceRef[]; chain?: Days }

/** What a day is, and when it counts as whole. */
const DAY = {
  bitcoin:
    'A day is a UTC day by the time in each block’s header. It is closed once no later block can fall into it; until then its figure is drawn dashed and left out of every change. A day with a gap in its blocks is drawn hollow.',
  stacks:
    'Days are UTC days by block time: a Nakamoto block’s own time, earlier the header time of its Bitcoin block. A day is complete once indexed blocks extend two hours past both ends. Until then its figure is dashed and excluded from changes. Days with missing blocks are hollow.',
  layer:
    'Days are UTC days by block time. A day is complete once indexed blocks extend past both ends. Until then its figure is dashed and excluded from changes. Transactions that the chain itself puts into each block are not usage and are excluded. Days with missing blocks are hollow.',
}

/** More sources than that stand below the words, in columns: beside them they would leave half the page empty. */
const SHORT_LIST = 8

/** Method, caveats and sources of the figures above, for those who want to trust them. */
export function HowToReadWords({ sources, chain = 'bitcoin' }: HowToReadProps) {
  return (
    <section className={styles.how} aria-labelledby={HOW_TO_READ}>
      <h2 id={HOW_TO_READ} className={styles.title}>
        How to read this page
      </h2>
      <div className={styles.columns} data-many={sources.length > SHORT_LIST || undefined}>
        <div className={styles.words}>
          <p>
            {typeof chain === 'string' ? DAY[chain] : chain.words} A figure that does not exist is a gap,
            never zero.
          </p>
          <p>
            Ranges count back from the latest day of a figure. Changes compare full days at both ends of the
            range. Our on-chain data takes precedence over a node’s statistics, and those over other sources.
            If several cover a day, the assay view shows the difference.
          </p>
          <p>
            Every figure opens its assay view: definition, SQL that you can change and run, sources, block
            heights and restatements. The <Link to="/documentation">documentation</Link> has the guide, the
            method of each metric, tables, sources and the API.
          </p>
        </div>
        {sources.length > 0 && (
          <div>
            <h3 className={styles.sub}>Sources</h3>
            <ul className={styles.sources}>
              {sources.map(source => (
                <li key={source.id}>
                  <a href={source.url} rel="noopener noreferrer">
                    {source.name}
                  </a>
                  <span data-state={source.state}>
                    {source.licence}
                    {source.lastSuccess ? ` · read ${dayText(source.lastSuccess)}` : ' · never reached'}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}
