import { Link, useLocation } from 'react-router'
import { TVL_PARTS, type TvlPart } from '#kernel/tvlParts.ts'
import styles from '../../blocks/Choices.module.css'
import { addressWith } from '../../blocks/view.ts'

const KEY = 'count'
const keyOf = (part: TvlPart): string => part.replace(' ', '-')

const WORDS: Readonly<Record<TvlPart, { label: string; title: string }>> = {
  'liquid staking': { label: 'Liquid staking', title: 'What protocols of liquid staking hold' },
  borrowed: { label: 'Borrowed', title: 'Coins that were lent out' },
  staking: { label: 'Staking', title: 'Tokens of the protocol itself that are staked in it' },
  pool2: { label: 'Pool2', title: 'Shares of pools of the protocol’s own token' },
  vesting: { label: 'Vesting', title: 'Coins that cannot be sold yet' },
  'double counted': { label: 'Double counted', title: 'What another protocol holds already' },
}

/** The parts that the address wants counted in, in their order. */
export function partsIn(query: URLSearchParams): TvlPart[] {
  const named = (query.get(KEY) ?? '').split(',')
  return TVL_PARTS.filter(part => named.includes(keyOf(part)))
}

/** What of that which a total leaves out is counted in: links, so that each choice has an address. */
export function PartsChoice({ chosen }: { chosen: readonly TvlPart[] }) {
  const { search } = useLocation()
  return (
    <nav aria-label="Count in">
      <ul className={styles.choices}>
        {TVL_PARTS.map(part => {
          const isOn = chosen.includes(part)
          const next = TVL_PARTS.filter(one => (one === part ? !isOn : chosen.includes(one)))
          return (
            <li key={part}>
              <Link
                className={styles.choice}
                to={addressWith(search, { [KEY]: next.map(keyOf).join(',') })}
                title={WORDS[part].title}
                aria-current={isOn ? 'true' : undefined}
                preventScrollReset
                replace
              >
                {isOn ? '✓' : '+'} {WORDS[part].label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
