import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { SourceList } from '../../assay/Evidence.tsx'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TableCard } from '../../blocks/TableCard.tsx'
import { durationText, timeText } from '../../format/day.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './Documentation.module.css'
import { loadSource } from './loadSources.server.ts'

export const loader = async ({ params, context }: LoaderFunctionArgs) => ({
  ...(await loadSource(params.source ?? '', context)),
  publicUrl: context.get(siteContext).publicUrl,
})

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData
    ? pageMeta({
        title: `${loaderData.source.name}, source`,
        description: loaderData.source.about,
        path: `/documentation/sources/${loaderData.source.id}`,
        publicUrl: loaderData.publicUrl,
      })
    : []

/** What one source gives, how it fares, and the metrics that rest on it. */
export default function SourceDocPage() {
  const { source, metrics, requests, now } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title={source.id} question={source.name}>
        <ButtonLink to="/documentation/sources" small>
          All sources
        </ButtonLink>
        <ButtonLink to="/status" small>
          How they fare now
        </ButtonLink>
      </HeadingBlock>
      <div className={styles.kinds}>
        <Card title="What it gives">
          <div className={styles.sources}>
            <SourceList sources={[source]} now={now} />
          </div>
        </Card>
        {requests.length > 0 && (
          <TableCard
            id="requests"
            title="Requests"
            rows={requests}
            columns={[
              { key: 'about', label: 'About', value: ({ about }) => about },
              {
                key: 'cadence',
                label: 'Every',
                value: ({ cadenceSeconds }) => cadenceSeconds,
                cell: ({ cadenceSeconds }) => durationText(cadenceSeconds),
              },
              {
                key: 'last',
                label: 'Last answered',
                value: ({ lastSuccess }) => lastSuccess,
                cell: ({ lastSuccess }) => (lastSuccess === null ? 'never' : timeText(lastSuccess)),
              },
              { key: 'needs', label: 'What it waits for', value: ({ needs, reason }) => needs ?? reason },
            ]}
            rowKey={({ about }) => about}
            words={({ about }) => about}
          />
        )}
        <TableCard
          id="metrics"
          title="Metrics that rest on it"
          rows={metrics}
          columns={[
            {
              key: 'id',
              label: 'Metric',
              value: ({ id }) => id,
              cell: ({ id }) => <Link to={`/documentation/metrics/${id}`}>{id}</Link>,
            },
            { key: 'name', label: 'Name', value: ({ name }) => name },
          ]}
          rowKey={({ id }) => id}
          words={({ id, name }) => `${id} ${name}`}
          empty="No metric names it: its rows are shown in tables of pages, and SQL can read them."
        />
      </div>
    </>
  )
}

export const ErrorBoundary = PageError
