import { Form, type LoaderFunctionArgs, type MetaArgs, useLoaderData, useLocation } from 'react-router'
import { Choices } from '../../blocks/Choices.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { CALM } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button } from '../../ui/Button.tsx'
import { OtherFields } from '../../ui/OtherFields.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadReports } from './loadReports.server.ts'
import { ReportCard } from './ReportCard.tsx'
import { ReportPicture } from './ReportPicture.tsx'
import styles from './Reports.module.css'

const QUESTION = 'What the figures of this site add up to, with every number open to its SQL.'

export const loader = ({ context }: LoaderFunctionArgs) => loadReports(context)

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

/** All reports, the newest first; a topic and words narrow them. */
export default function ReportsPage() {
  const { items } = useLoaderData<typeof loader>()
  const topics = [...new Set(items.map(({ topic }) => topic))].sort()
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const topic = topics.find(each => each === query.get('topic'))
  const asked = query.get('q')?.trim() ?? ''
  const words = asked.toLowerCase().split(/\s+/)
  const shown = items.filter(item => {
    const text = `${item.title} ${item.summary} ${item.topic}`.toLowerCase()
    return (topic === undefined || item.topic === topic) && words.every(word => text.includes(word))
  })
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
      {items.length > 0 && (
        <Form className={styles.find} role="search" aria-label="Reports" data-screen>
          <OtherFields search={search} except={['q']} />
          <input
            type="search"
            name="q"
            key={asked}
            defaultValue={asked}
            placeholder="Find in titles, summaries and topics"
            aria-label="Find a report"
          />
          <Button type="submit" small>
            Find
          </Button>
        </Form>
      )}
      {shown.length === 0 ? (
        <p className={styles.none} role="status">
          {items.length === 0 ? (
            <>
              No report is published on this site. A Markdown file in <code>content/reports</code> is one.
            </>
          ) : (
            `No report has “${asked}” in its title, summary or topic.`
          )}
        </p>
      ) : (
        <ul className={styles.list}>
          {shown.map(item => (
            <li key={item.key}>
              <ReportCard item={item} picture={<ReportPicture lines={item.picture} />} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export const handle = CALM

export const ErrorBoundary = PageError
