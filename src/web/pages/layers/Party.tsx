import { Link } from 'react-router'
import type { SiteLayer } from '../../shell/layers.ts'
import { partyText } from './words.ts'

type Props = { layer: SiteLayer; of: { address: string; name: string | null } | null; none?: string }

/** An address, by its name where the catalogue has one, that opens its page. */
export function Party({ layer, of, none = '–' }: Props) {
  if (of === null) return none
  return (
    <Link to={`/${layer.id}/address/${of.address}`} title={of.address}>
      {of.name === null ? <code>{partyText(of)}</code> : of.name}
    </Link>
  )
}
