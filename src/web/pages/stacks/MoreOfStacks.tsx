import { ButtonLink } from '../../ui/Button.tsx'
import styles from './MoreOfStacks.module.css'

const PAGES = [
  { to: '/stacks/stacking', label: 'Stacking, signers and bonds' },
  { to: '/stacks/sbtc', label: 'sBTC: follow a bitcoin' },
  { to: '/stacks/yield', label: 'Stacking rewards by address' },
  { to: '/stacks/mining', label: 'Mining' },
  { to: '/stacks/sip-031', label: 'SIP-031' },
  { to: '/stacks/sip-033', label: 'Clarity 4' },
] as const

/** What of Stacks has a page of its own. */
export function MoreOfStacks() {
  return (
    <nav className={styles.more} aria-label="More about Stacks">
      {PAGES.map(({ to, label }) => (
        <ButtonLink key={to} to={to} small>
          {label}
        </ButtonLink>
      ))}
    </nav>
  )
}
