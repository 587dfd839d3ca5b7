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
            Each has its file in the catalogue, with the day on which rule and parameters were fixed. A rule
            is never changed: another one follows it, and its record stays. What it reads is a metric of this
            site, of whole days up to the day itself.
          </dd>
          <dt>Revisions</dt>
          <dd>
            Figures and closes are read as their sources give them now, not as they were first known: what a
            publisher revises later moves past readings and the record with it. “As it was known on” in the
            bar above takes what was seen here by a day.
          </dd>
          <dt>Event</dt>
          <dd>
            The first day in a side, after a day with a reading that was not in it. Of events closer than the
            horizon only the first counts, so that no return is counted twice.
          </dd>
          <dt>Return</dt>
          <dd>
            From the close of the day after, when the figures of the day are known, 7, 30 or 90 days ahead.
            Means are of logarithms. Fees, taxes and slippage are not in it.
          </dd>
          <dt>Hit</dt>
          <dd>
            A return beyond the mean of all days with a reading, in the direction of the side: bitcoin rose on
            most days, and to have risen too is no merit. The interval is Wilson’s, of 95 %.
          </dd>
          <dt>Chance</dt>
          <dd>
            p is the share of all shifts of the events along the days, around the end, that bring as much or
            more. With {tests} tests some succeed by luck: p corrected is by Benjamini and Hochberg, and tests
            that could not be made count too. An edge is 0.05 or less.
          </dd>
          <dt>In and out of sample</dt>
          <dd>
            Up to the day on which a rule was fixed its author could know what followed: that part proves
            nothing. Walked forward, parameters were chosen before each year from what was known by then.
            Since the rule was fixed is out of sample.
          </dd>
        </dl>
      </Card>
    </div>
  )
}
