import { data, Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { MetricEntry } from '#http/contract.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { SourceList } from '../../assay/Evidence.tsx'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { nowFor } from '../../blocks/load/nowFor.server.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { answering } from '../answering.server.ts'
import type { Failure } from '../failure.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './Documentation.module.css'

/** Entities that a page names before it says how many more there are. */
const MOST_ENTITIES = 24

export async function loader({ params, context }: LoaderFunctionArgs) {
  const id = params.id ?? ''
  const metrics = await answering('The list of metrics', () => context.get(apiContext).metrics())
  const kinds = metrics.filter(metric => metric.id === id)
  if (kinds.length === 0) {
    const failure: Failure = {
      title: 'Page not found',
      detail: `No metric has the id ${id.slice(0, 80)}.`,
      hint: undefined,
      code: undefined,
      nearest: [
        ...nearestNames(
          id,
          metrics.map(metric => metric.id),
        ).map(near => ({
          path: `/documentation/metrics/${near}`,
          label: metrics.find(metric => metric.id === near)?.name ?? near,
        })),
        { path: '/documentation/metrics', label: 'All metrics' },
      ],
    }
    throw data(failure, { status: 404 })
  }
  return {
    id,
    kinds,
    now: nowFor(kinds.flatMap(({ sources }) => sources)),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  const [first] = loaderData?.kinds ?? []
  if (!loaderData || !first) return []
  return pageMeta({
    title: `${first.name} (${loaderData.id})`,
    description: first.definition,
    path: `/documentation/metrics/${loaderData.id}`,
    publicUrl: loaderData.publicUrl,
  })
}

/** The method of one metric, from its declaration. */
export default function MetricDocPage() {
  const { id, kinds, now } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title={kinds[0]?.name} question={kinds[0]?.definition}>
        <ButtonLink to="/documentation/metrics" small>
          All metrics
        </ButtonLink>
      </HeadingBlock>
      <div className={styles.kinds}>
        {kinds.map(kind => (
          <Kind
            key={`${kind.entityKind} ${kind.entities[0]}`}
            id={id}
            kind={kind}
            now={now}
            isOne={kinds.length === 1}
          />
        ))}
      </div>
    </>
  )
}

type KindProps = { id: string; kind: MetricEntry; now: string; isOne: boolean }

function Kind({ id, kind, now, isOne }: KindProps) {
  const { entities, breakdown, parameters, references, sources, switches, watches } = kind
  // Two kinds of the same name are told apart by whom they are about.
  const title = isOne ? id : `${id} of ${listed(entities.slice(0, 3))}`
  return (
    <Card title={title} sub={isOne ? undefined : kind.definition}>
      <Facts
        facts={[
          { label: 'Why it matters', value: kind.why, isWide: true },
          { label: 'How it is computed', value: kind.how, isWide: true },
          { label: 'How it can mislead', value: kind.misleads, isWide: true },
          { label: 'Unit', value: kind.unit },
          { label: 'By', value: kind.grains.join(', ') },
          { label: 'Over longer spans', value: AGGREGATES[kind.aggregate] },
          { label: 'Cadence', value: kind.cadence },
          ...(breakdown
            ? [{ label: `By ${breakdown.name}`, value: listed(breakdown.values), isWide: true }]
            : []),
          ...(switches.length > 0
            ? [
                {
                  label: 'Alternative counts',
                  value: switches.map(each => `${each.name}: ${each.doc}`).join(' '),
                  isWide: true,
                },
              ]
            : []),
          ...(watches.length > 0
            ? [{ label: 'Worth an alert', value: watches.map(({ says }) => says).join('; '), isWide: true }]
            : []),
          { label: 'Of', value: <Entities id={id} entities={entities} />, isWide: true },
          ...(parameters.length > 0
            ? [
                {
                  label: 'Parameters',
                  value: parameters.map(each => `{${each.name}:${each.type}} ${each.doc}`).join(' · '),
                  isWide: true,
                },
              ]
            : []),
          ...(references.length > 0
            ? [
                {
                  label: 'See',
                  value: references.map(({ title, url }, index) => (
                    <span key={title}>
                      {index > 0 && ', '}
                      {url ? (
                        <a href={url} rel="noopener noreferrer">
                          {title}
                        </a>
                      ) : (
                        title
                      )}
                    </span>
                  )),
                  isWide: true,
                },
              ]
            : []),
        ]}
      />
      <ScrollRegion label={`SQL of ${title}`} className={styles.sql}>
        <pre>
          <code>{kind.sql}</code>
        </pre>
      </ScrollRegion>
      {sources.length > 0 && (
        <div className={styles.sources}>
          <SourceList sources={sources} now={now} />
        </div>
      )}
    </Card>
  )
}

const AGGREGATES: Readonly<Record<MetricEntry['aggregate'], string>> = {
  sum: 'added up',
  last: 'the last one',
  mean: 'the mean',
  distinct: 'counted directly, each once',
  recompute: 'recomputed',
}

const listed = (values: readonly string[]): string =>
  values.length <= MOST_ENTITIES
    ? values.join(', ')
    : `${values.slice(0, MOST_ENTITIES).join(', ')} and ${values.length - MOST_ENTITIES} more`

/** Each leads to the figure itself. */
function Entities({ id, entities }: { id: string; entities: readonly string[] }) {
  return (
    <>
      {entities.slice(0, MOST_ENTITIES).map((entity, index) => (
        <span key={entity}>
          {index > 0 && ', '}
          <Link to={`?assay=${id}@${entity}`}>{entity}</Link>
        </span>
      ))}
      {entities.length > MOST_ENTITIES && ` and ${entities.length - MOST_ENTITIES} more`}
    </>
  )
}

export const ErrorBoundary = PageError
