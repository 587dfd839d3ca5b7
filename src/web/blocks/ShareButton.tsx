import { useState } from 'react'
import { useLocation } from 'react-router'
import { IconButton } from '../ui/Button.tsx'
import { copyToClipboard } from '../ui/copyToClipboard.ts'
import { addressWith } from './view.ts'

type Props = {
  /** What a link must say so that it shows the same days tomorrow. */
  held: Record<string, string | undefined> | undefined
}

/** Copies the address of the page as it stands: everything chosen is in it, and its days where it has a range. */
export function ShareButton({ held }: Props) {
  const { search } = useLocation()
  const [isCopied, setCopied] = useState(false)
  const handleClick = async () => {
    const address = new URL(location.href)
    if (held) address.search = addressWith(search, held)
    await copyToClipboard(address.href)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <IconButton
      icon={isCopied ? 'check' : 'share'}
      label={isCopied ? 'Link copied' : 'Copy the link to this page'}
      onClick={handleClick}
      data-needs-script
    />
  )
}
