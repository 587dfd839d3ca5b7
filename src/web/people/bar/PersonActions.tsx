import type { MouseEvent } from 'react'
import { Link, useMatches } from 'react-router'
import { shortened } from '../../blocks/CopyText.tsx'
import { Button, ButtonLink, iconClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useAddressName } from '../useAddressName.ts'
import { usePeople } from '../usePeople.ts'
import styles from './PersonActions.module.css'

type Props = {
  signUpUrl: string
  /** In the bar, or down the sheet of small screens. */
  place: 'bar' | 'sheet'
}

/**
 * What each may do about who they are. All of it is in the page for everybody, since pages are the same for everybody; the style
 * sheet shows what fits `data-person` and `data-features` of `html`, from the first paint on.
 */
export function PersonActions({ signUpUrl, place }: Props) {
  const { people } = usePeople()
  const handleSignIn = () => void people?.signIn()
  const ways = (
    <>
      <SignUp href={signUpUrl} />
      <Button small onClick={handleSignIn} data-needs-script>
        Sign In
      </Button>
      <Button small onClick={() => people?.openWallets('connect')} data-needs-script>
        Connect Wallet
      </Button>
    </>
  )
  if (place === 'sheet')
    return (
      <div className={styles.sheet}>
        <div className={styles.nobody}>{ways}</div>
        <div className={styles.somebody}>
          <PersonMenu />
        </div>
      </div>
    )
  return (
    <div className={styles.bar}>
      <div className={`${styles.nobody} ${styles.wide}`}>{ways}</div>
      <details name="sign-in" className={`${styles.panelHost} ${styles.nobody} ${styles.narrow}`}>
        <summary className={iconClass} aria-label="Sign in">
          <Icon name="person" />
        </summary>
        <div className={`${styles.panel} ${styles.ways}`}>{ways}</div>
      </details>
      <div className={styles.somebody}>
        <span className={styles.premium}>
          <ButtonLink to="/pricing" look="primary" small>
            Premium
          </ButtonLink>
        </span>
        <span className={styles.ofWallet}>
          <Button small onClick={() => void people?.disconnectWallet()}>
            Disconnect Wallet
          </Button>
        </span>
        <details name="person" className={styles.panelHost}>
          <summary className={iconClass} aria-label="Your account">
            <Icon name="person" />
          </summary>
          <div className={styles.panel}>
            <PersonMenu />
          </div>
        </details>
      </div>
    </div>
  )
}

const PLANS = '/pricing'

/** `handle` of a page whose readers are in the middle of something: Sign Up brings them back to it. */
export type SignUpHandle = { readonly signsUpHere: true }

/** Leads to the plans, or to another site. Where a page asks for it, the form for a new account takes the place of the plans. */
function SignUp({ href }: { href: string }) {
  const { people } = usePeople()
  const isHere = useMatches().some(({ handle }) => (handle as Partial<SignUpHandle> | undefined)?.signsUpHere)
  const handleClick = (event: MouseEvent) => {
    if (!isHere || href !== PLANS || people === undefined || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    event.preventDefault()
    void people.signIn(undefined, true)
  }
  return (
    <ButtonLink to={href} look="primary" small onClick={handleClick}>
      Sign Up
    </ButtonLink>
  )
}

function PersonMenu() {
  const { state, people } = usePeople()
  const handleManage = async () => {
    const { manageSubscription } = await import('../account/manageSubscription.ts')
    if (people) await manageSubscription(people)
  }
  const { address } = state.wallet
  const addressName = useAddressName(address)
  const name =
    state.account?.name ??
    state.account?.email ??
    addressName ??
    (address === null ? undefined : shortened(address, 5))
  return (
    <div className={styles.menu}>
      <p className={styles.welcome}>Welcome{name === undefined ? '' : `, ${name}`}</p>
      <Link to="/account">Account</Link>
      <button type="button" onClick={() => void handleManage()}>
        Manage Subscription
      </button>
      {address === null ? (
        <button type="button" onClick={() => people?.openWallets('connect')}>
          Connect Wallet
        </button>
      ) : (
        <>
          {state.isUnproved && (
            <button type="button" onClick={() => people?.openWallets('prove')}>
              Prove your address
            </button>
          )}
          <button type="button" onClick={() => void people?.disconnectWallet()}>
            Disconnect Wallet
          </button>
        </>
      )}
      {state.account !== undefined && (
        <button type="button" onClick={() => void people?.signOut()}>
          Sign Out
        </button>
      )}
    </div>
  )
}
