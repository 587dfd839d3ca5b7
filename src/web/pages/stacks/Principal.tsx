import { Link } from 'react-router'
import { principalPath, principalText } from './words.ts'

/** An address or a contract, short, that opens its page. */
export function Principal({ of }: { of: string | null }) {
  if (of === null || of === '') return '–'
  return (
    <Link to={principalPath(of)} title={of}>
      <code>{principalText(of)}</code>
    </Link>
  )
}
