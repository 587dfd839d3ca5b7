import type { Origin } from '#http/contract.ts'
import { dayText } from '../../format/day.ts'
import styles from './Source.module.css'

type Props = { origin: Origin; label?: string }

/** Where a fact was read, with a link; what nobody has checked says so. */
export function Source({ origin, label }: Props) {
  const { href, text } = wordsOf(origin)
  return (
    <span className={styles.source}>
      {origin.isFromMemory && <Unchecked />}
      {text !== '' && (
        <span>
          {label && `${label} `}
          {href === undefined ? (
            text
          ) : (
            <a href={href} rel="noopener noreferrer">
              {text}
            </a>
          )}
          {origin.date && `, ${dayText(origin.date)}`}
          {origin.note && text !== origin.note && `; ${origin.note}`}
        </span>
      )}
    </span>
  )
}

export const Unchecked = () => <span className={styles.memory}>from memory, not checked</span>

function wordsOf({ repo, path, commit, url, note }: Origin): { href: string | undefined; text: string } {
  if (url !== undefined) return { href: url, text: new URL(url).host }
  if (repo === undefined) return { href: undefined, text: note ?? '' }
  const isOneFile = path !== undefined && /^[\w./-]+\.\w+$/.test(path)
  const at = commit === undefined ? '' : isOneFile ? `/blob/${commit}/${path}` : `/tree/${commit}`
  return { href: `https://github.com/${repo}${at}`, text: isOneFile ? `${repo}, ${path}` : repo }
}
