import { useState } from 'react'
import type { QueryResult } from '#http/contract.ts'
import { askPerson } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyToClipboard } from '../../../ui/copyToClipboard.ts'
import { resultAddress } from '../cited/cited.ts'
import styles from './ResultPane.module.css'
import { type Headers, resultPath } from './rowSource.ts'

type Props = {
  result: Pick<QueryResult, 'hash' | 'isPrivate'>
  /** Name of the tab that shows it. */
  name: string
  headers: Headers
}

/** Copies the address of a result. Results of Premium users are then stored longer. */
export function CopyLink({ result: { hash, isPrivate }, name, headers }: Props) {
  const [said, setSaid] = useState('')
  const handleCopy = async () => {
    try {
      await copyToClipboard(window.location.origin + resultAddress(hash, name))
    } catch {
      setSaid('Couldn’t copy the link. Allow clipboard access for this site.')
      return
    }
    const pinned = (await askPerson({ headers }, `${resultPath(hash)}/pin`, { method: 'PUT' }).catch(
      () => undefined,
    )) as { isPinned: boolean } | undefined
    setSaid(
      isPrivate
        ? 'Link copied. Only you can open it.'
        : pinned?.isPinned
          ? 'Link copied. The result will be stored longer.'
          : 'Link copied. The result may be removed if nobody opens it for a while.',
    )
  }
  return (
    <span className={styles.copyLink}>
      <span className={styles.message} role="status">
        {said}
      </span>
      <Button small onClick={() => void handleCopy()}>
        Copy link to result
      </Button>
    </span>
  )
}
