import { chainBlocksList } from '../../../format/chainBlocks.ts'
import { agoText, timeText } from '../../../format/day.ts'
import styles from './Cited.module.css'
import type { Cited } from './cited.ts'

/** What a stored result rests on, and how old it is. */
export function CitedFacts({
  cited: { readAt },
  found,
}: {
  cited: Cited
  found: NonNullable<Cited['found']>
}) {
  const { result, currentDataVersion } = found
  const { createdAt, dataVersion, asOf, isPrivate } = result
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Computed</dt>
        <dd>
          {timeText(createdAt)} ({agoText(createdAt, readAt)})
        </dd>
      </div>
      {asOf.length > 0 && (
        <div>
          <dt>Indexed to</dt>
          <dd className={styles.chains}>{chainBlocksList(asOf)}</dd>
        </div>
      )}
      <div>
        <dt>Data version</dt>
        <dd>
          <code>{dataVersion}</code>
          {dataVersion === currentDataVersion ? (
            ', the current one'
          ) : (
            <>
              . The current one is <code>{currentDataVersion}</code>, so a new run may return other rows.
            </>
          )}
        </dd>
      </div>
      {isPrivate && (
        <div>
          <dt>Who can open it</dt>
          <dd>Only you. It rests on an upload of yours.</dd>
        </div>
      )}
    </dl>
  )
}
