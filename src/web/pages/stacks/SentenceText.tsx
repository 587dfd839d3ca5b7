import { Fragment } from 'react'
import { Link } from 'react-router'
import type { StacksSentence } from '#http/contract.ts'
import { principalPath } from './principal.ts'
import styles from './Stacks.module.css'

/** A sentence whose addresses and contracts open their pages. All of it is text: nothing of the chain is markup. */
export function SentenceText({ of: { parts } }: { of: StacksSentence }) {
  return (
    <span className={styles.sentence}>
      {parts.map(({ text, principal }, index) => (
        // Parts of one sentence never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={index}>
          {principal === undefined ? (
            <bdi>{text}</bdi>
          ) : (
            <Link to={principalPath(principal)} title={principal}>
              {text}
            </Link>
          )}
        </Fragment>
      ))}
    </span>
  )
}
