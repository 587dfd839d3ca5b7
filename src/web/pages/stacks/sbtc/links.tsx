import { Link } from 'react-router'
import { shortened } from '../../../blocks/CopyText.tsx'
import { grouped } from '../../../format/figure.ts'

type Place = { chain: 'bitcoin' | 'stacks'; height: number | null; txid: string | null; isHeld?: boolean }

/** Block and transaction of a step; without a link where the block is not held. */
export function PlaceLinks({ chain, height, txid, isHeld = true }: Place) {
  const block = height === null ? undefined : grouped(String(height))
  const tx = txid === null ? undefined : <code title={txid}>{shortened(txid)}</code>
  return (
    <>
      {block && (isHeld ? <Link to={`/${chain}/block/${height}`}>block {block}</Link> : `block ${block}`)}
      {block && tx ? ', ' : ''}
      {tx && (isHeld ? <Link to={`/${chain}/tx/${txid}`}>{tx}</Link> : tx)}
      {!isHeld && ' · not indexed'}
    </>
  )
}
