import { Link } from 'react-router'
import type { LayerProfile } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { useLayers } from '../../shell/layers.ts'
import { principalPath } from '../stacks/principal.ts'
import { TOKEN_KINDS } from './words.ts'

export type AddressRow = { chain: string; address: string; role: string }

/** Where an address opens: on our own pages where its chain is followed, on an explorer for Bitcoin. */
function pathOf(
  layers: readonly { id: string }[],
  chain: string,
  address: string,
): { to: string } | { href: string } | undefined {
  if (chain === 'bitcoin') return { href: `https://mempool.space/address/${address}` }
  if (chain === 'stacks') return { to: principalPath(address) }
  return layers.some(({ id }) => id === chain) ? { to: `/${chain}/address/${address}` } : undefined
}

function Address({ chain, address }: { chain: string; address: string }) {
  const words = <code title={address}>{shortAddress(address)}</code>
  const path = pathOf(useLayers(), chain, address)
  if (path === undefined) return words
  if ('to' in path) return <Link to={path.to}>{words}</Link>
  return (
    <a href={path.href} rel="noopener noreferrer">
      {words}
    </a>
  )
}

/** A contract of Stacks keeps its name. */
function shortAddress(address: string): string {
  const [principal = '', name] = address.split('.')
  return name === undefined ? shortened(address) : `${shortened(principal, 5)}.${name}`
}

const ADDRESSES: readonly TableColumn<AddressRow>[] = [
  { key: 'role', label: 'What it is', value: ({ role }) => role },
  { key: 'chain', label: 'On', value: ({ chain }) => chain },
  {
    key: 'address',
    label: 'Address',
    value: ({ address }) => address,
    cell: row => <Address {...row} />,
  },
]

export const AddressTable = ({ rows }: { rows: readonly AddressRow[] }) => (
  <TableCard
    id="addresses"
    title="Contracts and addresses"
    sub="With the roles that public sources give them; a role can change, so look before you send"
    rows={rows}
    columns={ADDRESSES}
    rowKey={({ chain, address, role }) => `${chain}.${address}.${role}`}
    words={({ chain, address, role }) => `${chain} ${address} ${role}`}
  />
)

type Token = LayerProfile['tokens'][number]

export function TokenTable({ layer }: { layer: LayerProfile }) {
  const columns: readonly TableColumn<Token>[] = [
    { key: 'symbol', label: 'Token', value: ({ symbol }) => symbol },
    { key: 'name', label: 'Name', value: ({ name }) => name },
    { key: 'kind', label: 'Kind', value: ({ kind }) => TOKEN_KINDS[kind] },
    { key: 'custody', label: 'Who holds what is behind it', value: ({ custody }) => custody },
    { key: 'claim', label: 'Claim on', value: ({ claimOn }) => claimOn?.toUpperCase() ?? null },
    {
      key: 'contract',
      label: 'Contract',
      value: ({ contract }) => contract,
      cell: ({ contract }) => <Address chain={layer.slug} address={contract} />,
    },
  ]
  return (
    <TableCard
      id="tokens"
      title="Tokens"
      sub="Bitcoin in its wrappings first, each with who holds it and what it is a claim on"
      rows={layer.tokens.toSorted((a, b) => Number(b.kind === 'btc') - Number(a.kind === 'btc'))}
      columns={columns}
      rowKey={({ id, contract }) => `${id}.${contract}`}
      words={({ symbol, name, custody, contract }) => `${symbol} ${name} ${custody ?? ''} ${contract}`}
    />
  )
}

type Protocol = LayerProfile['protocols'][number]
const PROTOCOLS: readonly TableColumn<Protocol>[] = [
  { key: 'name', label: 'Application', value: ({ name }) => name },
  { key: 'category', label: 'Kind', value: ({ category }) => category },
  {
    key: 'contracts',
    label: 'Known contracts',
    isNumber: true,
    value: ({ contracts }) => contracts.length,
  },
  {
    key: 'links',
    label: 'Site',
    value: ({ links }) => links.website ?? null,
    cell: ({ name, links }) =>
      links.website === undefined ? (
        '–'
      ) : (
        <a href={links.website} rel="noopener noreferrer" title={`Site of ${name}`}>
          {new URL(links.website).host.replace(/^www\./, '')}
        </a>
      ),
  },
]

export const ProtocolTable = ({ layer }: { layer: LayerProfile }) => (
  <TableCard
    id="protocols"
    title="Applications on it"
    sub="Catalog entries"
    rows={layer.protocols}
    columns={PROTOCOLS}
    rowKey={({ slug }) => slug}
    words={({ name, category }) => `${name} ${category}`}
  />
)
