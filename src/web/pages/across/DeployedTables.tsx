import { Link, useLocation } from 'react-router'
import type { DeployedAnswer, DeployedSummaryAnswer, FamiliesAnswer } from '#http/contract.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText, timeText } from '../../format/day.ts'
import { percentText } from '../../format/figure.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import styles from './Across.module.css'
import { type AnyChain, accountPath, accountText, type Covered, txPath, useCovered } from './chains.ts'
import { ChainLink, ContractCell, chainColumn } from './parts.tsx'

type Item = DeployedAnswer['items'][number]

/** The list from the newest on; a deployer narrows it to what he made. */
export function DeployedTable({
  list,
  view,
}: {
  list: DeployedAnswer
  view: { deployer?: string; before?: string }
}) {
  const { search } = useLocation()
  return (
    <TableCard
      id="deployed"
      title={view.deployer === undefined ? 'Newest contracts' : 'Contracts of one deployer'}
      {...(view.deployer !== undefined && { sub: view.deployer })}
      rows={list.items}
      columns={itemColumns(search, useCovered())}
      rowKey={row => `${row.chain}.${row.contract}.${row.height}`}
      words={row => `${row.contract} ${row.deployer} ${row.known?.name ?? ''}`}
      empty="No indexed deployments for this selection. See below for how to load blocks."
      foot={
        <>
          {view.deployer !== undefined && (
            <ButtonLink to={addressWith(search, { deployer: undefined, before: undefined })} small>
              All deployers
            </ButtonLink>
          )}
          {view.before !== undefined && (
            <ButtonLink to={addressWith(search, { before: undefined })} small>
              Newest
            </ButtonLink>
          )}
          {list.next !== null && (
            <ButtonLink to={addressWith(search, { before: list.next })} small>
              Older
            </ButtonLink>
          )}
        </>
      }
    />
  )
}

const MADE: Record<string, string> = {
  transaction: 'by a transaction',
  create: 'by a contract',
  create2: 'by a contract, CREATE2',
}

/** A deployer narrows the list; the account itself is one step further. */
function DeployerLink({ chain, deployer, search }: { chain: AnyChain; deployer: string; search: string }) {
  return (
    <Link to={addressWith(search, { deployer, before: undefined })} title={deployer}>
      <code>{accountText(chain, deployer)}</code>
    </Link>
  )
}

const itemColumns = (search: string, covered: Covered): readonly TableColumn<Item>[] => [
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.known?.name ?? row.contract,
    cell: row => <ContractCell {...row} />,
  },
  chainColumn(covered),
  {
    key: 'time',
    label: 'Made',
    value: row => row.time,
    cell: row => (
      <time dateTime={row.time}>
        <ChainLink chain={row.chain} to={txPath(row.chain, row.txHash)}>
          {timeText(row.time)}
        </ChainLink>
      </time>
    ),
  },
  {
    key: 'deployer',
    label: 'Deployer',
    value: row => row.deployer,
    cell: row => <DeployerLink {...row} search={search} />,
  },
  { key: 'kind', label: 'How', value: row => MADE[row.kind] ?? row.kind },
  { key: 'version', label: 'Clarity', isNumber: true, value: row => row.version },
  countColumn('functions', 'Functions', row => row.functionCount),
  countColumn('copies', 'Same code', row => row.copies),
  {
    key: 'source',
    label: 'Source',
    value: row => (row.chain === 'stacks' ? 'yes' : null),
    cell: row =>
      row.chain === 'stacks' ? (
        <Link to={`/stacks/contract/${row.contract}`}>View</Link>
      ) : (
        <span className={styles.quiet} title="Layers keep the compiled code, not its source">
          –
        </span>
      ),
  },
]

type Deployer = DeployedSummaryAnswer['deployers'][number]

/** Who made most of what is held. */
export function DeployersTable({ rows }: { rows: readonly Deployer[] }) {
  const { search } = useLocation()
  const covered = useCovered()
  const columns: readonly TableColumn<Deployer>[] = [
    {
      key: 'deployer',
      label: 'Deployer',
      value: row => row.deployer,
      cell: row => <DeployerLink {...row} search={search} />,
    },
    chainColumn(covered),
    countColumn('contracts', 'Contracts', row => row.contractCount),
    {
      key: 'newest',
      label: 'Newest',
      value: row => row.newest,
      cell: row => <time dateTime={row.newest}>{dayText(row.newest)}</time>,
    },
    {
      key: 'account',
      label: 'Account',
      value: row => row.deployer,
      cell: row => {
        const path = accountPath(row.chain, row.deployer)
        return path === null || !covered.has(row.chain) ? '–' : <Link to={path}>Open</Link>
      },
    },
  ]
  return (
    <TableCard
      id="deployers"
      title="Who makes most"
      sub="Indexed contracts. On EVM layers, a factory is shown as the deployer of its contracts"
      rows={rows}
      columns={columns}
      rowKey={row => `${row.chain}.${row.deployer}`}
      empty="No indexed deployments."
    />
  )
}

type Family = FamiliesAnswer['families'][number]

const FAMILY: readonly TableColumn<Family>[] = [
  {
    key: 'head',
    label: 'Oldest',
    value: row => row.head,
    cell: row => <ContractCell chain="stacks" contract={row.head} known={null} />,
  },
  countColumn('contracts', 'Contracts', row => row.contractCount),
  countColumn('deployers', 'Deployers', row => row.deployerCount),
  {
    key: 'likeness',
    label: 'Likeness, least',
    isNumber: true,
    value: row => row.leastLikeness,
    cell: row => percentText(row.leastLikeness),
  },
  {
    key: 'members',
    label: 'Others, with their likeness',
    value: row => row.members.map(({ contract }) => contract).join(' '),
    cell: row => (
      <span className={styles.stack}>
        {row.members.slice(1, 4).map(({ contract, likeness }) => (
          <small key={contract}>
            <Link to={`/stacks/contract/${contract}`} title={contract}>
              {accountText('stacks', contract)}
            </Link>{' '}
            {percentText(likeness)}
          </small>
        ))}
        {row.contractCount > 4 && <small>and {row.contractCount - 4} more</small>}
      </span>
    ),
  },
  { key: 'time', label: 'Since', value: row => row.headTime, cell: row => dayText(row.headTime) },
]

/** Contracts on Stacks whose sources are alike. */
export function FamiliesTable({ families }: Pick<FamiliesAnswer, 'families'>) {
  return (
    <TableCard
      id="families"
      title="Families of like code"
      sub="Stacks contracts with mostly identical source, largest family first"
      rows={families}
      columns={FAMILY}
      rowKey={row => row.head}
      words={row => row.members.map(({ contract }) => contract).join(' ')}
      empty="No similar indexed contracts."
    />
  )
}
