import {
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { changedKeys } from '../../assay/address.ts'
import { ChartCard } from '../../blocks/ChartCard.tsx'
import { EmbedContext } from '../../blocks/chart/embed.tsx'
import { StateCard } from '../../blocks/State.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RetryLink } from '../../ui/RetryLink.tsx'
import styles from './EmbedPage.module.css'
import { loadEmbed } from './loadEmbed.server.ts'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadEmbed(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return changedKeys(currentUrl, nextUrl).some(key => needsFigures(key) || key === 'page' || key === 'chart')
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { spec, name, page, publicUrl = '' } = loaderData
  return [
    { title: `${name}: ${spec.title} · Assay` },
    { name: 'robots', content: 'noindex' },
    { tagName: 'link', rel: 'canonical', href: `${publicUrl}${page}` },
  ]
}

/** One chart alone, for a frame on another site: all that can be done to it can be done there. */
export default function EmbedPage() {
  const { spec, chart, events, name, page, href } = useLoaderData<typeof loader>()
  return (
    <EmbedContext value={{ page }}>
      <main className={styles.page}>
        <PageTitle isHidden>
          {name}: {spec.title}
        </PageTitle>
        {chart.state === 'drawn' && (
          <div className={styles.chart}>
            <ChartCard spec={spec} chart={chart} events={events} />
          </div>
        )}
        {chart.state === 'failed' && (
          <StateCard kind="failed" title={spec.title}>
            <p>{chart.detail}</p>
            <p>
              <RetryLink />
            </p>
          </StateCard>
        )}
        {(chart.state === 'empty' || chart.state === 'uncovered') && (
          <StateCard kind="empty" title={spec.title}>
            <p>{chart.state === 'empty' ? chart.reason : 'The catalog of this server does not have it.'}</p>
          </StateCard>
        )}
        <p className={styles.origin}>
          <Link to={href} target="_blank" reloadDocument>
            {name} on Assay
          </Link>
        </p>
      </main>
    </EmbedContext>
  )
}

export const ErrorBoundary = PageError
