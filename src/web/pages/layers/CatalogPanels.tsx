import { Link } from 'react-router'
import type { LayerAbout } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { profilePath } from '../l2s/words.ts'
import styles from '../stacks/Stacks.module.css'
import { Party } from './Party.tsx'

const STACK: Record<string, string> = {
  rootstock: 'rskj, Rootstock’s own node',
  op: 'OP Stack',
  cdk: 'Polygon CDK',
  geth: 'a fork of geth',
}

/** What the layer is, in two sentences and a few facts. */
export function About({ about }: { about: LayerAbout }) {
  const facts: (Fact | undefined)[] = [
    { label: 'What it is', value: about.is, isWide: true },
    { label: 'On Bitcoin', value: about.onBitcoin, isWide: true },
    { label: 'Coin for gas', value: `${about.coin.symbol}, ${about.coin.name}` },
    { label: 'Chain id', value: String(about.chainId) },
    { label: 'Made of', value: STACK[about.stack] ?? about.stack },
    about.genesisTime === null
      ? undefined
      : { label: 'First block', value: dayText(about.genesisTime.slice(0, 10)) },
    about.blockSeconds === null
      ? undefined
      : { label: 'A block every', value: `${about.blockSeconds} seconds, by design` },
  ]
  return (
    <Card title={`What ${about.name} is`}>
      <Facts facts={facts.filter(fact => fact !== undefined)} />
    </Card>
  )
}

/** Where the bitcoin behind the layer lies. */
export function Reserve({ about }: { about: LayerAbout }) {
  const { reserve } = about
  const facts: (Fact | undefined)[] = [
    {
      label: 'Addresses on Bitcoin',
      value:
        reserve.addresses.length === 0
          ? `None available: ${reserve.why ?? 'not published'}.`
          : reserve.addresses.map(address => (
              <span key={address}>
                <code className={styles.code}>{address}</code>
              </span>
            )),
      isWide: true,
    },
    reserve.how === null ? undefined : { label: 'How it is found', value: reserve.how, isWide: true },
    reserve.note === null ? undefined : { label: 'Note', value: reserve.note, isWide: true },
  ]
  return (
    <Card
      title="Reserve"
      sub="Reported location of the bitcoin behind the layer. Balances are not counted yet"
    >
      <Facts facts={facts.filter(fact => fact !== undefined)} />
    </Card>
  )
}

type Bridge = LayerAbout['bridges'][number]
/** Ways in and out. */
export function Bridges({ layer, about }: { layer: SiteLayer; about: LayerAbout }) {
  const columns: readonly TableColumn<Bridge>[] = [
    { key: 'name', label: 'Bridge', value: row => row.name },
    { key: 'kind', label: 'Kind', value: row => row.kind },
    {
      key: 'contracts',
      label: 'Contracts',
      value: row => row.addresses.join(' '),
      cell: row =>
        row.addresses.length === 0
          ? '–'
          : row.addresses.map(address => (
              <span key={address}>
                <Party layer={layer} of={{ address, name: null }} />{' '}
              </span>
            )),
    },
    {
      key: 'events',
      label: 'Events decoded',
      isNumber: true,
      value: row => row.eventCount,
      cell: row => (row.eventCount === 0 ? 'none' : String(row.eventCount)),
    },
    { key: 'note', label: 'Note', value: row => row.note, cell: row => row.note ?? '–', isOptional: true },
  ]
  return (
    <TableCard
      id="bridges"
      title="Bridges"
      sub="Deposits and withdrawals, from the catalog"
      rows={about.bridges}
      columns={columns}
      rowKey={row => row.name}
      words={row => `${row.name} ${row.kind} ${row.addresses.join(' ')}`}
      empty="None in public sources."
    />
  )
}

