import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as door from '#web/wallet/index.ts'
import { WalletModal } from '#web/wallet/WalletModal.tsx'
import '#web/ui/tokens.css'
import '#web/ui/base.css'

declare global {
  interface Window {
    /** The door to wallets, for a test to call. */
    door?: typeof door
  }
}

/** A long page with the one button that opens the modal, and what came of it. */
function Stage() {
  const [isOpen, setOpen] = useState(false)
  const [told, setTold] = useState('nothing yet')
  const end = (words: string) => {
    setOpen(false)
    setTold(words)
  }
  return (
    <main style={{ blockSize: 3000 }}>
      <button type="button" onClick={() => setOpen(true)}>
        Connect Wallet
      </button>
      <output>{told}</output>
      {isOpen && (
        <WalletModal
          onFinish={({ userData }, isProved) =>
            end(`${userData.address} ${isProved ? 'proved' : 'not proved'}`)
          }
          onCancel={() => end('closed')}
        />
      )}
    </main>
  )
}

window.door = door
createRoot(document.getElementById('stage') ?? document.body).render(<Stage />)
