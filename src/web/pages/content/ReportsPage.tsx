import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData, useLocation } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ReportList } from '#http/contract.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { dayText } from '../../format/day.ts'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './Reports.module.css'

const QUESTION = 'What the figures of this site add up to, with every number open to its SQL.'

export async function loader({ context }: LoaderFunctionArgs) {
  const { items } = await answering('The list of reports', () => context.get(apiContext).content.reports())
  return { items, publicUrl: context.get(siteContext).publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => [
  ...pageMeta({
    title: 'Featured Reports',
    description: QUESTION,
    path: '/reports',
    publicUrl: loaderData?.publicUrl,
  }),
  {
    tagName: 'link',
    rel: 'alternate',
    type: 'application/rss+xml',
    title: 'Reports of Assay',
    href: '/reports/feed.xml',
  },
]

/** All reports, the newest first; a topic narrows them. */
export default function ReportsPage() {
  const { items } = useLoaderData<typeof loader>()
  const topics = [...new Set(items.map(({ topic }) => topic))].sort()
  const asked = new URLSearchParams(useLocation().search).get('topic')
  const topic = topics.find(each => each === asked)
  const shown = items.filter(item => topic === undefined || item.topic === topic)
  return (
    <>
      <HeadingBlock title="Featured Reports" question={QUESTION}>
        <a className={styles.feed} href="/reports/feed.xml">
          RSS
        </a>
      </HeadingBlock>
      {topics.length > 1 && (
        <Choices
          rows={[
            {
              label: 'Topic',
              name: 'topic',
              current: topic,
              choices: [
                { value: undefined, label: 'All' },
                ...topics.map(each => ({ value: each, label: each })),
              ],
            },
          ]}
        />
      )}
      {shown.length === 0 ? (
        <p className={styles.none}>
          No report is published on this site. A Markdown file in <code>content/reports</code> is one.
        </p>
      ) : (
        <ul className={styles.list}>
          {shown.map(item => (
            <ReportCard key={item.key} item={item} />
          ))}
        </ul>
      )}
    </>
  )
}

function ReportCard({ item }: { item: ReportList['items'][number] }) {
  return (
    <li className={styles.card}>
      <p className={styles.about}>
        {item.topic} · {dayText(item.published)} · {item.minutes} min
        {item.requires !== null && ' · Premium'}
      </p>
      <h2 className={styles.title}>
        <Link to={`/reports/${item.key}`}>{item.title}</Link>
      </h2>
      <p>{item.summary}</p>
    </li>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
