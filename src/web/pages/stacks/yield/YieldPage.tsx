import {
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { StacksYieldDetail } from '#http/contract.ts'
import { asksAnew } from '../../../assay/address.ts'
import { Card } from '../../../blocks/Card.tsx'
import { Facts } from '../../../blocks/Facts.tsx'
import { HeadingBlock } from '../../../blocks/HeadingBlock.tsx'
import { chainMark } from '../../../blocks/load/chainMark.server.ts'
import { counted } from '../../../format/counted.ts'
import { exactBtc, exactStx, figureText, grouped } from '../../../format/figure.ts'
import { PageError } from '../../../shell/PageError.tsx'
import { Button, FileLink } from '../../../ui/Button.tsx'
import { answering } from '../../answering.server.ts'
import { pageMeta } from '../../pageMeta.ts'
import { problemOf } from '../../problemOf.server.ts'
import { Principal } from '../Principal.tsx'
import { principalText } from '../principal.ts'
import styles from '../Stacks.module.css'
import form from '../sbtc/Sbtc.module.css'
import { YieldTable } from './YieldTable.tsx'

const QUESTION =
  'What did an address really earn from stacking, cycle by cycle, at the prices of its payments?'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const asked = (url.searchParams.get('address') ?? '').trim().slice(0, 180)
  const { publicUrl } = context.get(siteContext)
  if (asked === '') return { asked, publicUrl, fault: undefined, found: undefined, mark: undefined }
  const { found, fault } = await answering('The yield of an address', () =>
    context.get(apiContext).stacks.yield(asked).then(foundOf, faultOf),
  )
  return { asked, publicUrl, fault, found, mark: found && chainMark(found.asOf, url) }
}

type Found = { found: StacksYieldDetail | undefined; fault: string | undefined }
const foundOf = (found: StacksYieldDetail): Found => ({ found, fault: undefined })

/** What is no address is said beside the field; the page stands. */
function faultOf(thrown: unknown): Found {
  const problem = problemOf(thrown)
  if (problem?.code !== 'explorer.address') throw thrown
  return { found: undefined, fault: `${problem.detail} ${problem.hint ?? ''}` }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => key === 'address')
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  const of = loaderData?.found ? ` of ${principalText(loaderData.found.address)}` : ''
  return pageMeta({
    title: `Yield of stacking${of}`,
    path: '/stacks/yield',
    description: QUESTION,
    publicUrl: loaderData?.publicUrl,
  })
}

/** What stacking brought to one address: a tool. */
export default function YieldPage() {
  const { asked, found, fault, mark } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock title="Yield of stacking" question={QUESTION} mark={mark}>
        {found && (
          <FileLink
            icon="code"
            label="These yields as JSON"
            href={`/api/v1/stacks/yields/${encodeURIComponent(found.address)}`}
          />
        )}
      </HeadingBlock>
      <Form className={form.form} role="search" aria-label="Whose yield" preventScrollReset>
        <input
          type="search"
          name="address"
          key={asked}
          defaultValue={asked}
          placeholder="SP…, SM… or a contract"
          aria-label="Address of Stacks"
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">Show</Button>
        {fault && (
          <span className={form.found} role="status">
            {fault}
          </span>
        )}
      </Form>
      {found && found.rows.length > 0 && <Totals found={found} />}
      {found && <YieldTable rows={found.rows} />}
      <Card title="Data and method">
        <p className={styles.note}>
          Members of Fast Pool are recorded for cycles 3 to 127, with what the pool paid in each: a member’s
          part is its share by weight, since single payouts are not listed, and it is paid in STX, valued at
          the close of the day on which the cycle ended. Who stacks alone is paid on Bitcoin, block by block:
          that needs blocks of Stacks and Bitcoin of those cycles. From PoX-5 on, what stakers and holders of
          bonds claimed in sBTC counts on the day of the claim. Other pools publish no payouts that are
          recorded here. The network’s figure is that of the same cycle, in bitcoin, before any fee.
        </p>
      </Card>
    </div>
  )
}

function Totals({ found }: { found: StacksYieldDetail }) {
  const { totals, rows, address } = found
  const own = rows.filter(row => row.yieldYear !== null && row.networkYear !== null)
  const mean = (of: (row: StacksYieldDetail['rows'][number]) => number | null) =>
    own.length === 0 ? null : own.reduce((sum, row) => sum + (of(row) ?? 0), 0) / own.length
  return (
    <Card title="In all" sub={`${counted(totals.cycles, 'cycle')} with something stacked`}>
      <Facts
        facts={[
          { label: 'Address', value: <Principal of={address} /> },
          ...(totals.paidUstx === '0' ? [] : [{ label: 'Got in STX', value: exactStx(totals.paidUstx) }]),
          ...(totals.paidSat === '0' ? [] : [{ label: 'Got in bitcoin', value: exactBtc(totals.paidSat) }]),
          {
            label: 'Worth when paid',
            value: `${figureText(totals.cyclesPriced === 0 ? null : totals.paidUsd, 'USD').text}, over ${grouped(String(totals.cyclesPriced))} of ${grouped(String(totals.cyclesPaid))} cycles paid`,
          },
          ...(own.length === 0
            ? []
            : [
                {
                  label: 'Mean yield, a year',
                  value: `${
                    figureText(
                      mean(row => row.yieldYear),
                      'ratio',
                    ).text
                  }, beside ${
                    figureText(
                      mean(row => row.networkYear),
                      'ratio',
                    ).text
                  } of network or pool, over the ${grouped(String(own.length))} cycles with both`,
                },
              ]),
        ]}
      />
    </Card>
  )
}

export const ErrorBoundary = PageError
