import { chainBlocksList } from '../../../format/chainBlocks.ts'
import { agoText, timeText } from '../../../format/day.ts'
import styles from './Cited.module.css'
import type { Cited } from './cited.ts'

/** Data version and age of a stored result. */
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
            ' (current)'
          ) : (
            <>
              . The current version is <code>{currentDataVersion}</code>, so a new run may return different
              rows.
            </>
          )}
        </dd>
      </div>
      {isPrivate && (
        <div>
          <dt>Who can open it</dt>
          <dd>Only you. The query reads one of your uploads.</dd>
        </div>
      )}
    </dl>
  )
}
