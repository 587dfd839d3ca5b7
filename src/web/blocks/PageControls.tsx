import { Form, useLocation } from 'react-router'
import { RANGES } from '#http/contract.ts'
import { dayText } from '../format/day.ts'
import { Button } from '../ui/Button.tsx'
import { OtherFields } from '../ui/OtherFields.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import styles from './PageControls.module.css'
import { addressWith, readPageView } from './view.ts'

/**
 * Range and unit of the whole page, in one row; `coin` is what amounts of the page’s chain are in by themselves, `hasPrice` whether
 * they can be told in others.
 */
export function PageControls({ coin = 'BTC', hasPrice = true }: { coin?: string; hasPrice?: boolean }) {
  const { pathname, search } = useLocation()
  const view = readPageView(new URLSearchParams(search))
  const isCustom = view.range === 'custom'
  const toRange = (range: string) =>
    addressWith(search, { range: range === '1y' ? undefined : range, from: undefined, to: undefined })
  return (
    <div className={styles.row} data-screen>
      <Segmented
        label="Range"
        current={view.range}
        choices={RANGES.map(range => ({ value: range, label: range, to: toRange(range) }))}
      />
      <details className={styles.custom} name="page-controls">
        <summary className={isCustom ? `${styles.summary} ${styles.current}` : styles.summary}>
          {isCustom && view.from && view.to ? `${dayText(view.from)} to ${dayText(view.to)}` : 'Custom'}
        </summary>
        <Form action={pathname} className={styles.panel} preventScrollReset>
          <OtherFields search={search} except={['from', 'to', 'range']} />
          <label>
            From
            <input type="date" name="from" required defaultValue={view.from} min="2009-01-03" />
          </label>
          <label>
            To
            <input type="date" name="to" required defaultValue={view.to} min="2009-01-03" />
          </label>
          <Button type="submit" look="primary" small>
            Show
          </Button>
        </Form>
      </details>
      <span className={styles.grow} />
      {hasPrice && (
        <Segmented
          label="Unit of amounts"
          current={view.unit}
          choices={[
            {
              value: 'native',
              // What stands beside bitcoin on its pages is in dollars by itself.
              label: coin === 'BTC' ? 'Native' : coin,
              to: addressWith(search, { unit: undefined }),
            },
            { value: 'btc', label: 'BTC', to: addressWith(search, { unit: 'btc' }) },
            { value: 'usd', label: 'USD', to: addressWith(search, { unit: 'usd' }) },
          ]}
        />
      )}
    </div>
  )
}
