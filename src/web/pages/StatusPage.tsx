import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { SourceList } from '../assay/Evidence.tsx'
import { Card } from '../blocks/Card.tsx'
import { Facts } from '../blocks/Facts.tsx'
import { HeadingBlock } from '../blocks/HeadingBlock.tsx'
import { nowFor } from '../blocks/load/nowFor.server.ts'
import { timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import { PageError } from '../shell/PageError.tsx'
import { useCovered } from './across/chains.ts'
import { answering } from './answering.server.ts'
import { pageMeta } from './pageMeta.ts'
import { ScheduleCards } from './ScheduleCards.tsx'
import styles from './StatusPage.module.css'
import { Endpoints, type StatusChain, Strange, sourceTipText, stateText } from './statusParts.tsx'

export async function loader({ context }: LoaderFunctionArgs) {
  const status = await answering('The status', () => context.get(apiContext).status())
  return { status, now: nowFor(status.sources), publicUrl: context.get(siteContext).publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Status',
    description: 'Every chain and source in Assay: indexed ranges, last update, and refused data.',
    path: '/status',
    publicUrl: loaderData?.publicUrl,
  })

/** How fresh and how whole everything is. */
export default function StatusPage() {
  const { status, now } = useLoaderData<typeof loader>()
  const isIdle = (chain: Chain): boolean => !chain.isConfigured && chain.coverage.length === 0
  const busy = status.chains.filter(chain => !isIdle(chain))
  const idle = status.chains.filter(isIdle)
  return (
    <div className={styles.page}>
      <HeadingBlock title="Status" question={`Data coverage and source health. Assay ${status.version}.`} />
      {busy.map(chain => (
        <ChainCard key={keyOf(chain)} chain={chain} />
      ))}
      {idle.length > 0 && (
        <div className={styles.idle}>
          {idle.map(chain => (
            <ChainCard key={keyOf(chain)} chain={chain} />
          ))}
        </div>
      )}
      <ScheduleCards schedule={status.schedule} now={now} />
      <Card title="Sources" sub={`${status.sources.length} registered, in the order of trust`}>
        <div className={styles.sources}>
          <SourceList sources={status.sources} now={now} />
        </div>
      </Card>
    </div>
  )
}

type Chain = StatusChain

const keyOf = ({ chain, network }: Chain): string => `${chain} ${network}`

function ChainCard({ chain }: { chain: Chain }) {
  const covered = useCovered()
  const islands = chain.coverage.filter(range => range.isIsland)
  const ranges = chain.coverage.filter(range => !range.isIsland)
  return (
    <Card title={`${covered.of(chain.chain).name}, ${chain.network}`} sub={stateText(chain)}>
      <Facts
        facts={[
          {
            label: 'Tip',
            value: chain.tip
              ? `block ${grouped(String(chain.tip.height))}, ${timeText(chain.tip.time)}`
              : 'no indexed blocks',
          },
          ...(chain.sourceTip === null
            ? []
            : [{ label: 'Newest block of its sources', value: sourceTipText(chain) }]),
          { label: 'Last commit', value: chain.lastCommit ? timeText(chain.lastCommit) : 'none' },
          ...(chain.isConfigured ? [] : [{ label: 'To follow it', value: chain.configure, isWide: true }]),
          {
            label: 'Blocks refused',
            value: chain.refused === 0 ? 'none' : `${grouped(String(chain.refused))}, stored for inspection`,
          },
        ]}
      />
      {chain.coverage.length > 0 && (
        <table className={styles.ranges}>
          <caption className="visually-hidden">Indexed block ranges</caption>
          <thead>
            <tr>
              <th scope="col">Indexed blocks</th>
              <th scope="col">Count</th>
              <th scope="col">As</th>
            </tr>
          </thead>
          <tbody>
            {ranges.map(range => (
              <tr key={`${range.from} ${range.origin}`}>
                <th scope="row">{rangeText(range)}</th>
                <td>{grouped(String(range.to - range.from + 1))}</td>
                <td>{originText(range.origin)}</td>
              </tr>
            ))}
            {islands.length > 0 && (
              <tr>
                <th scope="row">
                  <details>
                    <summary className={styles.islands}>Isolated indexed blocks</summary>
                    <ul className={styles.heights}>
                      {islands.map(range => (
                        <li key={range.from}>
                          <Link to={`/bitcoin/block/${range.from}`}>{rangeText(range)}</Link>
                        </li>
                      ))}
                    </ul>
                  </details>
                </th>
                <td>{grouped(String(islands.reduce((sum, range) => sum + range.to - range.from + 1, 0)))}</td>
                <td>whole blocks without their neighbors</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      <Endpoints chain={chain} />
      <Strange chain={chain} />
    </Card>
  )
}

const rangeText = ({ from, to }: { from: number; to: number }): string =>
  from === to ? grouped(String(from)) : `${grouped(String(from))} to ${grouped(String(to))}`

const ORIGINS: Readonly<Record<string, string>> = {
  rpc: 'JSON-RPC',
  events: 'the events of a node',
  node: 'a node’s RPC',
  api: 'the public API',
}

/** `statistics` are figures of blocks; every other origin is of whole blocks. */
const originText = (origin: string): string =>
  origin === 'statistics'
    ? 'a node’s statistics of each block'
    : `whole blocks, from ${ORIGINS[origin] ?? origin.replaceAll('_', ' ')}`

export const ErrorBoundary = PageError
