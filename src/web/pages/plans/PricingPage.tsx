import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { Plans } from '#http/contract.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { pageMeta } from '../pageMeta.ts'
import { BuyPremium } from './BuyPremium.tsx'
import styles from './Plans.module.css'
import { priceText } from './priceText.ts'
import { SupportUs } from './SupportUs.tsx'

export async function loader({ context }: LoaderFunctionArgs) {
  const { publicUrl, supportAddress } = context.get(siteContext)
  return { plans: await context.get(apiContext).plans(), publicUrl, supportAddress }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Pricing',
    description: 'What is free on this server, what Premium means, and how to run your own.',
    path: '/pricing',
    publicUrl: loaderData?.publicUrl,
  })

const { guest, member } = SQL_LIMITS
const count = (of: number): string => of.toLocaleString('en-US')
const gib = (bytes: number): string => `${bytes / 2 ** 30} GiB`

const priceOf = ({ isOpen, prices }: Plans): string =>
  prices.length > 0
    ? prices.map(priceText).join(', or ')
    : isOpen
      ? 'Currently unavailable'
      : 'Not sold here: granted by the operator'

const rowsFor = (plans: Plans): readonly (readonly [string, string, string, string])[] => [
  [
    'Access here',
    'Open to everybody, without sign-in',
    plans.isOpen ? 'With a subscription, or granted by the operator' : 'Granted by the operator',
    'You run it and grant it',
  ],
  ['Pages, charts, API', 'All, up to ten new pages in some days', 'All, without a limit', 'All'],
  ['Reports', 'All but those marked Premium', 'All', 'All'],
  ['Advertisements', 'Where there are any', 'None', 'Yours, if you want some'],
  [
    'A statement may run',
    `${guest.seconds} s`,
    `${member.seconds} s`,
    `${guest.seconds} s, or ${member.seconds} s with a grant`,
  ],
  [
    'Memory of a statement',
    gib(guest.memoryBytes),
    gib(member.memoryBytes),
    `${gib(guest.memoryBytes)}, or ${gib(member.memoryBytes)} with a grant`,
  ],
  [
    'Rows of an answer',
    count(guest.rows),
    count(member.rows),
    `${count(guest.rows)}, or ${count(member.rows)} with a grant`,
  ],
  ['Price', 'None', priceOf(plans), 'None: your own machine'],
]

const WAYS = ['Free', 'Premium', 'On your own server'] as const

/** What each way to use Assay has on this server today. */
export default function PricingPage() {
  const { plans, supportAddress } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title="Pricing"
        question={
          plans.isOpen
            ? 'Most of this site is free and open; Premium lifts the limits.'
            : 'Most of this site is free and open. This server sells nothing: its operator grants Premium.'
        }
      />
      {plans.isOpen && <BuyPremium plans={plans} />}
      <Card title="What each has">
        <ScrollRegion label="Table: what each plan has" className={styles.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                {WAYS.map(way => (
                  <th key={way} scope="col">
                    {way}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rowsFor(plans).map(([what, ...cells]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  {WAYS.map((way, place) => (
                    <td key={way} data-way={way}>
                      {cells[place]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Card>
      <Card title="Questions">
        <dl className={`${styles.words} ${styles.questions}`}>
          <dt>What is Premium?</dt>
          <dd>
            No limit of visits, no advertisements, the texts marked Premium, and the wider limits for SQL in
            the table.
          </dd>
          <dt>How do I get access on this server?</dt>
          <dd>
            {plans.isOpen
              ? 'Sign in with an account or a wallet and pay above; access begins once the payment provider confirms it.'
              : 'This server takes no payments. Sign in with an account or a wallet, then contact the operator, who grants access to your email or address.'}{' '}
            <Link to="/Contact">Contact Us</Link> says how to reach them.
          </dd>
          {plans.isOpen && (
            <>
              <dt>How do I end it, or get an invoice?</dt>
              <dd>
                Manage Subscription, here and in your menu, leads to the payment provider, which keeps cards
                and invoices. This server keeps neither. A paid plan stays active until it expires.
              </dd>
            </>
          )}
          <dt>How do I run my own?</dt>
          <dd>
            In a copy of the program: <code>npm start</code>. It includes the data engine and recorded
            figures. <Link to="/documentation/self-hosting">Self-hosting</Link> says how to follow nodes of
            your own.
          </dd>
          <dt>Does my own server have the limits of Premium?</dt>
          <dd>
            For whom you grant it: <code>npm run assay -- grant</code> takes an email or address, features, an
            end and a reason.
          </dd>
        </dl>
      </Card>
      {supportAddress !== undefined && <SupportUs address={supportAddress} />}
    </div>
  )
}

export const ErrorBoundary = PageError
