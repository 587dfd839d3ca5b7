import type { OpenedText } from '#http/contract.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Editor.module.css'

type Version = OpenedText['versions'][number]
type Props = {
  versions: readonly Version[]
  onRestore: (id: number) => void
  onUnschedule: (id: number) => void
}

const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`
const isAhead = ({ publish }: Version): boolean => publish !== null && new Date(publish) > new Date()

/** All versions of a text, the newest first. */
export function HistoryList({ versions, onRestore, onUnschedule }: Props) {
  if (versions.length === 0) return <p className={styles.quiet}>No saved versions yet.</p>
  return (
    <ol className={styles.list} aria-label="History">
      {versions.map(version => (
        <li key={version.id} className={styles.row}>
          <span>
            {minute(version.created)} by {version.author}:{' '}
            {version.isWithdrawal
              ? 'withdrawn'
              : version.publish === null
                ? 'a draft'
                : `${isAhead(version) ? 'shown' : 'published'} from ${minute(version.publish)} on`}
          </span>
          {!version.isWithdrawal && (
            <Button small onClick={() => onRestore(version.id)}>
              Restore
            </Button>
          )}
          {isAhead(version) && (
            <Button small onClick={() => onUnschedule(version.id)}>
              Do not show it then
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}
