import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import type { StacksCoin } from '#http/contract.ts'
import { Card } from '../../../blocks/Card.tsx'
import { changeText } from '../../../format/figure.ts'
import styles from './Coins.module.css'

/** A change of this size or more has the full colour. */
const FULL = 0.3
const MOST = 40

/** How much colour a tile has, as a property that its class reads. */
const strengthOf = (change: number): CSSProperties =>
  ({ '--strength': `${Math.round(Math.min(1, Math.abs(change) / FULL) * 28) + 6}%` }) as CSSProperties

/** Prices of 7 days at a glance: a tile a coin, the larger by volume first; sign and figure stand beside the colour. */
export function HeatTiles({ coins }: { coins: readonly StacksCoin[] }) {
  const priced = coins.filter(({ change7d }) => change7d !== null).slice(0, MOST)
  return (
    <Card title="Heat map" sub="Change of the price in STX over 7 days, by volume">
      {priced.length === 0 ? (
        <p className={styles.empty}>
          No coin has swaps against STX both within the latest 7 days and before them in the indexed blocks.
        </p>
      ) : (
        <ul className={styles.heat}>
          {priced.map(({ asset, contract, symbol, change7d: change }) => (
            <li key={asset} className={change! < 0 ? styles.cold : styles.warm} style={strengthOf(change!)}>
              <Link to={`/stacks/contract/${contract}`}>
                <bdi>{symbol}</bdi>
                <span>{changeText(change!)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