/** What this server proves of the layer, and what it takes at somebody’s word. */
export function Proofs({ layer, about }: { layer: SiteLayer; about: LayerAbout }) {
  const isTaken = about.takenAtItsWord !== null
  return (
    <Card
      title="What is proved here, and what is not"
      sub="What this server recomputes for itself, beside what others assess"
    >
      <Facts
        facts={[
          {
            label: 'Blocks',
            value: isTaken
              ? `The node is trusted: ${about.takenAtItsWord}`
              : 'The hash of each block is recomputed from its header, and the roots in it from transactions and receipts.',
            isWide: true,
          },
          { label: 'Senders', value: 'Recovered from signatures', isWide: false },
          {
            label: 'The chain itself',
            value:
              layer.id === 'rootstock'
                ? 'The work of Bitcoin’s miners for each block is checked: hash against difficulty, and the tag in the coinbase.'
                : 'The endpoints, compared with one another, decide which block is right. The right to produce blocks is not checked.',
            isWide: true,
          },
          {
            label: 'What has to be trusted',
            value: `${about.is} ${about.onBitcoin}`,
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

/** The layer’s own addresses on the web. */
export function Links({ layer, about }: { layer: SiteLayer; about: LayerAbout }) {
  return (
    <Card title="Links and endpoints" sub="From public sources. Used only if configured">
      <Facts
        facts={[
          {
            label: 'The layer’s own',
            value: about.links.map(({ label, url }) => (
              <span key={url}>
                <a href={url} rel="noopener noreferrer">
                  {label}
                </a>{' '}
              </span>
            )),
            isWide: true,
          },
          {
            label: 'In the directory of layers',
            value: <Link to={profilePath(layer.id)}>Everything in the catalog about {about.name}</Link>,
            isWide: true,
          },
          {
            label: 'Explorers',
            value: about.explorers.map(({ name, block }) => (
              <span key={block}>
                <a href={new URL(block).origin} rel="noopener noreferrer">
                  {name}
                </a>{' '}
              </span>
            )),
            isWide: true,
          },
          {
            label: 'Public endpoints',
            value: about.endpoints.map(url => (
              <span key={url}>
                <code className={styles.code}>{url}</code>
              </span>
            )),
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

type ContractRow = LayerAbout['systemContracts'][number] & { of: string }
/** Contracts whose role is known. */
export function Applications({ layer, about }: { layer: SiteLayer; about: LayerAbout }) {
  const rows: ContractRow[] = [
    ...about.systemContracts.map(contract => ({ ...contract, of: `${about.name} itself` })),
    ...about.dapps.flatMap(({ name, contracts }) => contracts.map(contract => ({ ...contract, of: name }))),
  ]
  const columns: readonly TableColumn<ContractRow>[] = [
    {
      key: 'name',
      label: 'Contract',
      value: row => row.name,
      cell: row => <Party layer={layer} of={{ address: row.address, name: row.name }} />,
    },
    { key: 'of', label: 'Of', value: row => row.of },
    { key: 'role', label: 'What it does', value: row => row.role },
    {
      key: 'address',
      label: 'Address',
      value: row => row.address,
      cell: row => <Party layer={layer} of={{ address: row.address, name: null }} />,
    },
  ]
  return (
    <TableCard
      id="known"
      title="Known contracts"
      sub="Of the chain and of applications, with the roles that public adapters and documents give them"
      rows={rows}
      columns={columns}
      rowKey={row => `${row.of}.${row.address}.${row.name}`}
      words={row => `${row.name} ${row.of} ${row.role} ${row.address}`}
      empty="None in public sources."
    />
  )
}

type Token = LayerAbout['tokens'][number]
/** Tokens whose contract is known. */
export function Tokens({ layer, about }: { layer: SiteLayer; about: LayerAbout }) {
  const columns: readonly TableColumn<Token>[] = [
    {
      key: 'symbol',
      label: 'Token',
      value: row => row.symbol,
      cell: row => <Party layer={layer} of={{ address: row.address, name: row.symbol }} />,
    },
    { key: 'kind', label: 'Kind', value: row => row.kind },
    { key: 'decimals', label: 'Decimals', isNumber: true, value: row => row.decimals },
    {
      key: 'address',
      label: 'Contract',
      value: row => row.address,
      cell: row => <Party layer={layer} of={{ address: row.address, name: null }} />,
    },
  ]
  return (
    <TableCard
      id="tokens"
      title="Known tokens"
      sub="By their contracts, not by their names: anyone may call a token as they like"
      rows={about.tokens}
      columns={columns}
      rowKey={row => row.address}
      words={row => `${row.symbol} ${row.kind} ${row.address}`}
      empty="None in public sources."
    />
  )
}
