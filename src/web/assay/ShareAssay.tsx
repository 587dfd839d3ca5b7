import { useState } from 'react'
import { useLocation } from 'react-router'
import { addressWith } from '../blocks/view.ts'
import { Button } from '../ui/Button.tsx'
import { copyToClipboard } from '../ui/copyToClipboard.ts'
import { Icon } from '../ui/Icon.tsx'
import type { KnownAssay } from './loadAssay.server.ts'

/** A link that carries the day of the figure, the height of the data, and the reader’s SQL. */
export function ShareAssay({ assay }: { assay: KnownAssay }) {
  const { pathname, search } = useLocation()
  const [isCopied, setCopied] = useState(false)
  const height = assay.figure.asOf.height
  const address = addressWith(search, {
    'assay.day': assay.figure.point?.day,
    'assay.height': height === null ? undefined : String(height),
  })
  const handleClick = async () => {
    await copyToClipboard(new URL(pathname + address, location.href).href)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Button small onClick={handleClick} data-needs-script data-address={pathname + address}>
      <Icon name={isCopied ? 'check' : 'share'} />
      {isCopied ? 'Link copied' : 'Share this figure'}
    </Button>
  )
}
