import type { ReactNode } from 'react'
import type { ChainHeldView } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { timeText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import styles from './Across.module.css'
import { type AnyChain, useCovered } from './chains.ts'
import { ChainCell } from './parts.tsx'

type HeldChain = ChainHeldView & { isWhole?: boolean }
type Props = {
  /** Chains that the page speaks of. */
  chains: readonly AnyChain[]
  held: readonly HeldChain[]
  /** How the figures are counted. */
  children: ReactNode
}

/** What the figures of a page rest on by chain, what is missing and what would bring it, and how they are counted. */
export function HeldCard({ chains, held, children }: Props) {
  const covered = useCovered()
  const missing = chains.filter(chain => !held.some(one => one.chain === chain))
  return (
    <Card title="How to read this page">
      <div className={styles.read}>
        <div className={styles.list}>{children}</div>
        <div className={styles.list}>
          {held
            .filter(({ chain }) => chains.includes(chain))
            .map(one => (
              <p key={one.chain}>
                <ChainCell chain={one.chain} />: indexed from block {grouped(String(one.sinceHeight))} (
                {timeText(one.since)}) to {grouped(String(one.height))} ({timeText(one.time)})
                {one.isWhole === false && ', less than the period shown'}.
              </p>
            ))}
          {missing.length > 0 && (
            <p>
              No data yet for {missing.map(chain => covered.of(chain).name).join(', ')}. To index them, set{' '}
              {missing.map((chain, index) => (
                <span key={chain}>
                  {index > 0 && ', '}
                  <code>{covered.of(chain).variable}</code>
                </span>
              ))}{' '}
              or configure your own nodes. With internet, Stacks loads automatically from the public API.
            </p>
          )}
        </div>
      </div>
    </Card>
  )
}
