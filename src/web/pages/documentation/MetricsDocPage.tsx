import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'

const QUESTION =
  'Every metric on the site, with its meaning, unit and entities. Each opens its method and SQL.'

export async function loader({ context }: LoaderFunctionArgs) {
  const metrics = await answering('The list of metrics', () => context.get(apiContext).metrics())
  // A metric is declared for each kind of entity that counts it in a way of its own.
  const byId = Map.groupBy(metrics, ({ id }) => id)
  const rows = [...byId].map(([id, [first, ...more]]) => ({
    id,
    name: first?.name ?? id,
    unit: [...new Set([first, ...more].flatMap(each => (each ? [each.unit] : [])))].join(', '),
    of: [first, ...more].reduce((sum, each) => sum + (each?.entities.length ?? 0), 0),
    grains: first?.grains.join(', ') ?? '',
    definition: first?.definition ?? '',
  }))
  return { rows, publicUrl: context.get(siteContext).publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Metrics, documentation',
    description: QUESTION,
    path: '/documentation/metrics',
    publicUrl: loaderData?.publicUrl,
  })

type Row = Awaited<ReturnType<typeof loader>>['rows'][number]

const COLUMNS: TableColumn<Row>[] = [
  {
    key: 'id',
    label: 'Metric',
    value: ({ id }) => id,
    cell: ({ id }) => <Link to={`/documentation/metrics/${id}`}>{id}</Link>,
  },
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'unit', label: 'Unit', value: ({ unit }) => unit },
  { key: 'of', label: 'Entities', isNumber: true, value: ({ of }) => of },
  { key: 'grains', label: 'By', value: ({ grains }) => grains },
  { key: 'definition', label: 'What it says', value: ({ definition }) => definition, isOptional: true },
]

/** All metrics, to be searched. */
export default function MetricsDocPage() {
  const { rows } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title="Metrics" question={QUESTION} />
      <TableCard
        id="metrics"
        title={`${rows.length} metrics`}
        rows={rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        words={({ id, name, definition }) => `${id} ${name} ${definition}`}
      />
    </>
  )
}

export const ErrorBoundary = PageError
