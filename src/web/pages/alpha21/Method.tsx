import { Card } from '../../blocks/Card.tsx'
import styles from './Alpha21.module.css'

/** How a record is made, so that nobody needs to trust it. */
export function Method({ tests }: { tests: number }) {
  return (
    <div id="method">
      <Card title="How the record is made">
        <dl className={styles.words}>
          <dt>Rule</dt>
          <dd>
            Each rule has a file in the catalog, with the day on which its parameters were fixed. Rules never
            change. New versions replace them, and the old record stays. The input is a metric of this site,
            for full days up to the day itself.
          </dd>
          <dt>Revisions</dt>
          <dd>
            Figures and closes are the sources’ current values, not the first published ones, so later
            revisions change past readings and the record. Use “As it was known on” in the bar above to see
            the data available by a day.
          </dd>
          <dt>Event</dt>
          <dd>
            The first day on a side, after a day with a reading off that side. Only the first of several
            events closer than the horizon counts, so that no return counts twice.
          </dd>
          <dt>Return</dt>
          <dd>
            From the close of the next day, when the day’s figures are available, over 7, 30 or 90 days. Means
            are of logarithms. Excludes fees, taxes and slippage.
          </dd>
          <dt>Hit</dt>
          <dd>
            A return beyond the mean of all days with a reading, in the direction of the side, because bitcoin
            rose on most days anyway. The interval is the 95% Wilson interval.
          </dd>
          <dt>Chance</dt>
          <dd>
            p is the share of all circular shifts of the events in time with an equal or higher return. With{' '}
            {tests} tests some succeed by chance, so corrected p uses Benjamini–Hochberg and also counts tests
            that could not run. An edge is 0.05 or less.
          </dd>
          <dt>In and out of sample</dt>
          <dd>
            Before a rule was fixed, its author could know the outcome, so that part proves nothing. In the
            walk-forward record, parameters were chosen before each year from data available by then. The time
            since the rule was fixed is out of sample.
          </dd>
        </dl>
      </Card>
    </div>
  )
}
