import { useState } from 'react'
import { copyToClipboard } from '../ui/copyToClipboard.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './CopyText.module.css'

type Props = { text: string; what: string; isShort?: boolean }

/** A hash or an address that can be copied; shortened in the middle only where asked. */
export function CopyText({ text, what, isShort = false }: Props) {
  const [isCopied, setCopied] = useState(false)
  const handleClick = async () => {
    await copyToClipboard(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <span className={styles.copy}>
      <code title={text}>{isShort ? shortened(text) : text}</code>
      <button
        type="button"
        aria-label={isCopied ? 'Copied' : `Copy ${what}`}
        onClick={handleClick}
        data-needs-script
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
    </span>
  )
}

/** `0000…a9f3`: enough of both ends to recognise it. */
export const shortened = (text: string, ends = 8): string =>
  text.length <= ends * 2 + 3 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`
