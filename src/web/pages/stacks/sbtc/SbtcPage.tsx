import {
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import type {
  Page,
  SbtcDepositsQuery,
  SbtcDepositView,
  SbtcWithdrawalsQuery,
  SbtcWithdrawalView,
} from '#http/contract.ts'
import { asksAnew } from '../../../assay/address.ts'
import { Diagram } from '../../../blocks/diagram/Diagram.tsx'
import type { KpiFigure } from '../../../blocks/Kpi.tsx'
import { chainMark } from '../../../blocks/load/chainMark.server.ts'
import { needsFigures } from '../../../blocks/view.ts'
import { grouped } from '../../../format/figure.ts'
import { PageError } from '../../../shell/PageError.tsx'
import { Button } from '../../../ui/Button.tsx'
import { OtherFields } from '../../../ui/OtherFields.tsx'
import { pageMeta } from '../../pageMeta.ts'
import { problemOf } from '../../problemOf.server.ts'
import { loadStacks } from '../loadStacks.server.ts'
import { StacksFigures } from '../StacksFigures.tsx'
import { sbtcFigures } from './figures.ts'
import styles from './Sbtc.module.css'
import { DepositsTable, WithdrawalsTable } from './SbtcTables.tsx'
import { TypicalCard } from './TypicalCard.tsx'
import { wayOfABitcoin } from './wayOfABitcoin.ts'
import { depositPath } from './words.ts'

const ITEMS = 20
const ORIGINS = ['user', 'miner', 'waiting'] as const
const STATUSES = ['pending', 'accepted', 'rejected'] as const
const CURSOR = /^\d{1,9}\.\d{1,9}$/

/** What the address chooses; words that mean nothing here are left out. */
function viewOf(query: URLSearchParams) {
  const cursor = (key: string) => {
    const text = query.get(key) ?? ''
    return CURSOR.test(text) ? text : undefined
  }
  return {
    of: (query.get('of') ?? '').trim().slice(0, 220),
    origin: ORIGINS.find(one => one === query.get('origin')),
    status: STATUSES.find(one => one === query.get('status')),
    before: cursor('before'),
    earlier: cursor('earlier'),
  }
}

export async function loader({ url, context }: LoaderFunctionArgs) {
  const { of, origin, status, before, earlier } = viewOf(url.searchParams)
  const { sbtc } = context.get(apiContext).stacks
  const asked = { limit: ITEMS, ...(of !== '' && { of }) }
  const deposits: SbtcDepositsQuery = { ...asked, ...(origin && { origin }), ...(before && { before }) }
  const withdrawals: SbtcWithdrawalsQuery = {
    ...asked,
    ...(status && { status }),
    ...(earlier && { before: earlier }),
  }
  const loaded = await loadStacks(sbtcFigures, url, context, async () => {
    const [summary, lists] = await Promise.all([
      sbtc.summary(),
      Promise.all([sbtc.deposits(deposits), sbtc.withdrawals(withdrawals)]).then(
        ([listed, out]): Lists => ({ deposits: listed, withdrawals: out }),
        faultOf,
      ),
    ])
    return { summary, ...lists }
  })
  const [only] = loaded.deposits.items
  const isOne = of !== '' && loaded.deposits.items.length === 1 && loaded.withdrawals.items.length === 0
  if (only && isOne && !origin && !before) throw redirect(depositPath(only.id))
  return { ...loaded, mark: loaded.mark.asOf ? loaded.mark : chainMark(loaded.summary.asOf, url) }
}

type Lists = {
  deposits: Pick<Page<SbtcDepositView>, 'items' | 'next'>
  withdrawals: Pick<Page<SbtcWithdrawalView>, 'items' | 'next'>
  /** Why what was looked for cannot be. */
  fault?: string
}

/** A search that means nothing is said beside the field; the page stands. */
function faultOf(thrown: unknown): Lists {
  const problem = problemOf(thrown)
  if (problem?.code !== 'explorer.sbtc_of') throw thrown
  const none = { items: [], next: null }
  return { deposits: none, withdrawals: none, fault: `${problem.detail} ${problem.hint ?? ''}` }
}

const SHOWN = ['of', 'origin', 'status', 'earlier']
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => SHOWN.includes(key) || needsFigures(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'sBTC',
    path: '/stacks/sbtc',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** At which blocks supply and reserve were counted; undefined while they are not known. */
function heightsText(kpis: readonly KpiFigure[]): string | undefined {
  const of = (assay: string) => kpis.find(kpi => kpi.assay === `${assay}@sbtc` && kpi.value !== null)
  const [supply, reserve] = [of('peg.supply'), of('peg.reserve')]
  if (!supply?.asOf?.height || !reserve?.asOf?.height || supply.day !== reserve.day) return undefined
  return `Supply as of Stacks block ${grouped(String(supply.asOf.height))}, bitcoin behind it as of Bitcoin block ${grouped(String(reserve.asOf.height))}: the last of the same day on both chains.`
}

/** sBTC: its backing, what waits, and every deposit and withdrawal that is held. */
export default function SbtcPage() {
  const loaded = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const { of, origin = '', status = '', before, earlier } = viewOf(new URLSearchParams(search))
  const heights = heightsText(loaded.kpis)
  const count = loaded.deposits.items.length + loaded.withdrawals.items.length
  return (
    <StacksFigures
      title="sBTC"
      loaded={loaded}
      lead={
        <>
          {heights && <p className={styles.found}>{heights}</p>}
          <Form className={styles.form} role="search" aria-label="Find in sBTC" preventScrollReset>
            <OtherFields search={search} except={['of', 'before', 'earlier']} />
            <input
              type="search"
              name="of"
              defaultValue={of}
              placeholder="Transaction, txid:output, or address on Stacks"
              aria-label="Find deposits and withdrawals"
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit">Find</Button>
            {of !== '' && (
              <span className={styles.found} role="status">
                {loaded.fault ?? (count === 0 ? 'No data yet.' : 'Only what has to do with it is listed.')}
              </span>
            )}
          </Form>
          <DepositsTable
            deposits={loaded.deposits.items}
            next={loaded.deposits.next}
            isLater={before !== undefined}
            search={search}
            origin={origin}
          />
          <WithdrawalsTable
            withdrawals={loaded.withdrawals.items}
            next={loaded.withdrawals.next}
            isLater={earlier !== undefined}
            filter={{ search, status }}
          />
          <TypicalCard summary={loaded.summary} />
        </>
      }
    >
      <Diagram diagram={wayOfABitcoin} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
