import { Button } from '../../ui/Button.tsx'
import styles from './Call.module.css'
import type { Faults } from './drafts.ts'
import { Choice, Field } from './Field.tsx'
import { type LimitDraft, newLimit } from './limits.ts'

type Props = {
  limits: readonly LimitDraft[]
  isOpen: boolean
  faults: Faults
  onChange: (limits: readonly LimitDraft[]) => void
  onOpen: (isOpen: boolean) => void
}

const FROM = [
  ['you', 'You'],
  ['contract', 'The contract'],
  ['other', 'Another'],
] as const
const OF = [
  ['STX', 'STX'],
  ['token', 'A token'],
  ['NFT', 'An NFT'],
] as const
const IS = [
  ['at most', 'at most'],
  ['exactly', 'exactly'],
  ['at least', 'at least'],
] as const

/** The post-conditions of a call: what may move, and whether anything else may. */
export function LimitFields({ limits, isOpen, faults, onChange, onOpen }: Props) {
  const set = (key: number, part: Partial<LimitDraft>) =>
    onChange(limits.map(one => (one.key === key ? { ...one, ...part } : one)))
  return (
    <fieldset className={styles.group}>
      <legend>What may move (post-conditions)</legend>
      <p className={styles.words}>
        {isOpen
          ? 'Anything may move that the contract moves. Only do this with a contract that you trust.'
          : limits.length === 0
            ? 'Nothing may move: if the call would move any coin or token, of whomever, it fails and costs the fee alone.'
            : 'Only the assets listed here can move, from any sender. Otherwise the call fails and costs only the fee.'}
      </p>
      {limits.map(limit => {
        const at = `limit.${limit.key}`
        return (
          <div key={limit.key} className={styles.limit}>
            <Choice
              label="Who sends"
              options={FROM}
              value={limit.from}
              onChange={from => set(limit.key, { from: from as LimitDraft['from'] })}
            />
            <Choice
              label="What"
              options={OF}
              value={limit.of}
              onChange={of => set(limit.key, { of: of as LimitDraft['of'] })}
            />
            {limit.of !== 'NFT' && (
              <Choice
                label="How much"
                options={IS}
                value={limit.is}
                onChange={is => set(limit.key, { is: is as LimitDraft['is'] })}
              />
            )}
            <Field
              label={limit.of === 'STX' ? 'STX' : limit.of === 'token' ? 'Smallest units' : 'Its number'}
              fault={faults.get(`${at}.amount`)}
              value={limit.amount}
              onChange={amount => set(limit.key, { amount })}
              isNumeric={limit.of !== 'STX'}
            />
            {limit.from === 'other' && (
              <Field
                isLong
                label="Their address"
                fault={faults.get(`${at}.other`)}
                value={limit.other}
                onChange={other => set(limit.key, { other })}
              />
            )}
            {limit.of !== 'STX' && (
              <Field
                isLong
                label="Which token"
                note="SP….contract::token"
                fault={faults.get(`${at}.asset`)}
                value={limit.asset}
                onChange={asset => set(limit.key, { asset })}
              />
            )}
            <Button small onClick={() => onChange(limits.filter(one => one.key !== limit.key))}>
              Remove
            </Button>
          </div>
        )
      })}
      <div className={styles.acts}>
        <Button
          small
          onClick={() => onChange([...limits, newLimit(1 + Math.max(0, ...limits.map(({ key }) => key)))])}
        >
          Add a post-condition
        </Button>
        <label className={styles.check}>
          <input type="checkbox" checked={isOpen} onChange={event => onOpen(event.target.checked)} />
          Let anything else move too
        </label>
      </div>
    </fieldset>
  )
}
