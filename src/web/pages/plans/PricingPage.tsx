import { Link, type LoaderFunctionArgs, type MetaArgs } from 'react-router'
import { siteContext } from '#http/context.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './Plans.module.css'

export const loader = ({ context }: LoaderFunctionArgs) => ({
  publicUrl: context.get(siteContext).publicUrl,
})

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

const ROWS: readonly (readonly [string, string, string, string])[] = [
  ['Access here', 'Open to everybody, without sign-in', 'Given to nobody on this server', 'You run it'],
  ['Pages, charts, reports, API', 'All', 'All', 'All'],
  ['A statement may run', `${guest.seconds} s`, `${member.seconds} s`, `${guest.seconds} s`],
  ['Memory of a statement', gib(guest.memoryBytes), gib(member.memoryBytes), gib(guest.memoryBytes)],
  ['Rows of an answer', count(guest.rows), count(member.rows), count(guest.rows)],
  ['Price', 'None', 'None is configured, so none is shown', 'None: your own machine'],
]

/** What each way to use Assay has on this server today. */
export default function PricingPage() {
  return (
    <div className={styles.page}>
      <HeadingBlock
        title="Pricing"
        question="All that this server shows is free and open. It sells nothing: no price is configured."
      />
      <Card title="What each has">
        <ScrollRegion label="Table: what each plan has" className={styles.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Free</th>
                <th scope="col">Premium</th>
                <th scope="col">On your own server</th>
              </tr>
            </thead>
            <tbody>
              {ROWS.map(([what, ...cells]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  {cells.map((cell, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
                    <td key={place}>{cell}</td>
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
            The wider limits for SQL in the table. The engine knows them, but this server has no accounts, so
            it gives them to nobody.
          </dd>
          <dt>How do I get access on this server?</dt>
          <dd>
            You have it: nothing here asks for a sign-in. The operator configures no plan and no payment.{' '}
            <Link to="/Contact">Contact Us</Link> says how to reach them.
          </dd>
          <dt>How do I run my own?</dt>
          <dd>
            In a copy of the program: <code>npm start</code>. It brings its engine and recorded figures along.
            <Link to="/documentation/self-hosting"> Self-hosting</Link> says how to follow nodes of your own.
          </dd>
          <dt>Does my own server have the limits of Premium?</dt>
          <dd>
            Its pages have the same limits as here. They bound what strangers can take; you own the engine and
            the files behind them.
          </dd>
        </dl>
      </Card>
    </div>
  )
}

export const ErrorBoundary = PageError
