import { lazy, Suspense, useState } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { Button } from '../../ui/Button.tsx'
import styles from './Stacks.module.css'

/** Comes with the first click, and all of wallets with it. */
const CallPanel = lazy(async () => ({ default: (await import('../../wallet/call/CallPanel.tsx')).CallPanel }))

/** Offers to call a public function of one of these contracts from a wallet. */
export function CallCard({ contracts }: { contracts: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Call a function" sub="From your wallet, which shows the fee and signs">
      {isOpen ? (
        <Suspense
          fallback={
            <p className={styles.note} role="status">
              Opening …
            </p>
          }
        >
          <CallPanel contracts={contracts} />
        </Suspense>
      ) : (
        <p className={styles.note}>
          <Button onClick={() => setOpen(true)} data-needs-script>
            Call a function
          </Button>
        </p>
      )}
    </Card>
  )
}
