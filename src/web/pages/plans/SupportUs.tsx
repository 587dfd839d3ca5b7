import { lazy, Suspense, useState } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { Button } from '../../ui/Button.tsx'
import styles from './Plans.module.css'

/** Comes with the first click, and all of wallets with it. */
const SupportPanel = lazy(async () => ({
  default: (await import('../../wallet/call/SupportPanel.tsx')).SupportPanel,
}))

/** Offers to send STX to whoever runs this server. */
export function SupportUs({ address }: { address: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Support us" sub="Tip STX to the operator of this server. It does not buy anything">
      <div className={styles.words}>
        <p>
          To <CopyText text={address} what="the address" />
        </p>
        {!isOpen && (
          <p>
            <Button onClick={() => setOpen(true)} data-needs-script>
              Send STX
            </Button>
          </p>
        )}
      </div>
      {isOpen && (
        <Suspense
          fallback={
            <p className={styles.words} role="status">
              Opening …
            </p>
          }
        >
          <SupportPanel recipient={address} />
        </Suspense>
      )}
    </Card>
  )
}
