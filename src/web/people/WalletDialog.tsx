import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { storedSession, type WalletSession } from '../wallet/session.ts'
import { WalletModal } from '../wallet/WalletModal.tsx'
import { say } from './toasts.ts'
import { usePeople } from './usePeople.ts'

/** The wallet modal, and where it leads: after a sign-in, home. */
export function WalletDialog() {
  const { state, people } = usePeople()
  const navigate = useNavigate()
  const isProof = state.modal === 'prove'
  const handleFinish = useCallback(
    (session: WalletSession, isProved: boolean) => {
      people?.walletFinished(session.userData.address)
      if (!isProved)
        say({
          title: 'The address is not proved',
          text: 'The wallet is connected in this browser but not signed in to the server. Use “Prove your address” in your menu.',
        })
      if (!isProof) navigate('/')
    },
    [people, navigate, isProof],
  )
  const handleCancel = useCallback(() => void people?.walletCancelled(), [people])
  return (
    <WalletModal
      session={isProof ? storedSession() : undefined}
      onFinish={handleFinish}
      onCancel={handleCancel}
    />
  )
}
