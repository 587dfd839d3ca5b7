import { Link } from 'react-router'
import { principalPath, principalText } from './principal.ts'

type Props = { of: string | null; name?: string | null }

/** An address or a contract, short, that opens its page; its name of BNS before it, where it has one. */
export function Principal({ of, name = null }: Props) {
  if (of === null || of === '') return '–'
  return (
    <Link to={principalPath(of)} title={of}>
      {name !== null && <>{name} </>}
      <code>{principalText(of)}</code>
    </Link>
  )
}
