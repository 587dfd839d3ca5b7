import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { copyToClipboard } from '../ui/copyToClipboard.ts'

/** Copies the address of the page as it stands: everything chosen is in it. */
export function ShareButton() {
  const [isCopied, setCopied] = useState(false)
  const handleClick = async () => {
    await copyToClipboard(location.href)
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
