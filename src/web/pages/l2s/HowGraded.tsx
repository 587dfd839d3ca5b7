import type { Origin, SourceRef } from '#http/contract.ts'
import how from '../../blocks/HowToReadWords.module.css'
import { dayText } from '../../format/day.ts'
import { Source } from './Source.tsx'

type Props = {
  /** Of the figures on the page. */
  sources?: readonly SourceRef[]
  /** Of the facts of one layer. */
  origin?: Origin
}

/** Where the facts of the directory come from, and how far they can be trusted. */
export function HowGraded({ sources = [], origin }: Props) {
  return (
    <section className={how.how} aria-labelledby="how-to-read">
      <h2 id="how-to-read" className={how.title}>
        How to read this page
      </h2>
      <div className={how.columns}>
        <div className={how.words}>
          <p>
            The site’s catalog describes each layer, its deposits and withdrawals and its trust assumptions,
            in our words and with sources. Each status has a date and can have changed since. Unverified facts
            are marked on the layer’s page.
          </p>
          <p>
            Grades are published by Bitcoin Layers, with a date and a link, never our own. “Under Review” and
            “Unverified” are its terms for no grade yet. No grade is not a good grade.
          </p>
          <p>
            BTC bridged is for each layer’s latest full day from its source, so dates differ. Coins bridged
            from one layer to another count on both. Layers without a figure are excluded from the sum, never
            counted as zero.
          </p>
        </div>
        <div>
          <h3 className={how.sub}>Sources</h3>
          <ul className={how.sources}>
            <li>
              <a href="https://www.bitcoinlayers.org" rel="noopener noreferrer">
                Bitcoin Layers
              </a>
              <span>MIT · status, grades and links, read from its repository</span>
            </li>
            <li>
              <a href="https://github.com/wevm/viem" rel="noopener noreferrer">
                viem
              </a>
              <span>MIT · chain ids and endpoints</span>
            </li>
            {origin && (
              <li>
                <Source origin={origin} label="This layer:" />
              </li>
            )}
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
      </div>
    </section>
  )
}
