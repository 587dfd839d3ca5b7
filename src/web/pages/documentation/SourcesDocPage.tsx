import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { durationText, timeText } from '../../format/day.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import { type ListedSource, loadSources } from './loadSources.server.ts'

const QUESTION =
  'Every chain, source and recording behind the figures, with its data, license and polling interval.'

export const loader = async ({ context }: LoaderFunctionArgs) => ({
  ...(await loadSources(context)),
  publicUrl: context.get(siteContext).publicUrl,
})

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Sources, documentation',
    description: QUESTION,
    path: '/documentation/sources',
    publicUrl: loaderData?.publicUrl,
  })

const COLUMNS: TableColumn<ListedSource>[] = [
  {
    key: 'id',
    label: 'Source',
    value: ({ id }) => id,
    cell: ({ id }) => <Link to={`/documentation/sources/${id}`}>{id}</Link>,
  },
  { key: 'metrics', label: 'Metrics', isNumber: true, value: ({ metrics }) => metrics },
  {
    key: 'cadence',
    label: 'Asked',
    value: ({ cadenceSeconds }) => cadenceSeconds,
    cell: ({ cadenceSeconds }) =>
      cadenceSeconds === null ? 'a recording' : `every ${durationText(cadenceSeconds)}`,
  },
  {
    key: 'last',
    label: 'Last read',
    value: ({ lastSuccess }) => lastSuccess,
    cell: ({ lastSuccess }) => (lastSuccess === null ? 'never' : timeText(lastSuccess)),
  },
  { key: 'name', label: 'What it is', value: ({ name }) => name },
  { key: 'licence', label: 'License', value: ({ licence }) => licence },
  { key: 'about', label: 'What it gives', value: ({ about }) => about, isOptional: true },
]

/** All sources, to be searched. */
export default function SourcesDocPage() {
  const { sources } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title="Sources" question={QUESTION}>
        <ButtonLink to="/status" small>
          How they fare now
        </ButtonLink>
      </HeadingBlock>
      <TableCard
        id="sources"
        title={`${sources.length} sources`}
        sub="In order of trust. If two report the same figure for the same day, the first is used and the other is shown for comparison"
        rows={sources}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        words={({ id, name, licence, about }) => `${id} ${name} ${licence} ${about}`}
      />
    </>
  )
}

export const ErrorBoundary = PageError
